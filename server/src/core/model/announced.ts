// Which members accompany the events of a resource: those that its read rule looks at, and those that it names itself.

import type { Access } from './access.ts'
import type { Registry } from './registry.ts'
import type { Member, Resource } from './resource.ts'
import { imageNameOf } from './visible.ts'

/** By the resource that holds the records; empty where no rule looks at them. */
export type Announced = ReadonlyMap<Resource, readonly Member[]>

export const announcedMembers = (registry: Registry, access: Access): Announced => {
  const names = new Map<Resource, Set<string>>()
  for (const resource of registry.resources) {
    if (!isAnnounced(resource)) continue
    const held = names.get(holderOf(resource)) ?? new Set()
    names.set(holderOf(resource), held)
    for (const path of access.rule(resource, 'read').paths) held.add(imageNameOf(path) ?? '')
    for (const name of resource.definition.announces ?? []) held.add(name)
    if (resource.definition.storedIn) held.add(resource.definition.storedIn.where.member)
  }
  return new Map([...names].map(([resource, held]) => [resource, [...held].flatMap(name => fitting(resource, name))]))
}

/** A secret is kept in no further place, and the pk stands in every event. */
const fitting = (resource: Resource, name: string): Member[] => {
  const member = resource.members.get(name)
  const isKept = member && member !== resource.pk && !member.field.options.writeOnly
  return isKept && (member.field.role === 'value' || member.field.role === 'one') ? [member] : []
}

/** Internal tables have events only when they ask for them. */
export const isAnnounced = ({ definition }: Resource): boolean =>
  !definition.internal || definition.announces !== undefined

/** The resource whose table holds the records. */
export const holderOf = (resource: Resource): Resource => resource.holder ?? resource
