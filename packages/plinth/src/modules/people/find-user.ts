// Finds users by the names that people type.

import type { RecordReader } from '../../core/model/records.ts'
import { addressDigest } from '../mail/index.ts'
import { contactDetails } from './contact-details.ts'
import { isUnconfirmed } from './credentials.ts'
import { emailHashOf } from './email-hash.ts'
import { mailboxOf } from './mailboxes.ts'
import type { PasswordContext } from './passwords.ts'
import { loginNameOf, type Secrets, secrets } from './secrets.ts'
import { userCredentials } from './user-credentials.ts'
import { type User, users } from './users.ts'

/** The user with this name, in any case, or with this confirmed address. */
export const findUserByName = async (records: RecordReader, nameOrEmail: string): Promise<User | null> => {
  const found = await findSecrets(records, nameOrEmail)
  return found && records.first(users, { where: { pk: found.pk } })
}

/** Finds the row of `secrets` as `findUserByName` finds the user. */
export const findSecrets = async (records: RecordReader, nameOrEmail: string): Promise<Secrets | null> => {
  const key = loginKeyOf(nameOrEmail)
  return key && records.first(secrets, { where: key })
}

/** How many registrations with one address are checked. */
const maxRegistrations = 20

/** The newest registration with this address that is not confirmed yet. Until then the address is not a login name. */
export const findUnconfirmed = async (records: RecordReader, email: string): Promise<Secrets | null> => {
  const emailHash = await emailHashOf(records, email)
  if (emailHash === null) return null
  const newestFirst = { where: { emailHash, active: false }, sort: ['-pk'], limit: maxRegistrations } as const
  for (const { pk } of await records.find(users, newestFirst))
    if (isUnconfirmed(await records.first(userCredentials, { where: { pk } })))
      return records.first(secrets, { where: { pk } })
  return null
}

/** The column and the value of `secrets` that a name is looked up by. Null for what cannot be a name. */
const loginKeyOf = (nameOrEmail: string): { loginName: string } | { verifiedEmail: string } | null => {
  const name = nameOrEmail.trim()
  if (name === '' || name.length > 320 || !name.isWellFormed() || name.includes('\0')) return null
  // Usernames have no @, so none can be mistaken for an address.
  if (!name.includes('@')) return { loginName: loginNameOf(name) }
  const verifiedEmail = addressDigest(name)
  return verifiedEmail === null ? null : { verifiedEmail }
}

/**
 * Equal for all spellings that find the same user, whether there is one or not. Counting failed sign-ins by anything else
 * would reveal which names exist.
 */
export const canonicalLogin = (nameOrEmail: string): string =>
  Object.values(loginKeyOf(nameOrEmail) ?? {})[0] ?? nameOrEmail

/** What the password of a user must not resemble: the name, and the confirmed address or else the one that was entered. */
export const passwordContextOf = async (records: RecordReader, userPk: string): Promise<PasswordContext> => {
  const user = await records.first(users, { where: { pk: userPk } })
  const details = await records.first(contactDetails, { where: { pk: userPk } })
  return { username: user?.username ?? '', email: (await mailboxOf(records, userPk)) ?? details?.primaryEmail?.email }
}
