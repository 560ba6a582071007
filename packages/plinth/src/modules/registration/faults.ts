// Faults of registrations and of links in mails.

import { defineFaults } from '../../core/fault.ts'

export const registrationFault = defineFaults({
  locale: 'must be a locale',
  password_mismatch: 'differs from the password',
  expired_link: 'is not good',
})
