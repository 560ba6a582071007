// Faults of names, passwords, roles and contact details.

import { defineFaults } from '../../core/fault.ts'

export const peopleFault = defineFaults({
  username: 'must not contain spaces, colons, @ or invisible characters',
  hidden_marks: 'must not contain invisible characters',
  one_script: 'must use letters of one script only',
  authority: 'must start with ROLE_, followed by capital letters',
  common_password: 'is too common',
  password_like_name: 'is too similar to the name or the address',
  telephone: 'must be a valid phone number',
  confirmed: 'is confirmed and cannot be removed; confirm another address to replace it',
})
