// Conditions on members by name, for the module's own reading.

import { equals, type Filter } from '../../core/model/query.ts'
import type { Member, Resource } from '../../core/model/resource.ts'

export const memberOf = (resource: Resource, name: string): Member => {
  const member = resource.members.get(name)
  if (!member) throw new Error(`${resource.name} has no member '${name}'`)
  return member
}

export const memberEquals = (resource: Resource, name: string, value: unknown): Filter =>
  equals(memberOf(resource, name), value)

export const isNull = (resource: Resource, name: string): Filter => ({
  op: 'null',
  path: { steps: [], member: memberOf(resource, name) },
  isNull: true,
})

export const isBefore = (resource: Resource, name: string, value: string): Filter => ({
  op: 'lt',
  path: { steps: [], member: memberOf(resource, name) },
  value,
})
