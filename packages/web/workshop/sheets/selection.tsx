import { ApiProblem } from '@plinth/client'
import { BulkBar } from '../../src/areas/resources/bulk/bulk-bar.tsx'
import { BulkResults } from '../../src/areas/resources/bulk/bulk-results.tsx'
import { useActions } from '../../src/common/actions/use-actions.ts'
import { useSchema } from '../../src/common/records/schema.ts'
import { type Sheet, state } from '../sheet.ts'

const record = (title: string) => ({ pk: title, title })
const chosen = ['Emma', 'Persuasion'].map(record)

const selectionOf = {
  ...{ records: new Map(chosen.map(one => [one.pk, one])), titleOf: String },
  ...{ toggle: () => {}, selectAll: () => {}, remove: () => {}, clear: () => {} },
}

const Bar = () => {
  const { data: schema } = useSchema('books')
  const actions = useActions('books', 'record')
  return schema && <BulkBar schema={schema} actions={actions} selection={selectionOf} total={6} onStart={() => {}} />
}

const nothing = { onRetry: () => {}, onClose: () => {} }
const error = new ApiProblem(409, { title: 'The book is reserved by another reader.' })

export const selection: Sheet = {
  name: 'selection',
  shows: [],
  states: [
    state('what can be done', <Bar />),
    state(
      'some have failed',
      <BulkResults
        {...nothing}
        outcome={{
          done: [record('Emma')],
          failures: [{ record: record('Persuasion'), error }],
          left: [],
          results: [],
        }}
      />,
    ),
    state(
      'cancelled, with results',
      <BulkResults
        {...nothing}
        outcome={{
          ...{ done: [record('Emma')], failures: [], left: [record('Villette')] },
          results: [{ record: record('Emma'), result: { code: 'P-123', printedTwice: false } }],
        }}
      />,
    ),
  ],
}
