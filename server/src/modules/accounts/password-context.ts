// What the password of a user must not be close to.

import type { Reader } from '../../core/model/transaction.ts'
import { readerOf } from '../../core/records/reader.ts'
import { contactDetails, mailboxOf } from '../contacts/index.ts'
import type { PasswordContext } from './passwords.ts'
import { users } from './users.ts'

/** With the confirmed address, or else the one that was entered. */
export const passwordContextOf = async (reader: Reader, userPk: string): Promise<PasswordContext> => {
  const records = readerOf(reader)
  const user = await records.first(users, { pk: userPk })
  const details = await records.first(contactDetails, { pk: userPk })
  return { username: user?.username ?? '', email: (await mailboxOf(reader, userPk)) ?? details?.primaryEmail?.email }
}
