// The audit events of the module.

import { defineAudit } from '../audit/index.ts'

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
