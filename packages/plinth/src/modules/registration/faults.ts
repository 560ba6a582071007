// Faults of registrations and of links in mails.

import { defineFaults } from '../../core/fault.ts'

export const registrationFault = defineFaults({
  locale: 'must be a language code, such as en or de-AT',
  password_mismatch: 'does not match the password',
  expired_link: 'is invalid or has expired',
})
