// The audit events of the module.

import { defineAudit } from '../audit/index.ts'

export const registrationAudit = defineAudit([
  'USER_CREATED',
  'USERNAME_CHANGED',
  'EMAIL_CHANGED',
  'USER_DEACTIVATED',
  'PASSWORD_CHANGED',
  'PASSWORD_RESET_REQUESTED',
  'REGISTERED',
  'REGISTRATION_CONFIRMED',
  'INVITED',
])
