// What proves a user, and what a signed-in user may do, in one row that each sign-in reads. No caller ever sees it.

import { defineResource, sharedWith } from '../../core/model/define.ts'
import { boolean, ref, text, textList } from '../../core/model/fields.ts'
import type { Row } from '../../core/model/row.ts'

export const secrets = defineResource('secrets', {
  about: 'Password hashes and the rights that go with them.',
  identifier: sharedWith('user'),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade' }),
    /** The username, with case folded. */
    loginName: text({ required: true, max: 400, unique: true }),
    /** Null: no password opens this account. */
    passwordHash: text({ max: 500 }),
    /** Copies of what users and userCredentials say, kept by their hooks. */
    roles: textList({ maxItems: 1000 }),
    active: boolean({ required: true }),
    /** A second factor is asked for, so a password alone is not enough. */
    mfa: boolean({ required: true, default: false }),
    /** The hash of the address that the user has proved to own; it works in place of the username. */
    verifiedEmail: text({ max: 64, unique: true }),
  },
  access: {},
})

export type Secrets = Row<typeof secrets>
