// Users and roles as identity providers create and change them, in the name of an administrator: everything is checked, recorded and
// followed as if the administrator had done it.

import type { TransactionRecords } from '../../core/model/records.ts'
import { contactDetails } from './contact-details.ts'
import type { PreparedPassword } from './passwords.ts'
import { userCredentials } from './user-credentials.ts'
import { roles, users } from './users.ts'

/** Changes of a user. What is left out stays as it is. */
export interface UserChanges {
  readonly username?: string
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly locale?: string
  readonly email?: string
  readonly active?: boolean
  readonly password?: PreparedPassword
}

/** Creates a user with the role of every user. Without a password the user is asked by mail to choose one. */
export const provisionUser = async (
  records: TransactionRecords,
  { active, ...user }: UserChanges & { readonly username: string },
): Promise<string> => {
  const everyone = await records.first(roles, { where: { name: 'ROLE_USER' } })
  const { pk } = await records.create(users, { ...user, roles: everyone ? [everyone.pk] : [] })
  if (active === false) await records.update(userCredentials, pk, { active })
  return pk
}

/** Waits for other changes of the account. */
export const lockAccount = async (records: TransactionRecords, pk: string): Promise<void> => {
  await records.asService.lock(userCredentials, pk)
}

export const changeUser = async (
  records: TransactionRecords,
  pk: string,
  { email, active, password, ...profile }: UserChanges,
): Promise<void> => {
  await records.update(users, pk, profile)
  if (email !== undefined) await records.update(contactDetails, pk, { primaryEmail: { email } })
  const credentials = { ...(active !== undefined && { active }), ...(password && { password }) }
  if (Object.keys(credentials).length > 0) await records.update(userCredentials, pk, credentials)
}

export const deleteUser = (records: TransactionRecords, pk: string): Promise<void> => records.remove(users, pk)

export const createRole = async (
  records: TransactionRecords,
  role: { readonly name: string; readonly description: string },
): Promise<string> => (await records.create(roles, role)).pk

export const renameRole = async (records: TransactionRecords, pk: string, name: string): Promise<void> => {
  await records.update(roles, pk, { name })
}

export const deleteRole = (records: TransactionRecords, pk: string): Promise<void> => records.remove(roles, pk)

/** Gives a user the role, or takes it away. False when there is no such user. */
export const setRole = async (
  records: TransactionRecords,
  { user: pk, role, has }: { readonly user: string; readonly role: string; readonly has: boolean },
): Promise<boolean> => {
  const user = await records.lock(users, pk)
  if (!user) return false
  const others = user.roles.map(one => one.pk).filter(one => one !== role)
  await records.update(users, pk, { roles: has ? [...others, role] : others })
  return true
}
