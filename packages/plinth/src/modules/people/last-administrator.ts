// There is always an active administrator. Changes to administrators wait for each other, and each is decided by what is stored
// by then: a session that was authenticated earlier may carry roles that its user has lost.

import type { Caller } from '../../core/model/caller.ts'
import { type Filter, where } from '../../core/model/query.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { Problem } from '../../core/problem.ts'
import { peopleProblem } from './problems.ts'
import { secrets } from './secrets.ts'
import { roles, users } from './users.ts'

const role = 'ROLE_ADMIN'

export interface AdministratorChange {
  /** The user's pk. */
  readonly user: string
  readonly caller: Caller
  /** The service acts, not a caller. */
  readonly isService: boolean
  /** The pks of all roles that the user has afterwards; left out when they stay the same. */
  readonly roles?: readonly string[] | undefined
  /** Can the user not sign in afterwards? */
  readonly ends?: boolean
}

/**
 * Call it in the transaction, before the change, with the row of the user locked. 403 when the caller has lost a role, 409 when no
 * active administrator would be left. Changes to other users pass.
 */
export const guardAdministrators = async (records: TransactionRecords, change: AdministratorChange): Promise<void> => {
  const { user, caller, isService, roles: granted, ends = false } = change
  const stored = await records.first(secrets, { where: { pk: user } })
  const isAdministrator = stored?.roles?.includes(role) === true
  if (!isAdministrator && !granted?.length) return
  const administrators = await records.first(roles, { where: { name: role } })
  const staysOne = administrators !== null && (granted?.includes(administrators.pk) ?? isAdministrator)
  if (!administrators || !(isAdministrator || staysOne)) return
  await records.lock(roles, administrators.pk)
  if (!isService) await mustHaveRoles(records, caller)
  if (isAdministrator && stored.active && (ends || !staysOne) && !(await hasAnother(records, user)))
    throw peopleProblem('last_administrator', {
      en: 'This is the last active administrator. Appoint another one first.',
      de: 'Das ist der letzte aktive Administrator. Geben Sie zuerst einer anderen Person diese Rolle.',
    })
}

/** Refuses what would leave the service without an administrator: 409. */
export const mustNotBeLastAdministrator = (
  records: TransactionRecords,
  { user, caller }: Pick<AdministratorChange, 'user' | 'caller'>,
): Promise<void> => guardAdministrators(records, { user, caller, isService: true, ends: true })

const mustHaveRoles = async (records: TransactionRecords, { pk, roles }: Caller): Promise<void> => {
  if (pk === null) return
  const stored = await records.first(secrets, { where: { pk } })
  const current = stored?.active ? (stored.roles ?? []) : []
  if ([...roles].some(name => !current.includes(name)))
    throw new Problem('forbidden', { en: 'You have lost a role.', de: 'Sie haben eine Rolle verloren.' })
}

const hasAnother = async (records: TransactionRecords, user: string): Promise<boolean> => {
  const resource = records.tx.resource(users)
  const target = records.tx.resource(roles)
  const [relation, name] = [resource.fields.get('roles'), target.fields.get('name')]
  if (!relation || !name) throw new Error('users have roles, and roles have names')
  const others: Filter = { op: 'ne', path: { steps: [], field: resource.pk }, value: user }
  const path = { steps: [{ relation, target, linkFilter: null }], field: name }
  const administrators: Filter = { op: 'eq', path, value: role }
  const filter: Filter = { op: 'and', parts: [where(resource, { active: true }), others, administrators] }
  return (await records.tx.count(resource, filter, { atMost: 1 })) > 0
}
