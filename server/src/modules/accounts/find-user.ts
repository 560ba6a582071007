// Users by the names that people type.

import { createHash } from 'node:crypto'
import { equals, everything } from '../../core/model/query.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Reader } from '../../core/model/transaction.ts'
import { fold } from '../../core/store/names.ts'
import { memberOf } from './member-of.ts'

export const emailHashOf = (email: string): string =>
  createHash('sha256').update(email.trim().toLowerCase()).digest('hex')

/** The user of this name, in any case, or the one who has proved to own this address. */
export const findUserByName = async (reader: Reader, nameOrEmail: string): Promise<StoredRecord | null> => {
  const found = await findSecrets(reader, nameOrEmail)
  return found && reader.get(reader.resource('users'), found.pk)
}

/** As above, but what proves the user. */
export const findSecrets = async (reader: Reader, nameOrEmail: string): Promise<StoredRecord | null> => {
  const name = nameOrEmail.trim()
  if (name === '' || name.length > 320 || !name.isWellFormed() || name.includes('\0')) return null
  const secrets = reader.resource('secrets')
  // No username has an @, so no name can stand for another's address.
  const [member, value] = name.includes('@') ? ['verifiedEmail', emailHashOf(name)] : ['loginName', fold(name)]
  const { records } = await reader.find(secrets, everything(secrets, equals(memberOf(secrets, member), value), 1))
  return records[0] ?? null
}
