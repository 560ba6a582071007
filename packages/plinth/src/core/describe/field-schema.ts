// One field of a record as JSON shows it: the schema that json-schema, the bodies and OpenAPI are composed of.

import { callerPathOf } from '../model/caller-default.ts'
import type { CommonOptions } from '../model/field-options.ts'
import type { Json, JsonSchema } from '../model/json.ts'
import { uuidSchema } from '../model/pk.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { machineOf } from '../model/state-fields.ts'
import { describeSteps } from '../model/state-machine.ts'
import { sumType } from '../model/total-fields.ts'
import { type ValueField, valueToJson } from '../model/value-field.ts'
import { inLanguage } from '../model/words.ts'
import { fieldTitle, titleOf } from './names.ts'

/** Is the field part of the record itself? Other relations are reached by their own address. */
export const isEmbedded = ({ definition }: ResourceField): boolean => {
  if (definition.role === 'links') return definition.embed
  return definition.role !== 'inverse' || definition.single === true
}

/** A relation that leads to any number of records. */
export const isToMany = ({ definition }: ResourceField): boolean =>
  definition.role === 'links' || (definition.role === 'inverse' && !definition.single)

export const isReadOnly = (field: ResourceField): boolean => {
  const { definition, owner } = field
  if (field === owner.pk) return owner.definition.identifier.kind !== 'assigned'
  if (
    definition.role === 'count' ||
    definition.role === 'inverse' ||
    (definition.role === 'value' && definition.compute)
  )
    return true
  return definition.options.serverOwned === true
}

/** May the field be without a value? */
export const isNullable = ({ definition }: ResourceField): boolean =>
  (definition.role === 'value' ||
    definition.role === 'one' ||
    (definition.role === 'inverse' && definition.single === true)) &&
  !definition.options.required &&
  (definition.options.default === undefined || callerPathOf(definition) !== null)

/** Says whether a value is shown in the answer that creates the record. */
const isIssued = ({ definition }: ResourceField): boolean => definition.role === 'value' && definition.issued === true

/** What one sends and never sees. */
export const isWriteOnly = (field: ResourceField): boolean =>
  field.definition.options.writeOnly === true && !isIssued(field)

/** The fields that one sends and never sees, and those that one sees once; no view has them. */
export const outOfViewOf = (resource: Resource): ResourceField[] =>
  [...resource.fields.values()].filter(field => field.definition.options.writeOnly)

/** The fields that an answer may show. */
export const readableOf = (resource: Resource): ResourceField[] =>
  [...resource.fields.values()].filter(field => !isWriteOnly(field))

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
      const sharedWith = resource.fields.get(identifier.by)?.target
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
export const defaultOf = ({ definition }: ResourceField): Json | undefined => {
  const stored = definition.options.default
  if (definition.role !== 'value' || stored === undefined || typeof stored === 'function') return undefined
  if (callerPathOf(definition)) return undefined
  return valueToJson(definition.type, stored)
}

/** A related record in short. `include` puts the full record in its place, so further fields are welcome. */
export const compactSchema = (target: Resource): JsonSchema => ({
  type: 'object',
  properties: {
    pk: pkSchema(target),
    // Left out for callers who may not read it.
    ...(target.label && { [target.label.name]: { type: 'string' } }),
  },
  required: ['pk'],
})

export const relationMark = (field: ResourceField): JsonSchema => {
  const kinds = { one: 'one', inverse: 'many', links: 'links' } as const
  const { definition, target } = field
  if (definition.role === 'value' || definition.role === 'count' || !target) return {}
  return {
    resource: target.name,
    kind: isToMany(field) ? kinds[definition.role] : 'one',
    ...(target.label && { label: target.label.name }),
    ...(definition.role === 'inverse' && { by: definition.by }),
  }
}

const bareSchema = (field: ResourceField, language: string): JsonSchema => {
  const { definition, owner, target } = field
  if (field === owner.pk) return pkSchema(owner)
  if (definition.role === 'value') return describedValue(definition, language)
  if (definition.role === 'count') return sumType(field)?.schema ?? { type: 'integer', minimum: 0 }
  const compact = target ? compactSchema(target) : {}
  return isToMany(field) ? { type: 'array', items: compact } : compact
}

/** What people read about a field. */
export const annotations = (field: ResourceField, language: string): JsonSchema => ({
  title: titleOf(field, language),
  ...describedBy(field.definition.options, language),
  ...stepsOf(field, language),
})

/** The steps of a state machine, for readers of the API description. */
const stepsOf = (field: ResourceField, language: string): JsonSchema => {
  const machine = machineOf(field)
  if (!machine) return {}
  const { about } = field.definition.options
  const steps = describeSteps(machine)
  return { description: about === undefined ? steps : `${inLanguage(about, language)} ${steps}` }
}

const describedBy = ({ about }: CommonOptions, language: string): JsonSchema =>
  about === undefined ? {} : { description: inLanguage(about, language) }

/** A field as a record shows it (or, write-only, as a body sends it). */
export const fieldSchema = (field: ResourceField, language: string): JsonSchema => {
  const { options } = field.definition
  const bare = bareSchema(field, language)
  const fallback = defaultOf(field)
  const path = callerPathOf(field.definition)
  return {
    ...annotations(field, language),
    ...(isNullable(field) ? nullable(bare) : bare),
    ...(fallback !== undefined && { default: fallback }),
    ...(path && { 'x-default': path }),
    ...(isReadOnly(field) && { readOnly: true }),
    ...(isWriteOnly(field) && { writeOnly: true }),
    ...(options.unique && { 'x-unique': options.unique }),
    ...(options.fixed && { 'x-fixed': true }),
    // Left out for callers who may not read it.
    ...(options.readable !== undefined && { 'x-restricted': true }),
    ...(field.target && { 'x-relation': relationMark(field) }),
  }
}
