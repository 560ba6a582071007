// Accounts that their users want to have deleted, and the day.

import { defineResource } from '../../core/model/define.ts'
import { ref, timestamp } from '../../core/model/fields.ts'
import { sharedWith } from '../../core/model/identifier.ts'

export const accountDeletions = defineResource('accountDeletions', {
  about: 'Accounts that will be deleted.',
  identifier: sharedWith('user'),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade' }),
    requested: timestamp({ required: true }),
    due: timestamp({ required: true, indexed: true }),
  },
  access: {},
})
