import { ApiProblem } from '@plinth/client'
import { ProblemAlert } from '../../src/kit.ts'
import { type Sheet, state } from '../sheet.ts'

const refused = new ApiProblem(400, {
  ...{ code: 'invalid', title: 'Invalid' },
  errors: [
    { message: 'must be at most 9', pointer: '/days', code: 'max' },
    { message: 'is required', pointer: '/reason', code: 'required' },
  ],
})

const failed = new ApiProblem(500, { code: 'internal', title: 'Internal error', errorLogId: '01a1f35cbc1d7590' })

export const problems: Sheet = {
  name: 'problems',
  shows: ['ProblemAlert'],
  states: [
    state('an error', <ProblemAlert error={new Error('The printer is out of paper.')} />),
    state(
      'the service is not there',
      <ProblemAlert error={new ApiProblem(0, { code: 'unreachable' })} onRetry={() => {}} />,
    ),
    state('refused values', <ProblemAlert error={refused} />),
    state('recorded', <ProblemAlert error={failed} onRetry={() => {}} />),
    state('a wait', <ProblemAlert error={new ApiProblem(429, { title: 'Too many requests' }, '20')} />),
  ],
}
