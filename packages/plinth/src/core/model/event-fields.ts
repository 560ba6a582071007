// Which fields accompany the events of a resource: those that its read rule looks at, and those that it names itself.

import type { Access } from './access.ts'
import { imageNameOf } from './match-image.ts'
import type { Filter, Path } from './query.ts'
import type { Registry } from './registry.ts'
import type { Resource, ResourceField } from './resource.ts'

/** The fields that rules look at, by the resource that holds the records; empty where no rule does. */
export type EventFields = ReadonlyMap<Resource, readonly ResourceField[]>

export const eventFields = (registry: Registry, access: Access): EventFields => {
  const names = new Map<Resource, Set<string>>()
  for (const resource of registry.resources) {
    if (!resource.hasEvents) continue
    const needed = names.get(resource.holder) ?? new Set()
    names.set(resource.holder, needed)
    for (const path of access.rule(resource, 'read').paths) needed.add(imageNameOf(path) ?? '')
    for (const name of resource.definition.eventFields ?? []) needed.add(name)
    if (resource.definition.storedIn) needed.add(resource.definition.storedIn.where.field)
  }
  return new Map(
    [...names].map(([resource, fieldNames]) => [resource, [...fieldNames].flatMap(name => fitting(resource, name))]),
  )
}

/** The fields that events must have, so that a filter can be applied to their images. */
export const fieldsJudged = (resource: Resource, filter: Filter): readonly ResourceField[] => {
  const names = new Set(pathsIn(filter).map(path => imageNameOf(path) ?? ''))
  return [...names].flatMap(name => fitting(resource.holder, name))
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
const fitting = (resource: Resource, name: string): ResourceField[] => {
  const field = resource.fields.get(name)
  const isKept = field && field !== resource.pk && !field.definition.options.writeOnly
  return isKept && (field.definition.role === 'value' || field.definition.role === 'one') ? [field] : []
}
