// The JSON Schema (draft 2020-12) of one record as JSON shows it.

import { callerPathOf } from '../model/caller-default.ts'
import type { JsonSchema } from '../model/json.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import type { View } from '../model/view.ts'
import { inLanguage } from '../model/words.ts'
import {
  annotations,
  defaultOf,
  describedValue,
  fieldSchema,
  isEmbedded,
  isNullable,
  isReadOnly,
  nullable,
  outOfViewOf,
  pkSchema,
  relationMark,
} from './field-schema.ts'
import { anyOne, singularTitle } from './names.ts'
import { checkMarks } from './record-checks.ts'

export const linksSchema: JsonSchema = {
  title: 'Links',
  description: 'Links to the record itself (`self`) and to its relations.',
  type: 'array',
  readOnly: true,
  items: {
    type: 'object',
    properties: { rel: { type: 'string' }, href: { type: 'string' } },
    required: ['rel', 'href'],
  },
}

/** The fields that a record carries, in order, with `id` where the resource also shows its pk by that name. */
export const propertiesOf = (
  resource: Resource,
  fields: Iterable<ResourceField>,
  language: string,
): Record<string, JsonSchema> => {
  const properties: Record<string, JsonSchema> = {}
  for (const field of fields) {
    if (!isEmbedded(field)) continue
    properties[field.name] = fieldSchema(field, language)
    if (field === resource.pk && resource.definition.showsId) {
      properties.id = { title: 'Identifier, again', ...pkSchema(resource), readOnly: true }
    }
  }
  return properties
}

const relationsOf = (view: View, language: string): Record<string, JsonSchema> => {
  const relations: Record<string, JsonSchema> = {}
  for (const field of view.fields.values()) {
    if (!isEmbedded(field)) relations[field.name] = { ...annotations(field, language), ...relationMark(field) }
  }
  return relations
}

/**
 * `required` names what a record cannot be without and a caller gives, so that the schema fits a record about to be
 * created as well as one that was read.
 */
const isRequired = (field: ResourceField): boolean =>
  isEmbedded(field) && field.definition.options.required === true && !isNullable(field) && !isReadOnly(field)

export interface SchemaOptions {
  readonly id: string
  /** The language of titles and descriptions; by default English. */
  readonly language?: string
}

export const toJsonSchema = (view: View, { id, language = 'en' }: SchemaOptions): JsonSchema => {
  const { resource } = view
  const visible = [...view.fields.values()]
  const relations = relationsOf(view, language)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: singularTitle(resource, language),
    description: inLanguage(resource.definition.about, language),
    type: 'object',
    properties: { ...propertiesOf(resource, [...visible, ...outOfViewOf(resource)], language), links: linksSchema },
    required: visible.filter(isRequired).map(field => field.name),
    ...(Object.keys(relations).length > 0 && { 'x-relations': relations }),
    ...checkMarks(view, language),
  }
}

// The bodies that create, replace and patch accept.

export type InputMode = 'create' | 'replace' | 'patch'

/** How a body names a related record: by its pk, or by any object that carries it. */
export const referenceSchema: JsonSchema = {
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'object', properties: { pk: { type: 'string' } }, required: ['pk'] },
    { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  ],
}

/** The fields that a body may give, in order; `pk` and `version` are not among them. */
export const writableFields = (resource: Resource, mode: InputMode): ResourceField[] =>
  [...resource.fields.values()].filter(
    field =>
      field !== resource.pk &&
      !isReadOnly(field) &&
      field.definition.role !== 'inverse' &&
      !(mode === 'patch' && field.definition.options.fixed),
  )

/** Must the body give it? Replacing keeps relations and write-only fields that are not sent. */
export const isNeeded = (field: ResourceField, mode: InputMode): boolean => {
  const { role, options } = field.definition
  if (mode === 'patch' || !options.required || options.default !== undefined) return false
  return mode === 'create' || (role === 'value' && !options.writeOnly)
}

/**
 * The default in words: generators of typed clients take the keyword `default` for a promise that the field is there.
 */
const defaultNote = (field: ResourceField, language: string): JsonSchema => {
  const fallback = defaultOf(field)
  const path = callerPathOf(field.definition)
  if (fallback === undefined && !path) return {}
  const { description } = annotations(field, language)
  const note = path ? `Default: ${path}.` : `Default: ${JSON.stringify(fallback)}.`
  return { description: description === undefined ? note : `${description} ${note}` }
}

export interface InputOptions {
  readonly mode: InputMode
  /** The language of titles and descriptions. */
  readonly language: string
  /** The schema that stands for a related record. */
  readonly reference?: JsonSchema
}

/** A field as a body gives it. */
export const inputField = (field: ResourceField, options: InputOptions): JsonSchema => {
  const { mode, language, reference = referenceSchema } = options
  const { definition } = field
  const bare: JsonSchema =
    definition.role === 'value'
      ? describedValue(definition, language)
      : definition.role === 'links'
        ? { type: 'array', items: reference }
        : reference
  // Null is ignored by a plain patch and clears in a merge patch (RFC 7396), so a patch may send it for any field.
  const takesNull = mode === 'patch' || isNullable(field)
  return {
    ...annotations(field, language),
    ...(mode !== 'patch' && defaultNote(field, language)),
    ...(takesNull ? nullable(bare) : bare),
    ...(definition.options.writeOnly && { writeOnly: true }),
    ...(field.target && { 'x-relation': relationMark(field) }),
  }
}

const verbs = { create: 'creates', replace: 'replaces', patch: 'changes' } as const

export const toInputSchema = (resource: Resource, options: InputOptions): JsonSchema => {
  const { mode } = options
  const fields = writableFields(resource, mode)
  const pkIsNeeded = mode === 'create' && resource.definition.identifier.kind === 'assigned'
  const needed = fields.filter(field => isNeeded(field, mode)).map(field => field.name)
  const properties: Record<string, JsonSchema> = { pk: { title: 'Identifier', ...pkSchema(resource) } }
  for (const field of fields) properties[field.name] = inputField(field, options)
  if (mode !== 'create') {
    properties.version = {
      title: 'Version',
      description:
        'The version that the change is based on. If it is not the current version, the request fails with 409.',
      type: 'integer',
    }
  }
  return {
    description: `What ${verbs[mode]} ${anyOne(resource)}.`,
    type: 'object',
    properties,
    required: [...(pkIsNeeded ? ['pk'] : []), ...needed],
  }
}
