// What providers call users and groups, beside their names here: their own identifiers, sign-in names that are addresses, and names of
// groups in any form.

import { defineResource } from '../../core/model/define.ts'
import { ref, text } from '../../core/model/fields.ts'
import { sharedWith } from '../../core/model/identifier.ts'

const externalId = text({ max: 255, indexed: true })

export const scimUsers = defineResource('scimUsers', {
  about: 'What identity providers call users.',
  identifier: sharedWith('user'),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    externalId,
    /** Where it is an address, which no username here can be. */
    userName: text({ max: 254, unique: 'ignoreCase' }),
  },
  access: {},
})

export const scimGroups = defineResource('scimGroups', {
  about: 'What identity providers call roles.',
  identifier: sharedWith('role'),
  internal: true,
  stamps: 'none',
  fields: {
    role: ref('roles', { required: true, onDelete: 'cascade', bare: true }),
    externalId,
    displayName: text({ max: 255, unique: 'ignoreCase' }),
  },
  access: {},
})
