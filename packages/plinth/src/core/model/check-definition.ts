// What can be wrong with the definition of a resource, once the relations of all are resolved.

import { operations, ruleNames } from './access-rules.ts'
import { fieldFaults } from './check-field.ts'
import { checkFaults } from './checks.ts'
import type { ResourceDefinition, ResourceOptions } from './define.ts'
import type { OwnFiles } from './definition.ts'
import { type DefinitionFault, didYouMean } from './definition-error.ts'
import type { Field } from './field.ts'
import type { OptionNames } from './field-options.ts'
import { hookFaults } from './hook-set.ts'
import { sequenceFaults } from './number-fields.ts'
import { requirementFaults } from './recent-sign-in.ts'
import type { Resource } from './resource.ts'
import { searchFaults } from './search/check-declaration.ts'
import { sumFaults } from './total-fields.ts'
import { deletionFields } from './trash.ts'
import { vectorFaults } from './vector-fields.ts'

/** The names that are taken at `/api/rest/<name>`, with what answers there. */
export type ReservedNames = ReadonlyMap<string, string>

export const resourceFaults = (resource: Resource, reserved: ReservedNames): readonly DefinitionFault[] => {
  const { name } = resource
  const definition: ResourceDefinition = resource.definition
  const at = (message: string): DefinitionFault => ({ resource: name, message })
  return [
    ...missingOptions(definition).map(at),
    ...nameFaults(resource, reserved).map(at),
    ...unknownNames(Object.keys(definition), optionNames, 'option').map(at),
    ...hookFaults(definition.hooks, [...resource.fields.keys()]).map(at),
    ...requirementFaults(definition, [...resource.fields.keys()]).map(at),
    ...unknownNames(Object.keys(definition.access ?? {}), ruleNames, 'operation in access').map(at),
    ...Object.entries(definition.fields).flatMap(([field, declared]) =>
      [...fieldNameFaults(resource, field), ...fieldFaults(declared)].map(message => ({
        resource: name,
        field,
        message,
      })),
    ),
    ...sequenceFaults(resource).map(([field, message]) => ({ resource: name, field, message })),
    ...heldFileFaults(resource).map(([field, message]) => ({ resource: name, field, message })),
    ...labelFaults(resource).map(at),
    ...trashFaults(resource).map(at),
    ...filesFaults(resource).map(at),
    ...viewFaults(resource).map(at),
    ...sumFaults(resource.fields.values()).map(at),
    ...groupFaults(definition).map(at),
    ...searchFaults(resource).map(at),
    ...vectorFaults(resource).map(at),
    ...checkFaults(resource).map(at),
    ...mentionedFields(resource).map(at),
  ]
}

/** What the compiler demands too; without it a definition comes from JavaScript, or from a wider type. */
const missingOptions = ({ about, access }: Partial<ResourceDefinition>): string[] => [
  ...(about === undefined ? ["needs 'about': a sentence on what it is for"] : []),
  ...(access === undefined ? ["needs 'access': rules such as { read: 'caller.signedIn' }; {} allows none"] : []),
]

const groupFaults = ({ smallestGroup = 1 }: ResourceDefinition): string[] =>
  Number.isInteger(smallestGroup) && smallestGroup >= 1
    ? []
    : [`smallestGroup is ${smallestGroup}; it must be a whole number of records, 1 or more`]

const ownOptions: OptionNames<ResourceOptions<Record<string, Field>>> = {
  about: true,
  title: true,
  singularTitle: true,
  singular: true,
  label: true,
  identifier: true,
  fields: true,
  access: true,
  rules: true,
  hooks: true,
  stamps: true,
  createForm: true,
  files: true,
  showsId: true,
  history: true,
  trash: true,
  checks: true,
  uniqueTogether: true,
  indexes: true,
  smallestGroup: true,
  search: true,
  renamedFrom: true,
  internal: true,
  requires: true,
  inPerson: true,
  backup: true,
  storedIn: true,
  eventFields: true,
  cors: true,
  families: true,
}

const optionNames = ['name', 'origin', 'addedHooks', 'moduleRules', 'view', ...Object.keys(ownOptions)]

const unknownNames = (names: readonly string[], known: readonly string[], what: string): string[] =>
  names
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

const fieldNameFaults = ({ definition }: Resource, name: string): string[] => {
  if (!camelCase.test(name)) return [notCamelCase]
  const owned: readonly string[] = [
    ...ofEveryRecord,
    ...(definition.stamps === 'people' ? ofPeople : []),
    ...(definition.trash ? deletionFields : []),
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

/** Files belong to records by the name of one resource; those of a part would be out of reach in the resource that holds it. */
const heldFileFaults = ({
  definition: { storedIn },
  fields,
}: Resource): (readonly [field: string, message: string])[] =>
  storedIn
    ? [...fields.values()]
        .filter(({ definition }) => definition.role === 'value' && definition.type.file)
        .map(({ name }) => [name, `a field of files belongs to ${storedIn.resource}, which holds the records`])
    : []

const fileOptions: OptionNames<OwnFiles> = { uploadAs: true, pictures: true }

const filesFaults = ({ definition: { files, internal } }: Resource): string[] => {
  if (files === undefined) return []
  if (internal) return ["'files' needs routes, which an internal resource does not have; remove it"]
  if (files === true) return []
  const unknown = unknownNames(Object.keys(files), Object.keys(fileOptions), 'option in files')
  const { uploadAs } = files
  return uploadAs === undefined || operations.includes(uploadAs)
    ? unknown
    : [...unknown, `files.uploadAs '${uploadAs}' is not an operation${didYouMean(operations, uploadAs)}`]
}

const viewFaults = ({ definition: { view, fields } }: Resource): string[] => {
  if (!view) return []
  const names = Object.keys(fields)
  return [
    ...(view.key in fields ? [] : [`key '${view.key}' is not a field${didYouMean(names, view.key)}`]),
    ...Object.entries(fields)
      .filter(([, field]) => field.role !== 'one' && (field.role !== 'value' || field.compute || field.transient))
      .map(([name]) => `'${name}' is no column of a view; its fields are values and references`),
  ]
}

const labelFaults = ({ definition, fields, label }: Resource): string[] => {
  if (!definition.label) return []
  if (!label) return [`label '${definition.label}' is not a field${didYouMean(fields.keys(), definition.label)}`]
  if (label.definition.role !== 'value' || label.definition.type.column !== 'text')
    return [`label '${label.name}' must be a text field`]
  // A label is shown wherever a record is referred to, whatever the caller may read of the record itself.
  if (label.definition.options.readable || label.definition.options.writeOnly)
    return [
      `label '${label.name}' must not be hidden from anyone; remove readable and writeOnly, or choose another label`,
    ]
  return []
}

interface FieldMention {
  readonly name: string
  /** The place in the definition that names the field. */
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
const textColumn: Pick<FieldMention, 'must' | 'fits'> = {
  must: 'a text field, such as webLink()',
  fits: field => field.role === 'value' && field.type.column === 'text',
}
const any: Pick<FieldMention, 'must' | 'fits'> = { must: 'a field', fits: () => true }
const inverse: Pick<FieldMention, 'must' | 'fits'> = { must: 'a `many` field', fits: field => field.role === 'inverse' }

const mentionsIn = ({ definition, fields }: Resource): FieldMention[] => {
  const { identifier, uniqueTogether = [], indexes = [], cors, files } = definition
  const { pictures = [] } = files === true || files === undefined ? {} : files
  return [
    ...(identifier.kind === 'shared' ? [{ name: identifier.by, as: 'shared identifier', ...reference }] : []),
    ...(identifier.kind === 'composite'
      ? identifier.by.map(name => ({ name, as: 'composite identifier', ...reference }))
      : []),
    ...(identifier.kind === 'hashed' ? [{ name: identifier.of, as: 'hashed identifier', ...requiredText }] : []),
    ...[...uniqueTogether, ...indexes].flat().map(name => ({ name, as: 'index on', ...column })),
    ...[...fields.values()].flatMap(({ name, definition: field }) =>
      field.role === 'count' ? [{ name: field.relation, as: `count in ${name} over`, ...inverse }] : [],
    ),
    ...[...fields.values()].flatMap(({ name, definition: field }) =>
      ((field.role === 'value' && field.computedFrom) || []).map(from => ({
        name: from,
        as: `${name} computed from`,
        ...any,
      })),
    ),
    ...pictures.map(name => ({ name, as: 'picture', ...textColumn })),
    ...(cors?.originsField ? [{ name: cors.originsField, as: 'origins in', ...column }] : []),
  ]
}

const mentionedFields = (resource: Resource): string[] =>
  mentionsIn(resource).flatMap(({ name, as, must, fits }) => {
    const found = resource.fields.get(name)
    if (!found) return [`${as} '${name}', which is not a field${didYouMean(resource.fields.keys(), name)}`]
    return fits(found.definition) ? [] : [`${as} '${name}', which must be ${must}`]
  })
