// JSON that providers send, with the names of attributes as the schemas spell them. What the service does not keep is left out, as
// RFC 7644, section 3.3, allows.

import { type Attribute, attributesOf, findAttribute, type ScimSchema } from './attributes.ts'
import { mistake } from './scim-problem.ts'

export type ScimObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is ScimObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toObject = (value: unknown): ScimObject => {
  if (isObject(value)) return value
  throw mistake('invalidSyntax', 'The body must be an object.')
}

/** The value of a member, whose name counts in any case. */
export const member = (object: ScimObject, name: string): unknown => {
  const wanted = name.toLowerCase()
  const found = Object.keys(object).find(key => key.toLowerCase() === wanted)
  return found === undefined ? undefined : object[found]
}

/** A value as the attribute has it: with canonical names, and lists where it has several. */
export const canonicalValue = (attribute: Attribute, value: unknown): unknown => {
  if (attribute.multiValued && attribute.type === 'complex')
    return [value ?? []].flat().map(one => canonicalOne(attribute, one))
  return canonicalOne(attribute, value)
}

const canonicalOne = ({ subAttributes }: Attribute, value: unknown): unknown =>
  subAttributes && isObject(value) ? canonicalMembers(subAttributes, value) : value

const canonicalMembers = (attributes: readonly Attribute[], object: ScimObject): ScimObject => {
  const members: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(object)) {
    const attribute = findAttribute(attributes, key)
    if (attribute) members[attribute.name] = canonicalValue(attribute, value)
  }
  return members
}

export const canonical = (schema: ScimSchema, body: unknown): ScimObject =>
  canonicalMembers(attributesOf(schema), toObject(body))

/** A text, empty for anything else. */
export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A text, or null where it is absent or empty. */
export const textIn = (object: ScimObject, name: string): string | null => {
  const value = object[name]
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string') return value
  throw mistake('invalidValue', `${name} must be a text.`)
}

/** A boolean; some providers send texts. Null where it is absent. */
export const booleanIn = (object: ScimObject, name: string): boolean | null => {
  const value = object[name]
  if (value === undefined || value === null) return null
  const text = `${value}`.toLowerCase()
  if (text === 'true' || text === 'false') return text === 'true'
  throw mistake('invalidValue', `${name} must be true or false.`)
}

/** The entries of an attribute that has several values. */
export const objectsIn = (object: ScimObject, name: string): readonly ScimObject[] => {
  const value = object[name] ?? []
  if (Array.isArray(value) && value.every(isObject)) return value
  throw mistake('invalidValue', `${name} must be a list of objects.`)
}
