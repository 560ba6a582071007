// Resource objects, documents and write documents of JSON:API 1.1.

import type { Json, JsonSchema } from '../../model/json.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { inLanguage } from '../../model/words.ts'
import { type InputMode, type InputOptions, inputMember, isNeeded, writableMembers } from '../json-schema.ts'
import { isToMany, memberSchema, pkSchema, readableOf } from '../member-schema.ts'
import { severalOf, typeNameOf } from '../names.ts'
import { type JsonObject, ref } from './document.ts'
import { exampleAddress, exampleInput, exampleRecord, inputModes, inputName, withExample } from './plain-schemas.ts'

const isAttribute = (member: Member): boolean =>
  member !== member.owner.pk && (member.field.role === 'value' || member.field.role === 'count')

const schemasOf = (members: readonly Member[], schema: (member: Member) => JsonSchema): JsonObject =>
  Object.fromEntries(members.map(member => [member.name, schema(member)]))

const relationshipSchema = (member: Member): JsonSchema =>
  ref('schemas', isToMany(member) ? 'ToManyRelationship' : 'ToOneRelationship')

const resourceSchema = (resource: Resource, language: string): JsonSchema => {
  const members = readableOf(resource)
  const relations = members.filter(member => member.target)
  return {
    description: inLanguage(resource.definition.about, language),
    type: 'object',
    properties: {
      type: { const: resource.name },
      id: pkSchema(resource),
      attributes: {
        type: 'object',
        properties: schemasOf(members.filter(isAttribute), member => memberSchema(member, language)),
      },
      ...(relations.length > 0 && {
        relationships: { type: 'object', properties: schemasOf(relations, relationshipSchema) },
      }),
      links: ref('schemas', 'JsonApiLinks'),
      meta: { type: 'object' },
    },
    required: ['type', 'id'],
  }
}

const documentSchema = (data: JsonSchema, meta: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    jsonapi: ref('schemas', 'JsonApiObject'),
    data,
    included: { type: 'array', items: ref('schemas', 'ResourceObject') },
    links: ref('schemas', 'JsonApiLinks'),
    meta,
  },
  required: ['data'],
})

const asIdentifier = (target: Resource, pk: Json): Json => ({ type: target.name, id: pk })

/** Members as JSON shows or sends them → attributes and relationships. */
const toResourceExample = (resource: Resource, example: JsonObject): JsonObject => {
  const attributes: Record<string, Json> = {}
  const relationships: Record<string, Json> = {}
  const pkOf = (value: Json): Json =>
    (typeof value === 'object' && value !== null ? (value as JsonObject).pk : value) ?? null
  for (const [name, value] of Object.entries(example)) {
    const member = resource.members.get(name)
    if (!member || member === resource.pk) continue
    const { target } = member
    if (!target) attributes[name] = value
    else {
      const data = Array.isArray(value)
        ? value.map(one => asIdentifier(target, pkOf(one)))
        : asIdentifier(target, pkOf(value))
      relationships[name] = { data }
    }
  }
  return {
    type: resource.name,
    ...(example.pk !== undefined && { id: example.pk }),
    attributes,
    ...(Object.keys(relationships).length > 0 && { relationships }),
  }
}

const inputDocument = (resource: Resource, { mode, language }: InputOptions): JsonSchema => {
  const members = writableMembers(resource, mode)
  const attributes = members.filter(isAttribute)
  const relations = members.filter(member => member.target)
  const needed = (some: readonly Member[]) => some.filter(member => isNeeded(member, mode)).map(member => member.name)
  const part = (some: readonly Member[], schema: (member: Member) => JsonSchema): JsonSchema => ({
    type: 'object',
    properties: schemasOf(some, schema),
    ...(needed(some).length > 0 && { required: needed(some) }),
  })
  const idIsNeeded = mode !== 'create' || resource.definition.identifier.kind === 'assigned'
  return {
    type: 'object',
    properties: {
      data: {
        type: 'object',
        properties: {
          type: { const: resource.name },
          id: pkSchema(resource),
          attributes: part(attributes, member => inputMember(member, { mode, language })),
          ...(relations.length > 0 && { relationships: part(relations, relationshipSchema) }),
        },
        required: [
          'type',
          ...(idIsNeeded ? ['id'] : []),
          ...(needed(attributes).length > 0 ? ['attributes'] : []),
          ...(needed(relations).length > 0 ? ['relationships'] : []),
        ],
      },
    },
    required: ['data'],
  }
}

const inputDocuments = (resource: Resource, language: string): JsonObject => {
  const pk = exampleRecord(resource)?.pk
  const exampleOf = (mode: InputMode): Json | undefined => {
    const input = exampleInput(resource, mode)
    if (!input || (mode !== 'create' && pk === undefined)) return undefined
    const members: JsonObject = mode === 'create' || pk === undefined ? input : { pk, ...input }
    return { data: toResourceExample(resource, members) }
  }
  return Object.fromEntries(
    inputModes.map(mode => [
      `${inputName(resource, mode)}Document`,
      withExample(inputDocument(resource, { mode, language }), exampleOf(mode)),
    ]),
  )
}

export const jsonApiSchemas = (resource: Resource, language: string): JsonObject => {
  const type = typeNameOf(resource)
  const record = exampleRecord(resource)
  const example = record && {
    ...toResourceExample(resource, record),
    links: { self: exampleAddress(resource, record) },
  }
  const object = ref('schemas', `${type}Resource`)
  return {
    [`${type}Resource`]: resourceSchema(resource, language),
    [`${type}Document`]: withExample(
      documentSchema({ anyOf: [object, { type: 'null' }] }, { type: 'object' }),
      example && { jsonapi: { version: '1.1' }, data: example },
    ),
    [`${type}Collection`]: withExample(
      {
        description: `A page of ${severalOf(resource)} in JSON:API.`,
        ...documentSchema({ type: 'array', items: object }, ref('schemas', 'JsonApiPageMeta')),
      },
      example && {
        jsonapi: { version: '1.1' },
        data: [example],
        links: { self: `/api/rest/${resource.name}` },
        meta: { total: 1 },
      },
    ),
    ...inputDocuments(resource, language),
  }
}
