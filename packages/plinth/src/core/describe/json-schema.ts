// The JSON Schema (draft 2020-12) of one record as JSON shows it.

import type { JsonSchema } from '../model/json.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { View } from '../model/view.ts'
import { inLanguage } from '../model/words.ts'
import {
  annotations,
  defaultOf,
  describedValue,
  isEmbedded,
  isNullable,
  isReadOnly,
  memberSchema,
  nullable,
  outOfViewOf,
  pkSchema,
  relationMark,
} from './member-schema.ts'
import { anyOne, singularTitle } from './names.ts'

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

/** The members that a record carries, in order, with `id` where the resource also shows its pk by that name. */
export const propertiesOf = (
  resource: Resource,
  members: Iterable<Member>,
  language: string,
): Record<string, JsonSchema> => {
  const properties: Record<string, JsonSchema> = {}
  for (const member of members) {
    if (!isEmbedded(member)) continue
    properties[member.name] = memberSchema(member, language)
    if (member === resource.pk && resource.definition.showsId) {
      properties.id = { title: 'Identifier, again', ...pkSchema(resource), readOnly: true }
    }
  }
  return properties
}

const relationsOf = (view: View, language: string): Record<string, JsonSchema> => {
  const relations: Record<string, JsonSchema> = {}
  for (const member of view.members.values()) {
    if (!isEmbedded(member)) relations[member.name] = { ...annotations(member, language), ...relationMark(member) }
  }
  return relations
}

/**
 * `required` names what a record cannot be without and a caller gives, so that the schema fits a record about to be
 * created as well as one that was read.
 */
const isRequired = (member: Member): boolean =>
  isEmbedded(member) && member.field.options.required === true && !isNullable(member) && !isReadOnly(member)

export interface SchemaOptions {
  readonly id: string
  /** Of titles and descriptions; by default English. */
  readonly language?: string
}

export const toJsonSchema = (view: View, { id, language = 'en' }: SchemaOptions): JsonSchema => {
  const { resource } = view
  const visible = [...view.members.values()]
  const relations = relationsOf(view, language)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: singularTitle(resource, language),
    description: inLanguage(resource.definition.about, language),
    type: 'object',
    properties: { ...propertiesOf(resource, [...visible, ...outOfViewOf(resource)], language), links: linksSchema },
    required: visible.filter(isRequired).map(member => member.name),
    ...(Object.keys(relations).length > 0 && { 'x-relations': relations }),
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

/** The members that a body may give, in order; `pk` and `version` are not among them. */
export const writableMembers = (resource: Resource, mode: InputMode): Member[] =>
  [...resource.members.values()].filter(
    member =>
      member !== resource.pk &&
      !isReadOnly(member) &&
      member.field.role !== 'inverse' &&
      !(mode === 'patch' && member.field.options.fixed),
  )

/** Must the body give it? Replacing keeps relations and write-only members that are not sent. */
export const isNeeded = (member: Member, mode: InputMode): boolean => {
  const { role, options } = member.field
  if (mode === 'patch' || !options.required || options.default !== undefined) return false
  return mode === 'create' || (role === 'value' && !options.writeOnly)
}

/** In words: generators of typed clients take the keyword `default` for a promise that the member is there. */
const defaultNote = (member: Member, language: string): JsonSchema => {
  const fallback = defaultOf(member)
  if (fallback === undefined) return {}
  const { about } = member.field.options
  const note = `Default: ${JSON.stringify(fallback)}.`
  return { description: about === undefined ? note : `${inLanguage(about, language)} ${note}` }
}

export interface InputOptions {
  readonly mode: InputMode
  /** Of titles and descriptions. */
  readonly language: string
  /** The schema that stands for a related record. */
  readonly reference?: JsonSchema
}

/** A member as a body gives it. */
export const inputMember = (member: Member, options: InputOptions): JsonSchema => {
  const { mode, language, reference = referenceSchema } = options
  const { field } = member
  const bare: JsonSchema =
    field.role === 'value'
      ? describedValue(field, language)
      : field.role === 'links'
        ? { type: 'array', items: reference }
        : reference
  // Null is ignored by a plain patch and clears in a merge patch (RFC 7396), so a patch may send it for any member.
  const takesNull = mode === 'patch' || isNullable(member)
  return {
    ...annotations(member, language),
    ...(mode !== 'patch' && defaultNote(member, language)),
    ...(takesNull ? nullable(bare) : bare),
    ...(field.options.writeOnly && { writeOnly: true }),
    ...(member.target && { 'x-relation': relationMark(member) }),
  }
}

const verbs = { create: 'creates', replace: 'replaces', patch: 'changes' } as const

export const toInputSchema = (resource: Resource, options: InputOptions): JsonSchema => {
  const { mode } = options
  const members = writableMembers(resource, mode)
  const pkIsNeeded = mode === 'create' && resource.definition.identifier.kind === 'assigned'
  const needed = members.filter(member => isNeeded(member, mode)).map(member => member.name)
  const properties: Record<string, JsonSchema> = { pk: { title: 'Identifier', ...pkSchema(resource) } }
  for (const member of members) properties[member.name] = inputMember(member, options)
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
