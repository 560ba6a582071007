// Creates users with everything that belongs to one: credentials, secrets, contact and personal details.

import type { TransactionRecords } from '../../core/model/records.ts'
import { contactDetails, personalDetails } from './contact-details.ts'
import { emailHashOf } from './email-hash.ts'
import { loginNameOf, secrets } from './secrets.ts'
import { userCredentials } from './user-credentials.ts'
import { roleNamesOf, roles, type User, users } from './users.ts'

export interface NewUser {
  readonly pk?: string
  readonly username: string
  /** The address, which is not confirmed yet. */
  readonly email: string | null
  readonly passwordHash: string | null
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly locale?: string
  /** Names such as ROLE_USER. */
  readonly roles: readonly string[]
  readonly active: boolean
}

/**
 * Creates a user for the service itself; administrators create users like any record.
 *
 * @example
 * const ada = await createUser(
 *   records,
 *   { username: 'ada', email: 'ada@example.org', passwordHash: null, roles: ['ROLE_STAFF'], active: true },
 *   context.now,
 * )
 */
export const createUser = async (records: TransactionRecords, user: NewUser, now: Date): Promise<User> => {
  const { username, email, firstName, lastName, locale, active } = user
  const { pk } = await records.acting({ now }).create(users, {
    ...(user.pk !== undefined && { pk: user.pk }),
    ...{ username, firstName, lastName, locale, active },
    emailHash: email === null ? null : await emailHashOf(records, email),
    roles: await rolePks(records, user.roles),
  })
  return completeUser(records, { ...user, pk }, now)
}

const rolePks = async (records: TransactionRecords, names: readonly string[]): Promise<string[]> => {
  const pks: string[] = []
  for (const name of names) {
    const role = await records.first(roles, { where: { name } })
    if (!role) throw new Error(`there is no role '${name}'`)
    pks.push(role.pk)
  }
  return pks
}

export interface UserParts extends Pick<NewUser, 'email' | 'passwordHash' | 'active'> {
  readonly pk: string
}

/** Creates the records that belong to a new user. */
export const completeUser = async (
  transaction: TransactionRecords,
  { pk, email, passwordHash, active }: UserParts,
  now: Date,
): Promise<User> => {
  const records = transaction.acting({ now })
  const user = await records.get(users, pk)
  await records.create(userCredentials, {
    user: pk,
    active,
    lastPassWordChangeDate: passwordHash === null ? null : now.toISOString(),
  })
  await records.create(secrets, {
    user: pk,
    loginName: loginNameOf(user.username),
    passwordHash,
    roles: roleNamesOf(user),
    active,
  })
  await records.create(contactDetails, { user: pk, primaryEmail: email === null ? null : { email } })
  await records.create(personalDetails, { user: pk })
  return user
}
