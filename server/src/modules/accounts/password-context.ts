// What the password of a user must not be close to.

import type { Reader } from '../../core/model/transaction.ts'
import { mailboxOf } from '../contacts/index.ts'
import type { PasswordContext } from './passwords.ts'

/** With the confirmed address, or else the one that was entered. */
export const passwordContextOf = async (reader: Reader, userPk: string): Promise<PasswordContext> => {
  const user = await reader.get(reader.resource('users'), userPk)
  const details = await reader.get(reader.resource('contactDetails'), userPk)
  const entered = details?.primaryEmail as { readonly email: string } | null | undefined
  return { username: String(user?.username ?? ''), email: (await mailboxOf(reader, userPk)) ?? entered?.email }
}
