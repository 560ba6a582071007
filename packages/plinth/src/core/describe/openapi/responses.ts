// The answers of the generic operations in every format, and the bodies they take.

import type { DescribedFormat, FormatSchemas } from '../../model/description.ts'
import type { Family } from '../../model/family.ts'
import { fileFieldsOf } from '../../model/file-fields.ts'
import type { Json, JsonSchema } from '../../model/json.ts'
import type { Resource } from '../../model/resource.ts'
import { pkSchema } from '../field-schema.ts'
import type { InputMode } from '../json-schema.ts'
import { severalOf, typeNameOf, wordsFor } from '../names.ts'
import { type JsonObject, ref } from './document.ts'
import { inputName } from './plain-schemas.ts'
import { headerRefs } from './response-headers.ts'
import { families } from './scene.ts'

const json = 'application/json'

/** The default of the family comes first. */
const inOrder = (formats: readonly DescribedFormat[], family: Family): readonly DescribedFormat[] => {
  // JSON stands for the families that it belongs to.
  const first = formats.find(format => format.family === (family === 'jsonApi' ? 'jsonApi' : 'json'))
  return first ? [first, ...formats.filter(format => format !== first)] : formats
}

type SchemaName = (schemas: FormatSchemas) => string

export const schemaOf = ({ schemas }: DescribedFormat, nameOf: SchemaName): JsonSchema =>
  schemas ? (ref('schemas', nameOf(schemas)) as JsonSchema) : { type: 'string' }

const contentOf = (formats: readonly DescribedFormat[], nameOf: SchemaName): JsonObject =>
  Object.fromEntries(formats.map(format => [format.mediaType, { schema: schemaOf(format, nameOf) }]))

/** A page may tell what its search costs: beside its fields, or in a place that its format has for that. */
const pageContent = (formats: readonly DescribedFormat[], type: string): JsonObject =>
  Object.fromEntries(
    formats.map(format => {
      const schema = schemaOf(format, schemas => schemas.page(type))
      const isBeside = format.schemas !== undefined && !format.schemas.hasMeta
      return [format.mediaType, { schema: isBeside ? { allOf: [schema, ref('schemas', 'SearchCost')] } : schema }]
    }),
  )

/** Files of all records that were found. */
export const fileContent = (types: readonly string[]): JsonObject =>
  Object.fromEntries(types.map(type => [type, { schema: { type: 'string', contentMediaType: type } }]))

export interface DescribedTypes {
  readonly formats: readonly DescribedFormat[]
  /** The media types in which searches are exported. */
  readonly fileTypes: readonly string[]
}

/** What the names of responses end with: callers may have generated code from them. */
const suffixes: Readonly<Record<Family, string>> = { json: 'J', jsonApi: 'A', xml: 'X' }

/** The answers about one resource, for each default family. */
export const resourceResponses = (resource: Resource, { formats, fileTypes }: DescribedTypes): JsonObject => {
  const type = typeNameOf(resource)
  const pages = (family: Family) => pageContent(inOrder(formats, family), type)
  const page = (family: Family) => ({
    description: `The ${severalOf(resource)} found.`,
    headers: headerRefs('X-Total-Count', 'Link', 'ETag', 'Vary'),
    content: pages(family),
  })
  const item = (family: Family) => contentOf(inOrder(formats, family), schemas => schemas.item(type))
  return Object.fromEntries(
    families.flatMap(family => [
      [
        `${type}Item${suffixes[family]}`,
        {
          description: `The ${wordsFor(resource)}.`,
          headers: headerRefs('ETag', 'Vary'),
          content: item(family),
        },
      ],
      [
        `${type}Created${suffixes[family]}`,
        {
          description: `The new ${wordsFor(resource)}. \`Prefer: return=minimal\` leaves out the body.`,
          headers: headerRefs('Location', 'ETag', 'Vary', 'Preference-Applied'),
          content: item(family),
        },
      ],
      [`${type}Page${suffixes[family]}`, page(family)],
      [
        `${type}Search${suffixes[family]}`,
        { ...page(family), content: { ...pages(family), ...fileContent(fileTypes) } },
      ],
    ]),
  )
}

export const answer = (resource: Resource, kind: 'Item' | 'Created' | 'Page' | 'Search', family: Family): Json =>
  ref('responses', `${typeNameOf(resource)}${kind}${suffixes[family]}`)

export const bareAnswer = (name: keyof typeof sharedResponses & string): Json => ref('responses', name)

export const sharedResponses = {
  Done: { description: 'Success, without content.', headers: headerRefs('ETag', 'Preference-Applied') },
  Empty: { description: 'The relation is empty.' },
  NotModified: { description: 'Not modified.', headers: headerRefs('ETag') },
  ItemHeaders: { description: 'The record exists.', headers: headerRefs('ETag', 'Vary') },
  PageHeaders: { description: 'The search is valid.', headers: headerRefs('X-Total-Count', 'Link', 'Vary') },
  Options: {
    description: 'The allowed methods, and the CORS headers for the `Origin` of the request.',
    headers: headerRefs(
      'Allow',
      'Accept-Patch',
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
    headers: headerRefs('Deprecation', 'Link', 'ETag', 'Vary'),
    content: { [json]: { schema: ref('schemas', 'UiSchemaDocument') } },
  },
} satisfies JsonObject

interface DescribedRecordBody {
  readonly mode: InputMode
  /** The body names the record itself, since the path does not. */
  readonly namesRecord?: boolean
  readonly family: Family
  readonly formats: readonly DescribedFormat[]
}

/** A body in the formats that bodies come in. */
export const recordBody = (resource: Resource, body: DescribedRecordBody): Json => {
  const { mode, namesRecord = false, family, formats } = body
  const fields = inputName(resource, mode)
  const readable = inOrder(formats, family).filter(({ read }) => read)
  const toMedia = (format: DescribedFormat): Json => {
    const schema = schemaOf(format, schemas => schemas.input(fields))
    const isPlain = format.schemas?.input(fields) === fields
    return { schema: namesRecord && isPlain ? { allOf: [schema, naming(resource)] } : schema }
  }
  const patches = mode === 'patch' ? readable.filter(({ mergePatchType }) => mergePatchType) : []
  const content: JsonObject = Object.fromEntries([
    ...readable.map(format => [format.mediaType, toMedia(format)]),
    ...patches.map(format => [format.mergePatchType, toMedia(format)]),
    ...formOf(resource, fields),
  ])
  return { required: true, content }
}

const binary: JsonSchema = { type: 'string', format: 'binary' }

/** A record and files for its fields, in a part for each. */
const formOf = (resource: Resource, input: string): readonly (readonly [string, Json])[] => {
  const files = [...fileFieldsOf(resource)].map(
    ([
      name,
      {
        limits: { most },
      },
    ]) => {
      const schema: JsonSchema = most === null ? binary : { type: 'array', items: binary, maxItems: most }
      return [name, schema] as const
    },
  )
  if (files.length === 0) return []
  const record = ref('schemas', input) as JsonSchema
  const schema: JsonSchema = { type: 'object', properties: { record, ...Object.fromEntries(files) } }
  return [['multipart/form-data', { schema, encoding: { record: { contentType: json } } }]]
}

/** `pk` or `id`; documents of JSON:API carry the identifier anyway. */
const naming = (resource: Resource): JsonSchema => ({
  anyOf: ['pk', 'id'].map(name => ({
    type: 'object',
    properties: { [name]: pkSchema(resource) },
    required: [name],
  })),
})
