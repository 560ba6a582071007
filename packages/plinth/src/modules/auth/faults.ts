// Problems of signing in, and faults of codes, API keys, pages of the client and questions about permissions.

import { defineFaults } from '../../core/fault.ts'
import { defineProblems } from '../../core/problem.ts'

export const authProblem = defineProblems({
  second_factor_required: {
    status: 401,
    title: 'Second factor required',
    meaning: 'The password is correct, but a second-factor code is required to sign in; this 401 always has a body.',
  },
  email_unconfirmed: {
    status: 401,
    title: 'E-mail address not confirmed',
    meaning: 'The password is correct, but the e-mail address is not confirmed yet; this 401 always has a body.',
  },
})

export const authFault = defineFaults({
  wrong_code: 'is wrong or has expired',
  scope: 'must be read, write, <resource>:read or <resource>:write',
  no_scope: 'must contain at least one scope',
  unknown_scope: "contains the unknown resource '{resource}'",
  past: 'must be in the future',
  max_days: 'must be within {max} days',
  client_page: 'must be a page of the client, such as /films',
  no_such_resource: 'there is no such resource',
  no_such_user: 'there is no such user',
})
