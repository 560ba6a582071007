// Faults of codes, API keys, pages of the client and the names in questions about permissions.

import { defineFaults } from '../../core/fault.ts'

export const authFault = defineFaults({
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
