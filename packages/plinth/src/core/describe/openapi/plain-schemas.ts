// Records and pages in JSON, HAL and XML, and the bodies that write them.

import type { Json, JsonSchema } from '../../model/json.ts'
import type { Resource } from '../../model/resource.ts'
import { hasVectors } from '../../model/vector-fields.ts'
import { inLanguage } from '../../model/words.ts'
import { toExample } from '../example.ts'
import { pkSchema, readableOf, valueSchema } from '../field-schema.ts'
import { type InputMode, isNeeded, propertiesOf, toInputSchema, writableFields } from '../json-schema.ts'
import { severalOf, typeNameOf } from '../names.ts'
import { type JsonObject, ref } from './document.ts'

export const inputModes = ['create', 'replace', 'patch'] as const

export const inputName = (resource: Resource, mode: InputMode): string =>
  typeNameOf(resource) + { create: 'Create', replace: 'Replace', patch: 'Patch' }[mode]

export const withExample = (schema: JsonSchema, example: Json | undefined): JsonSchema =>
  example === undefined ? schema : { ...schema, examples: [example] }

/** The schema of the fields. It promises `pk` alone: `fields` and rules on single fields leave out others. */
const fieldsSchema = (resource: Resource, language: string): JsonSchema => ({
  description: inLanguage(resource.definition.about, language),
  type: 'object',
  properties: propertiesOf(resource, readableOf(resource), language),
  required: ['pk'],
})

/** The fields of a record, as in its examples. */
export const exampleRecord = (resource: Resource): JsonObject | undefined =>
  toExample(fieldsSchema(resource, 'en')) as JsonObject | undefined

export const exampleAddress = (resource: Resource, record: JsonObject): string =>
  `/api/rest/${resource.name}/${record.pk}`

/** Pages of records that are ranked. */
const matchesOf = (resource: Resource): JsonObject => {
  if (hasVectors(resource)) return { matches: ref('schemas', 'Matches') }
  return resource.definition.search ? { matches: ref('schemas', 'WordMatches') } : {}
}

const pageInfo: JsonObject = { size: 10, totalElements: 1, totalPages: 1, number: 0 }

const jsonSchemas = (resource: Resource): JsonObject => {
  const type = typeNameOf(resource)
  const record = exampleRecord(resource)
  const links = record && [{ rel: 'self', href: exampleAddress(resource, record) }]
  const page = { rel: 'self', href: `/api/rest/${resource.name}` }
  return {
    [type]: withExample(
      {
        allOf: [ref('schemas', `${type}Members`), { type: 'object', properties: { links: ref('schemas', 'Links') } }],
        xml: { name: resource.definition.singular },
      },
      record && links && { ...record, links },
    ),
    [`${type}Page`]: withExample(
      {
        description: `A list of ${severalOf(resource)}, with \`page\` if it is paginated.`,
        type: 'object',
        properties: {
          content: { type: 'array', items: ref('schemas', type), xml: { wrapped: true } },
          page: ref('schemas', 'PageInfo'),
          ...matchesOf(resource),
          links: ref('schemas', 'Links'),
        },
        required: ['content', 'links'],
        xml: { name: resource.name },
      },
      record && links && { content: [{ ...record, links }], page: pageInfo, links: [page] },
    ),
  }
}

/** Included records, by the name of their relation. */
const oneOrMany: JsonSchema = { anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }] }

const halSchemas = (resource: Resource): JsonObject => {
  const type = typeNameOf(resource)
  const record = exampleRecord(resource)
  const hal = record && { ...record, _links: { self: { href: exampleAddress(resource, record) } } }
  const links = ref('schemas', 'HalLinks')
  return {
    [`${type}Hal`]: withExample(
      {
        allOf: [
          ref('schemas', `${type}Members`),
          {
            type: 'object',
            properties: {
              _links: links,
              _embedded: { type: 'object', additionalProperties: oneOrMany },
            },
            required: ['_links'],
          },
        ],
      },
      hal,
    ),
    [`${type}HalPage`]: withExample(
      {
        description: `A page of ${severalOf(resource)} in HAL.`,
        type: 'object',
        properties: {
          _embedded: {
            type: 'object',
            properties: { [resource.name]: { type: 'array', items: ref('schemas', `${type}Hal`) } },
            required: [resource.name],
          },
          page: ref('schemas', 'PageInfo'),
          ...matchesOf(resource),
          _links: links,
        },
        required: ['_embedded', '_links'],
      },
      hal && {
        _embedded: { [resource.name]: [hal] },
        page: pageInfo,
        _links: { self: { href: `/api/rest/${resource.name}` } },
      },
    ),
  }
}

/** What one would send: fields by name, related records by their pk. Undefined when a needed field has no example. */
export const exampleInput = (resource: Resource, mode: InputMode): JsonObject | undefined => {
  const example: Record<string, Json> = {}
  const chooses = mode === 'create' && resource.definition.identifier.kind === 'assigned'
  const pk = chooses ? toExample(pkSchema(resource), 'pk') : undefined
  if (pk !== undefined) example.pk = pk
  else if (chooses) return undefined
  for (const field of writableFields(resource, mode)) {
    const { definition, name, target } = field
    const schema = definition.role === 'value' ? valueSchema(definition) : target ? pkSchema(target) : {}
    const value = toExample(schema, name)
    if (value !== undefined) example[name] = definition.role === 'links' ? [value] : value
    else if (isNeeded(field, mode)) return undefined
    // A patch shows its point with one field.
    if (mode === 'patch' && name in example) break
  }
  return example
}

const inputSchemas = (resource: Resource, language: string): JsonObject =>
  Object.fromEntries(
    inputModes.map(mode => [
      inputName(resource, mode),
      withExample(
        toInputSchema(resource, { mode, language, reference: ref('schemas', 'Reference') }),
        exampleInput(resource, mode),
      ),
    ]),
  )

export const plainSchemas = (resource: Resource, language: string): JsonObject => ({
  [`${typeNameOf(resource)}Members`]: fieldsSchema(resource, language),
  ...jsonSchemas(resource),
  ...halSchemas(resource),
  ...inputSchemas(resource, language),
})
