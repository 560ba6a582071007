// What the module declares by codes: faults of registrations and of links in mails, and audit events.

import { defineFaults } from '../../core/fault.ts'
import { defineAudit } from '../audit/index.ts'

export const registrationFault = defineFaults({
  password_mismatch: { en: 'does not match the password', de: 'Die Passwörter stimmen nicht überein.' },
  expired_link: { en: 'is invalid or has expired', de: 'Dieser Link ist abgelaufen oder wurde schon verwendet.' },
  reserved_name: {
    en: 'is reserved, or looks like the name of another user',
    de: 'Dieser Name ist reserviert oder sieht aus wie der einer anderen Person.',
  },
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
