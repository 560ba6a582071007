// The JSON Schema (draft 2020-12) of one record as JSON shows it.

import type { JsonSchema } from '../model/json.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { View } from '../model/view.ts'
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
import { capitalised, wordsFor } from './names.ts'

export const linksSchema: JsonSchema = {
  title: 'Links',
  description: 'The addresses of the record itself (`self`) and of its relations.',
  type: 'array',
  readOnly: true,
  items: {
    type: 'object',
    properties: { rel: { type: 'string' }, href: { type: 'string' } },
    required: ['rel', 'href'],
  },
}

/** The members that a record carries, in order, with `id` where the resource also shows its pk by that name. */
export const propertiesOf = (resource: Resource, members: Iterable<Member>): Record<string, JsonSchema> => {
  const properties: Record<string, JsonSchema> = {}
  for (const member of members) {
    if (!isEmbedded(member)) continue
    properties[member.name] = memberSchema(member)
    if (member === resource.pk && resource.definition.showsId) {
      properties.id = { title: 'Identifier, again', ...pkSchema(resource), readOnly: true }
    }
  }
  return properties
}

const relationsOf = (view: View): Record<string, JsonSchema> => {
  const relations: Record<string, JsonSchema> = {}
  for (const member of view.members.values()) {
    if (!isEmbedded(member)) relations[member.name] = { ...annotations(member), ...relationMark(member) }
  }
  return relations
}

/**
 * `required` names what a record cannot be without and a caller gives, so that the schema fits a record about to be
 * created as well as one that was read.
 */
const isRequired = (member: Member): boolean =>
  isEmbedded(member) && member.field.options.required === true && !isNullable(member) && !isReadOnly(member)

export const toJsonSchema = (view: View, options: { readonly id: string }): JsonSchema => {
  const { resource } = view
  const shown = [...view.members.values()]
  const relations = relationsOf(view)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: options.id,
    title: capitalised(wordsFor(resource)),
    description: resource.definition.about,
    type: 'object',
    properties: { ...propertiesOf(resource, [...shown, ...outOfViewOf(resource)]), links: linksSchema },
    required: shown.filter(isRequired).map(member => member.name),
    ...(Object.keys(relations).length > 0 && { 'x-relations': relations }),
  }
}
