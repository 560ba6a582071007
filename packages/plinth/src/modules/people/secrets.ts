// Password hashes and permissions, in one row that each sign-in reads. No caller ever sees it.

import { defineResource } from '../../core/model/define.ts'
import { boolean, ref, text, textList } from '../../core/model/fields.ts'
import { sharedWith } from '../../core/model/identifier.ts'
import type { Row } from '../../core/model/row.ts'
import { fold } from '../../core/store/sql/text-patterns.ts'

export const secrets = defineResource('secrets', {
  about: 'Password hashes and copies of roles.',
  identifier: sharedWith('user'),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade' }),
    /** The username with its case folded. */
    loginName: text({ required: true, max: 400, unique: true }),
    /** The hash; null when no password opens this account. */
    passwordHash: text({ max: 500 }),
    /** Copies from users and userCredentials; their hooks keep them current. */
    roles: textList({ maxItems: 1000 }),
    active: boolean({ required: true }),
    /** A second factor is required after the password. */
    mfa: boolean({ required: true, default: false }),
    /** The digest of the confirmed e-mail address, which works in place of the username. No key is needed to sign in by it. */
    verifiedEmail: text({ max: 64, unique: true }),
  },
  access: {},
})

export type Secrets = Row<typeof secrets>

/** The username that belongs to a row of `secrets`. */
export const usernameOf = ({ user }: Secrets): string => user.label ?? ''

/** Returns the same for all spellings that the database considers the same username. */
export const loginNameOf: (username: string) => string = fold
