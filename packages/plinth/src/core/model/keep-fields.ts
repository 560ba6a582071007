// Fields of resources with a quality, such as those that are computed: each write asks for them, so they are looked for once.

import type { Resource, ResourceField } from './resource.ts'

/** Keeps the fields of each resource that `toField` gives something for. */
export const keepFields = <F>(toField: (field: ResourceField) => F | null): ((resource: Resource) => readonly F[]) => {
  const known = new WeakMap<Resource, readonly F[]>()
  const fieldsOf = (resource: Resource): readonly F[] => {
    const kept = known.get(resource) ?? [...resource.fields.values()].flatMap(field => toField(field) ?? [])
    known.set(resource, kept)
    return kept
  }
  return fieldsOf
}

/** Keeps the fields of each resource that have the quality. */
export const keepFieldsThat = (has: (field: ResourceField) => boolean) =>
  keepFields(field => (has(field) ? field : null))
