// Which fields accompany the events of a resource: those that its read rule looks at, and those that it names itself.

import type { Access } from './access.ts'
import { imageNameOf } from './match-image.ts'
import type { Filter, Path } from './query.ts'
import type { Registry } from './registry.ts'
import type { Member, Resource } from './resource.ts'
import { holderOf } from './resource.ts'

/** By the resource that holds the records; empty where no rule looks at them. */
export type EventMembers = ReadonlyMap<Resource, readonly Member[]>

export const eventMembers = (registry: Registry, access: Access): EventMembers => {
  const names = new Map<Resource, Set<string>>()
  for (const resource of registry.resources) {
    if (!hasEvents(resource)) continue
    const needed = names.get(holderOf(resource)) ?? new Set()
    names.set(holderOf(resource), needed)
    for (const path of access.rule(resource, 'read').paths) needed.add(imageNameOf(path) ?? '')
    for (const name of resource.definition.eventFields ?? []) needed.add(name)
    if (resource.definition.storedIn) needed.add(resource.definition.storedIn.where.member)
  }
  return new Map(
    [...names].map(([resource, fieldNames]) => [resource, [...fieldNames].flatMap(name => fitting(resource, name))]),
  )
}

/** The members that events must have, so that a filter can be applied to their images. */
export const membersJudged = (resource: Resource, filter: Filter): readonly Member[] => {
  const names = new Set(pathsIn(filter).map(path => imageNameOf(path) ?? ''))
  return [...names].flatMap(name => fitting(holderOf(resource), name))
}

const pathsIn = (filter: Filter): readonly Path[] => {
  switch (filter.op) {
    case 'const':
      return []
    case 'not':
      return pathsIn(filter.part)
    case 'and':
    case 'or':
      return filter.parts.flatMap(pathsIn)
    default:
      return [filter.path]
  }
}

/** A secret is kept in no further place, and the pk stands in every event. */
const fitting = (resource: Resource, name: string): Member[] => {
  const member = resource.members.get(name)
  const isKept = member && member !== resource.pk && !member.field.options.writeOnly
  return isKept && (member.field.role === 'value' || member.field.role === 'one') ? [member] : []
}

/** Internal tables have events only when they ask for them. */
export const hasEvents = ({ definition }: Resource): boolean =>
  !definition.internal || definition.eventFields !== undefined
