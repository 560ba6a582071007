// Resource objects, documents and write documents of JSON:API 1.1.

import type { Json, JsonSchema } from '../../model/json.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { inLanguage } from '../../model/words.ts'
import { fieldSchema, isToMany, pkSchema, readableOf } from '../field-schema.ts'
import { type InputMode, type InputOptions, inputField, isNeeded, writableFields } from '../json-schema.ts'
import { severalOf, typeNameOf } from '../names.ts'
import { type JsonObject, ref } from './document.ts'
import { exampleAddress, exampleInput, exampleRecord, inputModes, inputName, withExample } from './plain-schemas.ts'

const isAttribute = (field: ResourceField): boolean =>
  field !== field.owner.pk && (field.definition.role === 'value' || field.definition.role === 'count')

const schemasOf = (fields: readonly ResourceField[], schema: (field: ResourceField) => JsonSchema): JsonObject =>
  Object.fromEntries(fields.map(field => [field.name, schema(field)]))

const relationshipSchema = (field: ResourceField): JsonSchema =>
  ref('schemas', isToMany(field) ? 'ToManyRelationship' : 'ToOneRelationship')

const resourceSchema = (resource: Resource, language: string): JsonSchema => {
  const fields = readableOf(resource)
  const relations = fields.filter(field => field.target)
  return {
    description: inLanguage(resource.definition.about, language),
    type: 'object',
    properties: {
      type: { const: resource.name },
      id: pkSchema(resource),
      attributes: {
        type: 'object',
        properties: schemasOf(fields.filter(isAttribute), field => fieldSchema(field, language)),
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
    const field = resource.fields.get(name)
    if (!field || field === resource.pk) continue
    const { target } = field
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
  const fields = writableFields(resource, mode)
  const attributes = fields.filter(isAttribute)
  const relations = fields.filter(field => field.target)
  const needed = (some: readonly ResourceField[]) =>
    some.filter(field => isNeeded(field, mode)).map(field => field.name)
  const part = (some: readonly ResourceField[], schema: (field: ResourceField) => JsonSchema): JsonSchema => ({
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
          attributes: part(attributes, field => inputField(field, { mode, language })),
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
