// Faults of names, passwords, roles and contact details.

import { defineFaults } from '../../core/fault.ts'

export const peopleFault = defineFaults({
  username: 'must have no blanks, colons, @ or signs that do not show',
  hidden_marks: 'must have no marks that do not show',
  one_script: 'must have letters of one script',
  authority: 'must begin with ROLE_ and go on in capitals',
  common_password: 'is among the first that anybody would guess',
  password_like_name: 'is too close to the name or the address',
  telephone: 'must be a telephone number',
  confirmed: 'is confirmed: it is replaced by confirming another one, not removed',
})
