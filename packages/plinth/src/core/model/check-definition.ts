// What can be wrong with a definition: with a field by itself, and with a resource.

import { ruleNames } from './access-rules.ts'
import type { ResourceOptions } from './define.ts'
import { type DefinitionFault, didYouMean } from './definition-error.ts'
import type { Field, ToOneField } from './field.ts'
import type { FieldOptions, OptionNames } from './field-options.ts'
import type { JsonSchema } from './json.ts'
import { sameValue } from './record.ts'
import type { Resource } from './resource.ts'
import { deletionMembers } from './trash.ts'
import { ValueFault } from './value-fault.ts'
import { shown, type ValueField } from './value-field.ts'

// Fields: unknown options, limits and defaults that contradict each other

export const fieldFaults = (field: Field): readonly string[] => [
  ...unknownOptions(field),
  ...(field.role === 'value' ? valueFaults(field) : []),
  ...(field.role === 'one' ? referenceFaults(field) : []),
]

const unknownOptions = ({ options, optionNames }: Field): string[] => {
  const known = Object.keys(optionNames)
  return Object.keys(options)
    .filter(name => !known.includes(name))
    .map(name => `unknown option '${name}'${didYouMean(known, name) || `; the options are ${known.join(', ')}`}`)
}

const valueFaults = (field: ValueField): string[] => [
  ...limitFaults(field.type.schema),
  ...defaultFaults(field),
  ...Object.entries(field.type.parts ?? {}).flatMap(([name, part]) =>
    fieldFaults(part).map(message => `part '${name}': ${message}`),
  ),
]

const limits = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
] as const

/** The schema holds the limits in force: given ones and defaults, such as the length of a text. */
const limitFaults = (schema: JsonSchema): string[] => {
  const items = schema.items
  const own = limits.flatMap(([low, high]) => {
    const [min, max] = [schema[low], schema[high]]
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return []
    return [`min ${min} is greater than max ${max}, so no value is valid; swap or correct them`]
  })
  return typeof items === 'object' && items !== null && !Array.isArray(items)
    ? [...own, ...limitFaults(items as JsonSchema)]
    : own
}

/** Defaults are stored as they are, so each must be what reading the same value from a caller would store. */
const defaultFaults = ({ type, options }: ValueField): string[] => {
  const given = options.default
  if (type.defaultFault !== undefined) return [type.defaultFault]
  if (given === undefined || typeof given === 'function') return []
  const written = type.column === 'integer' && typeof given === 'number' ? shown(type, given) : given
  const fault = (why: string) => [`default ${JSON.stringify(written).slice(0, 80)} ${why}`]
  if (given === null) return fault('is the same as no default; leave it out')
  if (type.column === 'integer' && !Number.isSafeInteger(given)) return fault('must be a whole number')
  try {
    const read = type.read(shown(type, given))
    return sameValue(read, given) ? [] : fault(`must be given as it is stored: ${JSON.stringify(read)}`)
  } catch (error) {
    if (!(error instanceof ValueFault)) return fault(`cannot be a value of type ${type.name}`)
    return fault(error.message)
  }
}

const referenceFaults = ({ onDelete, options }: ToOneField): string[] => [
  ...(options.required && onDelete === 'clear'
    ? ["required and onDelete 'clear' contradict each other; use 'refuse' or 'cascade', or make the field optional"]
    : []),
  ...(isTextOrNothing(options.default) ? [] : [`default ${JSON.stringify(options.default)} must be a pk`]),
]

const isTextOrNothing = (value: FieldOptions['default']): boolean =>
  value === undefined || typeof value === 'string' || typeof value === 'function'

// Resources, once the relations of all are resolved

/** Who answers at `/api/rest/<name>` already, by name. */
export type ReservedNames = ReadonlyMap<string, string>

export const resourceFaults = (resource: Resource, reserved: ReservedNames): readonly DefinitionFault[] => {
  const { name, definition } = resource
  const at = (message: string): DefinitionFault => ({ resource: name, message })
  return [
    ...nameFaults(resource, reserved).map(at),
    ...unknownNames(Object.keys(definition), optionNames, 'option').map(at),
    ...unknownNames(Object.keys(definition.access), ruleNames, 'operation in access').map(at),
    ...Object.entries(definition.fields).flatMap(([field, declared]) =>
      [...memberNameFaults(resource, field), ...fieldFaults(declared)].map(message => ({
        resource: name,
        field,
        message,
      })),
    ),
    ...labelFaults(resource).map(at),
    ...trashFaults(resource).map(at),
    ...mentionedFields(resource).map(at),
  ]
}

const ownOptions: OptionNames<ResourceOptions<Record<string, Field>>> = {
  about: true,
  title: true,
  singularTitle: true,
  singular: true,
  label: true,
  identifier: true,
  fields: true,
  access: true,
  hooks: true,
  stamps: true,
  createForm: true,
  showsId: true,
  history: true,
  trash: true,
  uniqueTogether: true,
  indexes: true,
  renamedFrom: true,
  internal: true,
  inPerson: true,
  backup: true,
  storedIn: true,
  eventFields: true,
  cors: true,
  families: true,
}

const optionNames = ['name', 'variantOf', ...Object.keys(ownOptions)]

const unknownNames = (given: readonly string[], known: readonly string[], what: string): string[] =>
  given
    .filter(name => !known.includes(name))
    .map(name => `unknown ${what} '${name}'${didYouMean(known, name) || `; known are ${known.join(', ')}`}`)

const camelCase = /^[a-z][A-Za-z0-9]*$/

const notCamelCase = 'the name must be camelCase: a small letter, then letters and digits'

const nameFaults = ({ name, definition }: Resource, reserved: ReservedNames): string[] => {
  const holder = definition.internal ? undefined : reserved.get(name)
  return [
    ...(camelCase.test(name) ? [] : [notCamelCase]),
    ...(holder ? [`the name is reserved: ${holder} answers at /api/rest/${name}; choose another name`] : []),
  ]
}

/** Every record has these, whatever its definition says. */
const ofEveryRecord = ['pk', 'version', 'createdDate', 'lastModifiedDate']
const ofPeople = ['createdBy', 'lastModifiedBy']
/** Words that mean something else in addresses and documents. A table without routes has neither. */
const ofDocuments = ['id', 'links', 'type', 'jsonschema', 'uischema', 'relationships', 'files', 'csv']

const memberNameFaults = ({ definition }: Resource, name: string): string[] => {
  if (!camelCase.test(name)) return [notCamelCase]
  const owned: readonly string[] = [
    ...ofEveryRecord,
    ...(definition.stamps === 'people' ? ofPeople : []),
    ...(definition.trash ? deletionMembers : []),
  ]
  const another = `choose another name, such as '${definition.singular}${name.charAt(0).toUpperCase()}${name.slice(1)}'`
  if (owned.includes(name)) return [`the name is reserved: the service keeps this field in every record; ${another}`]
  if (definition.internal || !ofDocuments.includes(name)) return []
  return [`the name is reserved: it has a meaning of its own in addresses or documents; ${another}`]
}

const trashFaults = ({ definition: { trash, storedIn } }: Resource): string[] =>
  trash && storedIn
    ? [`'trash' belongs to ${storedIn.resource}, which holds the records; set it there and remove it here`]
    : []

const labelFaults = ({ definition, members, label }: Resource): string[] => {
  if (!definition.label) return []
  if (!label) return [`label '${definition.label}' is not a field${didYouMean(members.keys(), definition.label)}`]
  if (label.field.role !== 'value' || label.field.type.column !== 'text')
    return [`label '${label.name}' must be a text field`]
  // A label is shown wherever a record is referred to, whatever the caller may read of the record itself.
  if (label.field.options.readable || label.field.options.writeOnly)
    return [
      `label '${label.name}' must not be hidden from anyone; remove readable and writeOnly, or choose another label`,
    ]
  return []
}

interface FieldMention {
  readonly name: string
  /** Where the definition names the field. */
  readonly as: string
  readonly must: string
  readonly fits: (field: Field) => boolean
}

const reference: Pick<FieldMention, 'must' | 'fits'> = { must: 'a reference', fits: field => field.role === 'one' }
const column: Pick<FieldMention, 'must' | 'fits'> = {
  must: 'a value or a reference',
  fits: field => field.role === 'value' || field.role === 'one',
}
const requiredText: Pick<FieldMention, 'must' | 'fits'> = {
  must: 'a required text',
  fits: field => field.role === 'value' && field.type.column === 'text' && field.options.required === true,
}
const inverse: Pick<FieldMention, 'must' | 'fits'> = { must: 'a `many` field', fits: field => field.role === 'inverse' }

const mentionsIn = ({ definition, members }: Resource): FieldMention[] => {
  const { identifier, uniqueTogether = [], indexes = [], cors } = definition
  return [
    ...(identifier.kind === 'shared' ? [{ name: identifier.by, as: 'shared identifier', ...reference }] : []),
    ...(identifier.kind === 'composite'
      ? identifier.by.map(name => ({ name, as: 'composite identifier', ...reference }))
      : []),
    ...(identifier.kind === 'hashed' ? [{ name: identifier.of, as: 'hashed identifier', ...requiredText }] : []),
    ...[...uniqueTogether, ...indexes].flat().map(name => ({ name, as: 'index on', ...column })),
    ...[...members.values()].flatMap(({ name, field }) =>
      field.role === 'count' ? [{ name: field.relation, as: `count in ${name} over`, ...inverse }] : [],
    ),
    ...(cors?.originsMember ? [{ name: cors.originsMember, as: 'origins in', ...column }] : []),
  ]
}

const mentionedFields = (resource: Resource): string[] =>
  mentionsIn(resource).flatMap(({ name, as, must, fits }) => {
    const found = resource.members.get(name)
    if (!found) return [`${as} '${name}', which is not a field${didYouMean(resource.members.keys(), name)}`]
    return fits(found.field) ? [] : [`${as} '${name}', which must be ${must}`]
  })
