// What can be wrong with parties and metadata.

import { defineFaults } from 'plinth'

export const membershipFault = defineFaults({
  x500: '{message}',
  party: '{message}',
  json_schema: '{message}',
  named_twice: 'is listed twice',
  version: 'must be a whole number from 1 on',
})
