// The JSON Schema (draft 2020-12) of one record as JSON shows it.

import type { JsonSchema } from '../model/json.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { View } from '../model/view.ts'
import { inLanguage } from '../model/words.ts'
import {
  annotations,
  isEmbedded,
  isNullable,
  isReadOnly,
  memberSchema,
  outOfViewOf,
  pkSchema,
  relationMark,
} from './member-schema.ts'
import { singularTitle } from './names.ts'

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
  const shown = [...view.members.values()]
  const relations = relationsOf(view, language)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: singularTitle(resource, language),
    description: inLanguage(resource.definition.about, language),
    type: 'object',
    properties: { ...propertiesOf(resource, [...shown, ...outOfViewOf(resource)], language), links: linksSchema },
    required: shown.filter(isRequired).map(member => member.name),
    ...(Object.keys(relations).length > 0 && { 'x-relations': relations }),
  }
}
