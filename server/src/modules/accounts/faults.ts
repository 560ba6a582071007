// What can be wrong with names, passwords, codes and keys.

import { defineFaults } from '../../core/fault.ts'

export const accountFault = defineFaults({
  username: 'must have no blanks, colons, @ or signs that do not show',
  hidden_marks: 'must have no marks that do not show',
  one_script: 'must have letters of one script',
  locale: 'must be a locale',
  authority: 'must begin with ROLE_ and go on in capitals',
  common_password: 'is among the first that anybody would guess',
  password_like_name: 'is too close to the name or the address',
  password_mismatch: 'differs from the password',
  expired_link: 'is not good',
  wrong_code: 'is not good',
  scope: 'must be read, write, <resource>:read or <resource>:write',
  no_scope: 'must name at least one scope',
  unknown_scope: "must name resources that exist, not '{resource}'",
  past: 'must be in the future',
  max_days: 'must be within {max} days',
  client_page: 'must be a page of the client, such as /films',
  no_such_resource: 'there is no such resource',
  no_such_user: 'there is no such user',
})
