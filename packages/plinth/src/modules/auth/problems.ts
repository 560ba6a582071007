// What the module declares by codes: problems of signing in, faults of values, and audit events.

import { defineFaults } from '../../core/fault.ts'
import { defineProblems } from '../../core/problem.ts'
import { defineAudit } from '../audit/index.ts'

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
  demo_password: {
    status: 401,
    title: 'Demo password',
    meaning:
      'The password is a demo password, and demo mode is off. Set another one with `plinth admin reset-password`; this 401 always has a body.',
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

export const authAudit = defineAudit([
  'AUTHENTICATION_SUCCESS',
  'AUTHENTICATION_FAILURE',
  'AUTHENTICATION_THROTTLED',
  'AUTHORIZATION_FAILURE',
  'SIGNED_OUT',
  'SESSION_ENDED',
  'TOKEN_REUSED',
  'SECOND_FACTOR_ENABLED',
  'SECOND_FACTOR_DISABLED',
  'SECOND_FACTOR_REMOVED',
  'SECOND_FACTOR_FAILURE',
  'RECOVERY_CODE_USED',
  'RECOVERY_CODES_RENEWED',
  'API_KEY_CREATED',
  'API_KEY_CHANGED',
  'API_KEY_REVOKED',
  'API_KEYS_ENDED',
  'IDENTITY_LINKED',
  'IDENTITY_REMOVED',
])

export type AuthAuditType = (typeof authAudit.types)[number]
