// userCredentials: whether and since when a user may sign in. What proves the user is not here but in `secrets`.

import { defineResource, sharedWith } from '../../core/model/define.ts'
import { boolean, integer, ref, secret, text, timestamp } from '../../core/model/fields.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { passwordLength } from './passwords.ts'

export const userCredentials = defineResource('userCredentials', {
  about: 'Whether a user may sign in, and what became of it.',
  singular: 'userCredentials',
  identifier: sharedWith('user'),
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade' }),
    active: boolean({ default: true }),
    inactivationReason: text({ max: 500 }),
    inactivationDate: timestamp(),
    password: secret({ max: passwordLength.max, about: 'A new password; ends the sessions of the user.' }),
    lastPassWordChangeDate: timestamp({ serverOwned: true, title: 'Last password change' }),
    lastLogin: timestamp({ serverOwned: true }),
    loginAttempts: integer({ serverOwned: true, default: 0, about: 'Failures since the last success.' }),
    mfa: boolean({ serverOwned: true, default: false, title: 'Second factor', about: 'Is a second factor asked for?' }),
  },
  access: {
    read: "record.pk == caller.pk || caller.has('ROLE_ADMIN')",
    write: "caller.has('ROLE_ADMIN')",
  },
})

/** Gives the user a new password. Ending the sessions that came by the old one is the caller's next step. */
export const setPassword = async (tx: Transaction, userPk: string, hash: string, now: Date): Promise<void> => {
  await tx.update(tx.resource('secrets'), userPk, { passwordHash: hash })
  await tx.update(tx.resource('userCredentials'), userPk, {
    lastPassWordChangeDate: now.toISOString(),
    lastModifiedDate: now.toISOString(),
  })
}
