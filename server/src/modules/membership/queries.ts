// Queries of the nodes on their own tables.

import { equals, everything, type Filter, type Query } from '../../core/model/query.ts'
import type { Member, Resource } from '../../core/model/resource.ts'

export const memberOf = (resource: Resource, name: string): Member => {
  const member = resource.members.get(name)
  if (!member) throw new Error(`${resource.name} has no member '${name}'`)
  return member
}

const pathOf = (resource: Resource, name: string) => ({ steps: [], member: memberOf(resource, name) })

export const all = (...parts: readonly Filter[]): Filter => ({ op: 'and', parts })
export const either = (...parts: readonly Filter[]): Filter => ({ op: 'or', parts })

/** Every given member has the given value; null means that it has none. */
export const matching = (resource: Resource, values: Readonly<Record<string, unknown>>): Filter =>
  all(...Object.entries(values).map(([name, value]) => equals(memberOf(resource, name), value)))

export const oneOf = (resource: Resource, name: string, values: readonly unknown[]): Filter => ({
  op: 'in',
  path: pathOf(resource, name),
  values,
})

export const compared = (resource: Resource, name: string, op: 'gt' | 'lt' | 'le', value: unknown): Filter => ({
  op,
  path: pathOf(resource, name),
  value,
})

export const where = (resource: Resource, values: Readonly<Record<string, unknown>>): Query =>
  everything(resource, matching(resource, values))

/** All records that have one of the values. */
export const among = (resource: Resource, name: string, values: readonly unknown[]): Query =>
  everything(resource, oneOf(resource, name, values), Math.max(1, values.length))

/** By these members in turn, then by pk. */
export const sortedBy = (query: Query, resource: Resource, ...names: readonly string[]): Query => ({
  ...query,
  sort: [...names, 'pk'].map(name => ({ path: pathOf(resource, name), descending: false })),
})
