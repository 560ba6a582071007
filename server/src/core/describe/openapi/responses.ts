// The answers of the generic operations in their four formats, and the bodies they take.

import type { Family } from '../../model/define.ts'
import type { Json, JsonSchema } from '../../model/json.ts'
import type { Resource } from '../../model/resource.ts'
import type { InputMode } from '../input-schema.ts'
import { pkSchema } from '../member-schema.ts'
import { severalOf, typeNameOf, wordsFor } from '../names.ts'
import { type JsonObject, ref } from './document.ts'
import { headerRefs } from './parameters.ts'
import { inputName } from './plain-schemas.ts'
import { families } from './scene.ts'

const json = 'application/json'
const hal = 'application/hal+json'
export const jsonApi = 'application/vnd.api+json'
const xml = 'application/xml'

/** What is no record has no form in JSON:API. */
export const valueTypes = [json, hal, xml] as const

/** The default comes first. */
const order = { J: [json, hal, jsonApi, xml], A: [jsonApi, json, hal, xml], X: [json, xml, hal, jsonApi] } as const

type SchemaNames = { readonly [mediaType in (typeof order)['J'][number]]: string }

const contentOf = (family: Family, names: SchemaNames): JsonObject =>
  Object.fromEntries(order[family].map(mediaType => [mediaType, { schema: ref('schemas', names[mediaType]) }]))

const itemNames = (type: string): SchemaNames => ({
  [json]: type,
  [hal]: `${type}Hal`,
  [jsonApi]: `${type}Document`,
  [xml]: type,
})

const pageNames = (type: string): SchemaNames => ({
  [json]: `${type}Page`,
  [hal]: `${type}HalPage`,
  [jsonApi]: `${type}Collection`,
  [xml]: `${type}Page`,
})

/** The answers about one resource, for each default family. */
export const resourceResponses = (resource: Resource): JsonObject => {
  const type = typeNameOf(resource)
  return Object.fromEntries(
    families.flatMap(family => [
      [
        `${type}Item${family}`,
        {
          description: `The ${wordsFor(resource)}.`,
          headers: headerRefs('ETag', 'Vary'),
          content: contentOf(family, itemNames(type)),
        },
      ],
      [
        `${type}Created${family}`,
        {
          description: `The new ${wordsFor(resource)}. \`Prefer: return=minimal\` leaves out the body.`,
          headers: headerRefs('Location', 'ETag', 'Vary', 'Preference-Applied'),
          content: contentOf(family, itemNames(type)),
        },
      ],
      [
        `${type}Page${family}`,
        {
          description: `The ${severalOf(resource)} found.`,
          headers: headerRefs('X-Total-Count', 'ETag', 'Vary'),
          content: contentOf(family, pageNames(type)),
        },
      ],
    ]),
  )
}

export const answer = (resource: Resource, kind: 'Item' | 'Created' | 'Page', family: Family): Json =>
  ref('responses', `${typeNameOf(resource)}${kind}${family}`)

export const bareAnswer = (name: keyof typeof sharedResponses & string): Json => ref('responses', name)

export const sharedResponses = {
  Done: { description: 'Done; there is nothing to show.', headers: headerRefs('Preference-Applied') },
  Empty: { description: 'The relation is empty.' },
  NotModified: { description: 'The caller holds the present representation.', headers: headerRefs('ETag') },
  ItemHeaders: { description: 'The record exists.', headers: headerRefs('ETag', 'Vary') },
  PageHeaders: { description: 'The search can be answered.', headers: headerRefs('X-Total-Count', 'Vary') },
  Options: {
    description: 'The methods, and the cross-origin headers for the `Origin` of the request.',
    headers: headerRefs(
      'Allow',
      'Vary',
      'Access-Control-Allow-Origin',
      'Access-Control-Allow-Methods',
      'Access-Control-Allow-Headers',
      'Access-Control-Allow-Credentials',
    ),
  },
  JsonSchema: {
    description: 'The JSON Schema.',
    headers: headerRefs('ETag', 'Vary'),
    content: {
      [json]: { schema: ref('schemas', 'JsonSchemaDocument') },
      'application/schema+json': { schema: ref('schemas', 'JsonSchemaDocument') },
    },
  },
  UiSchema: {
    description: 'The UI schema.',
    headers: headerRefs('Deprecation', 'ETag', 'Vary'),
    content: { [json]: { schema: ref('schemas', 'UiSchemaDocument') } },
  },
} satisfies JsonObject

interface RecordBody {
  readonly mode: InputMode
  /** The body names the record itself, since the path does not. */
  readonly namesRecord?: boolean
}

/** A body in the formats that bodies come in; XML is not one. */
export const recordBody = (resource: Resource, { mode, namesRecord = false }: RecordBody, family: Family): Json => {
  const members = ref('schemas', inputName(resource, mode))
  const plain = { schema: namesRecord ? { allOf: [members, naming(resource)] } : members }
  const document = { schema: ref('schemas', `${inputName(resource, mode)}Document`) }
  const merge: JsonObject = mode === 'patch' ? { 'application/merge-patch+json': plain } : {}
  const content: JsonObject =
    family === 'A'
      ? { [jsonApi]: document, [json]: plain, [hal]: plain, ...merge }
      : { [json]: plain, [hal]: plain, [jsonApi]: document, ...merge }
  return { required: true, content }
}

/** `pk` or `id`; documents of JSON:API carry the identifier anyway. */
const naming = (resource: Resource): JsonSchema => ({
  anyOf: ['pk', 'id'].map(name => ({
    type: 'object',
    properties: { [name]: pkSchema(resource) },
    required: [name],
  })),
})
