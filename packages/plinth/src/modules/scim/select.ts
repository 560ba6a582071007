// The parts of resources that a provider asks for, and the order of lists (RFC 7644, sections 3.4.2.3 and 3.4.2.5).

import { type Attribute, attributesOf, coreSchema, findAttribute, type ScimSchema } from './attributes.ts'
import { isObject, type ScimObject } from './scim-json.ts'
import { mistake } from './scim-problem.ts'

interface SortRequest {
  readonly sortBy: string | null
  readonly isDescending: boolean
}

export const sortOf = <Field extends string>(
  fields: Readonly<Record<string, Field>>,
  { sortBy, isDescending }: SortRequest,
): [Field | `-${Field}`] | [] => {
  if (sortBy === null) return []
  const name = sortBy.replace(/^urn:.*:/i, '').toLowerCase()
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) throw mistake('invalidValue', `sortBy can be: ${Object.keys(fields).join(', ')}.`)
  return [isDescending ? `-${field}` : field]
}

/** The attributes that are asked for, or left out; by path, with the names in lower case. */
export interface AttributeSelection {
  readonly only: ReadonlySet<string> | null
  readonly without: ReadonlySet<string>
}

export const readSelection = (schema: ScimSchema, only: string | null, without: string | null): AttributeSelection => ({
  only: only === null ? null : pathsIn(schema, only),
  without: pathsIn(schema, without ?? ''),
})

const pathsIn = ({ name }: ScimSchema, list: string): ReadonlySet<string> => {
  const prefix = `${coreSchema(name)}:`.toLowerCase()
  const paths = list.split(',').map(path => path.trim().toLowerCase())
  return new Set(paths.filter(path => path !== '').map(path => path.replace(prefix, '')))
}

/** Are the values of this attribute left out? Then they need not be read. */
export const leavesOut = ({ only, without }: AttributeSelection, name: string): boolean => {
  if (without.has(name)) return true
  return only !== null && ![...only].some(path => path === name || path.startsWith(`${name}.`))
}

/** The resource as it was asked for. `id` and `schemas` are always there. */
export const selected = (schema: ScimSchema, resource: ScimObject, selection: AttributeSelection): ScimObject => {
  const members: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(resource)) {
    const attribute = findAttribute(attributesOf(schema), name)
    if (!attribute) continue
    const shown = attribute.returned === 'always' ? value : selectedValue(attribute, value, selection)
    if (shown !== undefined) members[name] = shown
  }
  return members
}

const selectedValue = ({ name }: Attribute, value: unknown, selection: AttributeSelection): unknown => {
  const path = name.toLowerCase()
  if (leavesOut(selection, path)) return undefined
  const isWhole = selection.only === null || selection.only.has(path)
  const keep = (part: string): boolean => {
    const inner = `${path}.${part.toLowerCase()}`
    return !selection.without.has(inner) && (isWhole || selection.only?.has(inner) === true)
  }
  const parts = (one: unknown): unknown =>
    isObject(one) ? Object.fromEntries(Object.entries(one).filter(([part]) => keep(part))) : one
  return Array.isArray(value) ? value.map(parts) : parts(value)
}
