// Names that users cannot choose for themselves: those that sound like the people who run the service, and those that look like the name
// of a user with more roles. Administrators can give any name.

import { everything } from '../../core/model/query.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { invalid } from '../../core/rest/body.ts'
import { roles, users } from '../people/index.ts'
import { registrationFault } from './faults.ts'
import { skeletonOf } from './look-alikes.ts'

export interface ChosenName {
  readonly username: string
  /** The user who chooses it. */
  readonly user: string
}

/**
 * Problem `invalid` for a name that is reserved. It does not tell whose name it resembles. Call it once the name is written, so that a name
 * that is taken is reported as taken.
 */
export const mustBeUnreserved = async (
  records: TransactionRecords,
  { username, user }: ChosenName,
  reserved: readonly string[],
): Promise<void> => {
  const skeleton = skeletonOf(username)
  const isReserved = reserved.some(name => skeletonOf(name) === skeleton)
  if (!isReserved && !(await resemblesOfficial(records, { skeleton, user }))) return
  const field = 'username'
  throw invalid([{ pointer: `/${field}`, member: field, ...registrationFault('reserved_name') }])
}

/** How many users with more roles are compared. */
const maxOfficials = 10_000

const resemblesOfficial = async (
  records: TransactionRecords,
  { skeleton, user }: { readonly skeleton: string; readonly user: string },
): Promise<boolean> => {
  const resource = records.tx.resource(users)
  const target = records.tx.resource(roles)
  const [relation, name] = [resource.fields.get('roles'), target.fields.get('name')]
  if (!relation || !name) throw new Error('users have roles, and roles have names')
  const names = (await records.find(roles, {})).map(role => role.name).filter(role => role !== 'ROLE_USER')
  const path = { steps: [{ relation, target, linkFilter: null }], field: name }
  const officials = everything(resource, { op: 'in', path, values: names }, maxOfficials)
  return (await records.tx.find(resource, officials)).records.some(
    ({ pk, username }) => pk !== user && typeof username === 'string' && skeletonOf(username) === skeleton,
  )
}
