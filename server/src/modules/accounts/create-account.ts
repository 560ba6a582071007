// A user with everything that belongs to one: credentials, secrets, contact and personal details.

import { uuidv7 } from 'uuidv7'
import { everything, where } from '../../core/model/query.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { createDetails } from '../contacts/index.ts'
import { emailHashOf } from '../mail/index.ts'
import { loginNameOf } from './find-user.ts'
import { roleNamesOf } from './rights.ts'

export interface NewUser {
  readonly pk?: string
  readonly username: string
  /** Not verified by being given here. */
  readonly email: string | null
  readonly passwordHash: string | null
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly locale?: string
  /** Names such as ROLE_USER. */
  readonly roles: readonly string[]
  readonly active: boolean
}

/** For the service itself; administrators create users as they create any record. */
export const createUser = async (tx: Transaction, user: NewUser, now: Date): Promise<StoredRecord> => {
  const fullName = [user.firstName, user.lastName].filter(Boolean).join(' ')
  const date = now.toISOString()
  const pk = user.pk ?? uuidv7()
  await tx.insert(tx.resource('users'), pk, {
    username: user.username,
    emailHash: user.email && emailHashOf(user.email),
    firstName: user.firstName ?? null,
    lastName: user.lastName ?? null,
    name: fullName || user.username,
    fullName,
    locale: user.locale ?? 'en',
    active: user.active,
    metadata: {},
    roles: await rolePks(tx, user.roles),
    createdDate: date,
    lastModifiedDate: date,
  })
  return completeAccount(tx, { pk, ...user }, now)
}

const rolePks = async (tx: Transaction, names: readonly string[]): Promise<string[]> => {
  const roles = tx.resource('roles')
  const pks: string[] = []
  for (const name of names) {
    const { records } = await tx.find(roles, everything(roles, where(roles, { name }), 1))
    const [role] = records
    if (!role) throw new Error(`there is no role '${name}'`)
    pks.push(role.pk)
  }
  return pks
}

export interface Belongings extends Pick<NewUser, 'email' | 'passwordHash' | 'active'> {
  readonly pk: string
}

/** Gives a user who is there already what every user has. */
export const completeAccount = async (
  tx: Transaction,
  { pk, email, passwordHash, active }: Belongings,
  now: Date,
): Promise<StoredRecord> => {
  const user = await tx.get(tx.resource('users'), pk)
  if (!user) throw new Error(`user '${pk}' was not made`)
  const date = now.toISOString()
  await tx.insert(tx.resource('userCredentials'), pk, {
    user: pk,
    active,
    lastPassWordChangeDate: passwordHash === null ? null : date,
    loginAttempts: 0,
    mfa: false,
    createdDate: date,
    lastModifiedDate: date,
  })
  await tx.insert(tx.resource('secrets'), pk, {
    user: pk,
    loginName: loginNameOf(String(user.username)),
    passwordHash,
    roles: roleNamesOf(user),
    active,
    mfa: false,
  })
  await createDetails(tx, { user: pk, email }, now)
  return user
}
