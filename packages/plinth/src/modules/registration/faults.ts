// What the module declares by codes: faults of registrations and of links in mails, and audit events.

import { defineFaults } from '../../core/fault.ts'
import { defineAudit } from '../audit/index.ts'

export const registrationFault = defineFaults({
  password_mismatch: 'does not match the password',
  expired_link: 'is invalid or has expired',
  reserved_name: 'is reserved, or looks like the name of another user',
})

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
