// Which fields of a resource the conformance test follows, sends wrongly, searches by and changes.

import type { Resource, ResourceField } from '../../src/core/model/resource.ts'

/** The fields that refer to other records. */
export const relationsOf = (resource: Resource): ResourceField[] =>
  [...resource.fields.values()].filter(field => field.target !== null)

/** The fields whose values are read from a body; references where a resource has nothing else. */
export const readFieldsOf = (resource: Resource): string[] => {
  const ofRole = (role: string) =>
    [...resource.fields.values()]
      .filter(({ name, definition }) => name !== 'pk' && definition.role === role && !definition.options.serverOwned)
      .filter(({ definition }) => definition.role !== 'value' || !definition.compute)
      .map(({ name }) => name)
  const values = ofRole('value')
  return values.length > 0 ? values : ofRole('one')
}

/** The text by which a search finds the field's value; null where the field cannot be searched or has none. */
export const searchText = ({ name, definition }: ResourceField, record: Record<string, unknown>): string | null => {
  const value = record[name]
  // What is shown once, when the record is made, cannot be searched for.
  if (value === null || value === undefined || definition.options.writeOnly) return null
  if (definition.role === 'one') return (value as { pk: string }).pk
  if (definition.role === 'count') return String(value)
  if (definition.role !== 'value' || definition.type.name === 'map' || definition.type.parts) return null
  return Array.isArray(value) ? (value.length > 0 ? String(value[0]) : null) : String(value)
}

/** Another value for a text field that may change; nothing where there is none. */
export const changeOf = (resource: Resource, record: Record<string, unknown>): Record<string, unknown> => {
  const { identifier } = resource.definition
  for (const { name, definition } of resource.fields.values()) {
    const isFree =
      definition.role === 'value' &&
      !definition.compute &&
      !definition.options.serverOwned &&
      !definition.options.fixed &&
      !definition.options.writeOnly &&
      !(identifier.kind === 'hashed' && identifier.of === name)
    if (name !== 'pk' && isFree && typeof record[name] === 'string' && definition.type.name === 'text')
      return { [name]: `${record[name]}9` }
  }
  return {}
}
