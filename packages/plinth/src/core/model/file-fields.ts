// The fields of a resource that hold files.

import type { Resource, ResourceField } from './resource.ts'
import type { FileLimits } from './value-field.ts'

/** A field of files that callers can write. */
export interface FileField {
  readonly field: ResourceField
  readonly limits: FileLimits
}

const known = new WeakMap<Resource, ReadonlyMap<string, FileField>>()

/** The fields of files that callers can write, by name. */
export const fileFieldsOf = (resource: Resource): ReadonlyMap<string, FileField> => {
  const found = known.get(resource) ?? readFields(resource)
  known.set(resource, found)
  return found
}

const readFields = ({ fields }: Resource): ReadonlyMap<string, FileField> =>
  new Map(
    [...fields.values()].flatMap(field => {
      const { definition, name } = field
      const limits = definition.role === 'value' ? definition.type.file : undefined
      return limits && !definition.options.serverOwned ? [[name, { field, limits }] as const] : []
    }),
  )
