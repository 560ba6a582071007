// Deletes an account for good, with its past. Where records of others need the user, such as those of a store, the user stays without a name,
// without a way to sign in, and without all that belonged to the account.

import { randomBytes } from 'node:crypto'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { Resource, ResourceField } from '../../core/model/resource.ts'
import type { Erasure } from '../../core/model/transaction.ts'
import { userCredentials } from './user-credentials.ts'
import { users } from './users.ts'

export interface ErasedAccount extends Erasure {
  /** Records of others need the user, who therefore is still there, without a name. */
  readonly isAnonymised: boolean
}

/** `resources` are all of the service: among them are those whose records belong to the account. */
export const eraseAccount = async (
  records: TransactionRecords,
  resources: readonly Resource[],
  pk: string,
): Promise<ErasedAccount> => {
  const resource = records.tx.resource(users)
  // Locked first: a write that would refer to the user waits, and then finds no such user.
  await records.lock(users, pk)
  const isAnonymised = await records.tx.isReferenced(resource, pk)
  if (isAnonymised) await anonymise(records, resources, pk)
  else await records.remove(users, pk, { permanently: true })
  // The history has recorded the last change, too.
  return { ...(await records.tx.eraseTraces(resource, pk)), isAnonymised }
}

/** The fields by which records belong to an account, and are deleted with it. */
export const belongingsOf = (resources: readonly Resource[], user: Resource): readonly ResourceField[] =>
  resources
    .filter(({ holder, name }) => holder.name === name)
    .flatMap(({ fields }) => [...fields.values()])
    .filter(
      ({ definition, target }) => definition.role === 'one' && definition.onDelete === 'cascade' && target === user,
    )

const anonymise = async (records: TransactionRecords, resources: readonly Resource[], pk: string): Promise<void> => {
  const resource = records.tx.resource(users)
  // The end of the credentials ends sessions, API keys and identities.
  if (await records.first(userCredentials, { where: { pk } })) await records.remove(userCredentials, pk)
  for (const { name, owner } of belongingsOf(resources, resource))
    await records.removeMany(owner.definition, { where: { [name]: pk } })
  const username = `deleted-${randomBytes(6).toString('hex')}`
  await records.update(resource.definition, pk, { ...emptied(resource), username, active: false })
}

/** What a user has no more: everything that may be missing, and what modules have added. */
const emptied = ({ fields }: Resource): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...fields.values()].flatMap(({ name, definition }) => {
      const { required, default: usual } = definition.options
      if (['pk', 'version', ...stamps].includes(name) || required) return []
      if (definition.role === 'links') return [[name, []]]
      if (definition.role === 'one') return [[name, null]]
      return definition.role === 'value' && !definition.compute && !definition.transient ? [[name, usual ?? null]] : []
    }),
  )

const stamps = ['createdDate', 'createdBy', 'lastModifiedDate', 'lastModifiedBy']
