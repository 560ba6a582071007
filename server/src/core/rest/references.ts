// References in a body to records that the caller cannot see are treated as references to nothing.

import type { Values } from '../model/record.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { Transaction } from '../model/transaction.ts'
import { type Fault, Problem } from '../problem.ts'
import type { Context } from './platform.ts'

/** The references of these values whose targets are not all open to the caller. That a target exists the database checks itself. */
const guardedReferences = (resource: Resource, values: Values, { sight }: Context): Member[] =>
  Object.keys(values).flatMap(name => {
    const member = resource.members.get(name)
    return member?.target && values[name] !== null && sight.records(member.target) !== true ? [member] : []
  })

export const hasGuardedReferences = (resource: Resource, values: Values, context: Context): boolean =>
  guardedReferences(resource, values, context).length > 0

export const checkReferences = async (
  resource: Resource,
  values: Values,
  context: Context & { readonly tx: Transaction },
): Promise<void> => {
  const faults: Fault[] = []
  for (const member of guardedReferences(resource, values, context)) {
    const { target, name } = member
    if (!target) continue
    const seen = context.sight.records(target)
    const value = values[name]
    for (const pk of Array.isArray(value) ? value : [value]) {
      const found = typeof seen === 'object' && (await context.tx.get(target, String(pk), { visible: seen }))
      if (!found)
        faults.push({ pointer: `/${name}`, member: name, message: `no such record in ${target.name}`, code: 'missing' })
    }
  }
  if (faults.length > 0) throw new Problem('unprocessable', { errors: faults })
}
