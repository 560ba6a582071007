// One member of a record as JSON shows it: the schema that json-schema, the bodies and OpenAPI are composed of.

import type { CommonOptions } from '../model/field-options.ts'
import type { Json, JsonSchema } from '../model/json.ts'
import { uuidSchema } from '../model/pk.ts'
import type { Member, Resource } from '../model/resource.ts'
import { type ValueField, valueToJson } from '../model/value-field.ts'
import { inLanguage } from '../model/words.ts'
import { fieldTitle, titleOf } from './names.ts'

/** Is the member part of the record itself? Other relations are reached by their own address. */
export const isEmbedded = ({ field }: Member): boolean => {
  if (field.role === 'links') return field.embed
  return field.role !== 'inverse' || field.single === true
}

/** A relation that leads to any number of records. */
export const isToMany = ({ field }: Member): boolean =>
  field.role === 'links' || (field.role === 'inverse' && !field.single)

export const isReadOnly = (member: Member): boolean => {
  const { field, owner } = member
  if (member === owner.pk) return owner.definition.identifier.kind !== 'assigned'
  if (field.role === 'count' || field.role === 'inverse' || (field.role === 'value' && field.compute)) return true
  return field.options.serverOwned === true
}

/** May the member be without a value? */
export const isNullable = ({ field }: Member): boolean =>
  (field.role === 'value' || field.role === 'one' || (field.role === 'inverse' && field.single === true)) &&
  !field.options.required &&
  field.options.default === undefined

/** Shown in the answer that creates the record. */
const isIssued = ({ field }: Member): boolean => field.role === 'value' && field.issued === true

/** What one sends and never sees. */
export const isWriteOnly = (member: Member): boolean => member.field.options.writeOnly === true && !isIssued(member)

/** The members that one sends and never sees, and those that one sees once; no view has them. */
export const outOfViewOf = (resource: Resource): Member[] =>
  [...resource.members.values()].filter(member => member.field.options.writeOnly)

/** The members that an answer may show. */
export const readableOf = (resource: Resource): Member[] =>
  [...resource.members.values()].filter(member => !isWriteOnly(member))

export const nullable = (schema: JsonSchema): JsonSchema => {
  const { type, enum: words } = schema
  // A schema that says nothing admits null as it is.
  if (Object.keys(schema).length === 0) return schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }) }
}

export const pkSchema = (resource: Resource): JsonSchema => {
  const { identifier } = resource.definition
  switch (identifier.kind) {
    case 'generated':
      return uuidSchema
    case 'assigned':
      return { type: 'string', minLength: 1, maxLength: identifier.max, pattern: identifier.pattern.source }
    case 'hashed':
      return { type: 'string', pattern: '^[0-9a-f]{64}$' }
    case 'composite':
      return { type: 'string', maxLength: 255, pattern: '^\\S+$' }
    case 'shared': {
      const sharedWith = resource.members.get(identifier.by)?.target
      return sharedWith ? pkSchema(sharedWith) : { type: 'string' }
    }
  }
}

/**
 * The schema of a value. Fractions of `multipleOf` are given as `x-decimals` instead: validators divide doubles, and
 * 19.99 / 0.01 is no whole number for them.
 */
export const valueSchema = (field: ValueField): JsonSchema => {
  const { multipleOf, ...schema } = field.type.schema
  if (typeof multipleOf !== 'number') return schema
  if (multipleOf >= 1) return { ...schema, multipleOf }
  return { ...schema, 'x-decimals': Math.round(-Math.log10(multipleOf)) }
}

/** The schema of a value, with the titles of its parts. */
export const describedValue = (field: ValueField, language: string): JsonSchema => {
  const schema = valueSchema(field)
  const { parts } = field.type
  if (!parts) return schema
  const isList = schema.items !== undefined
  const whole = (isList ? schema.items : schema) as JsonSchema
  const properties = Object.entries(whole.properties as Readonly<Record<string, JsonSchema>>).map(([name, part]) => {
    const options = parts[name]?.options ?? {}
    return [name, { title: fieldTitle(name, options, language), ...describedBy(options, language), ...part }]
  })
  const described = { ...whole, properties: Object.fromEntries(properties) }
  return isList ? { ...schema, items: described } : described
}

/** A default that is the same for every record, as JSON shows it. */
export const defaultOf = ({ field }: Member): Json | undefined => {
  const stored = field.options.default
  if (field.role !== 'value' || stored === undefined || typeof stored === 'function') return undefined
  return valueToJson(field.type, stored)
}

/** A related record in short. `include` puts the full record in its place, so further members are welcome. */
export const compactSchema = (target: Resource): JsonSchema => ({
  type: 'object',
  properties: {
    pk: pkSchema(target),
    // Left out for callers who may not read it.
    ...(target.label && { [target.label.name]: { type: 'string' } }),
  },
  required: ['pk'],
})

export const relationMark = (member: Member): JsonSchema => {
  const kinds = { one: 'one', inverse: 'many', links: 'links' } as const
  const { field, target } = member
  if (field.role === 'value' || field.role === 'count' || !target) return {}
  return {
    resource: target.name,
    kind: isToMany(member) ? kinds[field.role] : 'one',
    ...(target.label && { label: target.label.name }),
    ...(field.role === 'inverse' && { by: field.by }),
  }
}

const bareSchema = (member: Member, language: string): JsonSchema => {
  const { field, owner, target } = member
  if (member === owner.pk) return pkSchema(owner)
  if (field.role === 'value') return describedValue(field, language)
  if (field.role === 'count') return { type: 'integer', minimum: 0 }
  const compact = target ? compactSchema(target) : {}
  return isToMany(member) ? { type: 'array', items: compact } : compact
}

/** What people read about a member. */
export const annotations = (member: Member, language: string): JsonSchema => ({
  title: titleOf(member, language),
  ...describedBy(member.field.options, language),
})

const describedBy = ({ about }: CommonOptions, language: string): JsonSchema =>
  about === undefined ? {} : { description: inLanguage(about, language) }

/** A member as a record shows it (or, write-only, as a body sends it). */
export const memberSchema = (member: Member, language: string): JsonSchema => {
  const { options } = member.field
  const bare = bareSchema(member, language)
  const fallback = defaultOf(member)
  return {
    ...annotations(member, language),
    ...(isNullable(member) ? nullable(bare) : bare),
    ...(fallback !== undefined && { default: fallback }),
    ...(isReadOnly(member) && { readOnly: true }),
    ...(isWriteOnly(member) && { writeOnly: true }),
    ...(options.unique && { 'x-unique': options.unique }),
    ...(options.fixed && { 'x-fixed': true }),
    // Left out for callers who may not read it.
    ...(options.readable !== undefined && { 'x-restricted': true }),
    ...(member.target && { 'x-relation': relationMark(member) }),
  }
}
