// Users by the names that people type.

import { everything, where } from '../../core/model/query.ts'
import type { Link, StoredRecord } from '../../core/model/record.ts'
import type { Reader } from '../../core/model/transaction.ts'
import { fold } from '../../core/store/names.ts'
import { isUnconfirmed } from '../contacts/index.ts'
import { emailHashOf } from '../mail/index.ts'

/** The user of this name, in any case, or the one who has proved to own this address. */
export const findUserByName = async (reader: Reader, nameOrEmail: string): Promise<StoredRecord | null> => {
  const found = await findSecrets(reader, nameOrEmail)
  return found && reader.get(reader.resource('users'), found.pk)
}

/** As above, but what proves the user. */
export const findSecrets = async (reader: Reader, nameOrEmail: string): Promise<StoredRecord | null> => {
  const sought = soughtBy(nameOrEmail)
  if (!sought) return null
  const secrets = reader.resource('secrets')
  const { records } = await reader.find(secrets, everything(secrets, where(secrets, sought), 1))
  return records[0] ?? null
}

/** How many registrations with one address are looked at. */
const mostRivals = 20

/** What proves the newest registration with this address that is not confirmed yet. Before that, it has no other name. */
export const findUnconfirmed = async (reader: Reader, email: string): Promise<StoredRecord | null> => {
  const emailHash = emailHashOf(email)
  if (emailHash === null) return null
  const users = reader.resource('users')
  const newestFirst = [{ path: { steps: [], member: users.pk }, descending: true }]
  const query = { ...everything(users, where(users, { emailHash, active: false }), mostRivals), sort: newestFirst }
  for (const { pk } of (await reader.find(users, query)).records) {
    if (isUnconfirmed(await reader.get(reader.resource('userCredentials'), pk)))
      return reader.get(reader.resource('secrets'), pk)
  }
  return null
}

/** What of `secrets` a name is looked up by. Null for what nobody can be called. */
const soughtBy = (nameOrEmail: string): Readonly<Record<string, string>> | null => {
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
export const nameOf = (secrets: StoredRecord): string => (secrets.user as Link).label ?? ''

/** The same for every spelling that the database takes for the same username. */
export const loginNameOf = (username: string): string => fold(username)
