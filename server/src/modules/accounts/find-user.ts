// Users by the names that people type.

import type { Row } from '../../core/model/row.ts'
import type { Reader } from '../../core/model/transaction.ts'
import { readerOf } from '../../core/records/reader.ts'
import { fold } from '../../core/store/sql/names.ts'
import { isUnconfirmed } from '../contacts/index.ts'
import { emailHashOf } from '../mail/index.ts'
import { type Secrets, secrets } from './secrets.ts'
import { userCredentials } from './user-credentials.ts'
import { users } from './users.ts'

type User = Row<typeof users>

/** The user of this name, in any case, or the one who has proved to own this address. */
export const findUserByName = async (reader: Reader, nameOrEmail: string): Promise<User | null> => {
  const found = await findSecrets(reader, nameOrEmail)
  return found && readerOf(reader).first(users, { pk: found.pk })
}

/** As above, but what proves the user. */
export const findSecrets = async (reader: Reader, nameOrEmail: string): Promise<Secrets | null> => {
  const sought = soughtBy(nameOrEmail)
  return sought && readerOf(reader).first(secrets, sought)
}

/** How many registrations with one address are looked at. */
const mostRivals = 20

/** What proves the newest registration with this address that is not confirmed yet. Before that, it has no other name. */
export const findUnconfirmed = async (reader: Reader, email: string): Promise<Secrets | null> => {
  const emailHash = emailHashOf(email)
  if (emailHash === null) return null
  const records = readerOf(reader)
  const newestFirst = { where: { emailHash, active: false }, sort: ['-pk'], limit: mostRivals } as const
  for (const { pk } of await records.find(users, newestFirst))
    if (isUnconfirmed(await records.first(userCredentials, { pk }))) return records.first(secrets, { pk })
  return null
}

/** What of `secrets` a name is looked up by. Null for what nobody can be called. */
const soughtBy = (nameOrEmail: string): { loginName: string } | { verifiedEmail: string } | null => {
  const name = nameOrEmail.trim()
  if (name === '' || name.length > 320 || !name.isWellFormed() || name.includes('\0')) return null
  // No username has an @, so no name can stand for another's address.
  if (!name.includes('@')) return { loginName: loginNameOf(name) }
  const verifiedEmail = emailHashOf(name)
  return verifiedEmail === null ? null : { verifiedEmail }
}

/**
 * The same for all spellings that find the same user, whether there is one or not: counting by anything else would tell
 * strangers which names somebody has.
 */
export const soughtNameOf = (nameOrEmail: string): string =>
  Object.values(soughtBy(nameOrEmail) ?? {})[0] ?? nameOrEmail

/** The username of whom a row of `secrets` belongs to. */
export const nameOf = ({ user }: Secrets): string => user.label ?? ''

/** The same for every spelling that the database takes for the same username. */
export const loginNameOf = (username: string): string => fold(username)
