// A session: one sign-in on one device, and everything by which that device proves itself afterwards. Its row is read at
// each request, so what ends it takes effect on the next one, on every instance.

import { defineResource } from '../../../core/model/define.ts'
import { choice, ref, text, textList, timestamp } from '../../../core/model/fields.ts'
import type { Row } from '../../../core/model/row.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { recordsIn } from '../../../core/records/records.ts'

export const sessions = defineResource('sessions', {
  about: 'Who is signed in, on which device.',
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    /** Copied from the user, and again whenever they change. */
    username: text({ required: true, max: 100 }),
    roles: textList({ maxItems: 1000 }),
    /** `mfa_pending`: the password was right and the second factor is still to come; good for that alone. */
    state: choice(['full', 'mfa_pending'], { required: true }),
    created: timestamp({ required: true }),
    lastUsed: timestamp({ required: true }),
    /** When its user last showed the password again. */
    verified: timestamp(),
    /** Unless used before then, it is over. */
    idleUntil: timestamp({ required: true }),
    /** Over, however much it is used. */
    until: timestamp({ required: true, indexed: true }),
    userAgent: text({ max: 500 }),
    address: text({ max: 60 }),
    /** The refresh token that is good now, the one before it, and when they changed places. */
    refreshId: text({ max: 40 }),
    formerRefreshId: text({ max: 40 }),
    rotated: timestamp(),
    /** SHA-256 of the secrets in the cookies `app-sso` and `remember-me`. */
    ssoHash: text({ max: 64 }),
    rememberHash: text({ max: 64 }),
    rememberUntil: timestamp(),
  },
  /** So that whoever holds a connection open hears of its end. */
  announces: ['user'],
  access: {},
})

export type SessionRow = Row<typeof sessions>

export interface EndOptions {
  /** The session that goes on. */
  readonly except?: string | undefined
}

/** Ends the user's sessions; answers how many. */
export const endSessions = (tx: Transaction, userPk: string, { except }: EndOptions = {}): Promise<number> =>
  recordsIn(tx).removeWhere(sessions, { user: userPk, ...(except !== undefined && { pk: { ne: except } }) })

export interface SessionRights {
  readonly username: string
  readonly roles: readonly string[]
}

/** Copies the name and the roles of a user to all sessions. */
export const updateSessions = (tx: Transaction, userPk: string, rights: SessionRights): Promise<number> =>
  recordsIn(tx).updateWhere(sessions, { user: userPk }, rights)
