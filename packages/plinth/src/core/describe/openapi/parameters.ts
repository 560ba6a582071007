// What a request may carry beside its body, and the headers of answers.

import type { Json, JsonSchema } from '../../model/json.ts'
import type { Resource } from '../../model/resource.ts'
import { pkSchema } from '../member-schema.ts'
import { titleOf, typeNameOf, wordsFor } from '../names.ts'
import { isSearchable } from '../ui-field.ts'
import { type JsonObject, ref } from './document.ts'

type Named = readonly [name: string, description: string, schema: JsonSchema, more?: JsonObject]

const toParameters = (place: 'query' | 'header', entries: Record<string, Named>): JsonObject =>
  Object.fromEntries(
    Object.entries(entries).map(([key, [name, description, schema, more]]) => [
      key,
      { name, in: place, description, schema, ...more },
    ]),
  )

const text: JsonSchema = { type: 'string' }
const pageNumber: JsonSchema = { type: 'integer', format: 'int32', minimum: 0 }
const total: JsonSchema = { type: 'string', enum: ['exact', 'estimated', 'none'] }
const identifiers: JsonSchema = { type: 'array', items: text, maxItems: 500 }

interface PageLimits {
  /** The number of the first page in `page[number]`. */
  readonly firstPage: number
  readonly maxPageSize: number
}

const searchParametersOf = ({ firstPage, maxPageSize }: PageLimits) => {
  const pageSize: JsonSchema = { type: 'integer', format: 'int32', minimum: 1, maximum: maxPageSize }
  return {
    Filter: [
      'filter',
      'RSQL: `==` `!=` `=gt=` `=ge=` `=lt=` `=le=` `=in=` `=out=` `=like=` `=ilike=` `=isnull=` `=bt=`; `;` is and, `,` is ' +
        'or; `*` in `==` is a wildcard; dotted paths lead through relations. Members given as parameters are then ' +
        'ignored. `filter[member]=value` is understood too.',
      text,
      { example: 'pk!=none' },
    ],
    Sort: [
      'sort',
      'Members in order of weight, separated by commas; a dash before one descends.',
      text,
      { example: '-pk' },
    ],
    PageNumber: ['_pn', 'The page, counted from 0.', pageNumber],
    PageSize: ['_ps', 'Records on a page, 10 unless given.', pageSize],
    After: ['_after', 'The cursor that the link `next` offers: the records after that place.', text],
    Before: ['_before', 'The cursor that the link `prev` offers: the records before that place.', text],
    Total: [
      '_total',
      'How the records are counted; `none` is the cheapest. Without it, up to a limit exactly, and beyond it by estimate.',
      total,
    ],
    Explain: [
      'explain',
      '`cost`, for administrators: answers what the search costs, as a `SearchCost`, in place of records.',
      { type: 'string', enum: ['cost'] },
    ],
    JsonApiPageNumber: ['page[number]', `The page, counted from ${firstPage}.`, { ...pageNumber, minimum: firstPage }],
    JsonApiPageSize: ['page[size]', 'As `_ps`.', pageSize],
    JsonApiPageAfter: ['page[after]', 'As `_after`.', text],
    JsonApiPageBefore: ['page[before]', 'As `_before`.', text],
    JsonApiPageTotal: ['page[total]', 'As `_total`.', total],
    JsonApiPageOffset: ['page[offset]', 'Records to leave out before the first.', pageNumber],
    JsonApiPageLimit: ['page[limit]', 'As `_ps`, with `page[offset]`.', pageSize],
  } satisfies Record<string, Named>
}

/** For their names, which depend on no setting. */
const searchParameters = searchParametersOf({ firstPage: 0, maxPageSize: 1 })

const wholeParameters = {
  Page: ['page', '`no` answers the whole collection at once.', { type: 'string', enum: ['no'] }],
  Pks: ['pks', 'Identifiers, separated by commas: answers just these records.', text],
  PksList: [
    'pks[]',
    'Identifiers, one each: answers just these records.',
    identifiers,
    { style: 'form', explode: true },
  ],
} satisfies Record<string, Named>

const shapeParameters = {
  Include: ['include', 'Relations to answer in full, separated by commas; dotted paths go deeper.', text],
  Fields: [
    'fields',
    '`fields[type]=a,b` shows only these members of records of that type; `fields=a,b` those of the type asked for.',
    { type: 'object', additionalProperties: text },
    // Without an example pages that try operations make up names of types, which are refused.
    { style: 'deepObject', explode: true, example: {} },
  ],
} satisfies Record<string, Named>

const headerParameters = {
  IfMatch: ['If-Match', 'Only if the record still has this `ETag`; otherwise 412.', text],
  IfNoneMatch: [
    'If-None-Match',
    'When reading: 304 if the record still has this `ETag`. `*`: only if there is none.',
    text,
  ],
  IdempotencyKey: [
    'Idempotency-Key',
    'Makes a repetition safe: the same key and body are answered as the first time, for 24 hours.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ],
  Prefer: [
    'Prefer',
    '`return=minimal` asks for an answer without a body: 204, or 201 with `Location` for a new record.',
    text,
    { example: 'return=minimal' },
  ],
} satisfies Record<string, Named>

export const sharedParameters = (limits: PageLimits): JsonObject => ({
  ...toParameters('query', { ...searchParametersOf(limits), ...wholeParameters, ...shapeParameters }),
  ...toParameters('header', headerParameters),
})

const pkName = (resource: Resource): string => `${typeNameOf(resource)}Pk`

export const pkParameter = (resource: Resource): JsonObject => ({
  [pkName(resource)]: {
    name: 'pk',
    in: 'path',
    required: true,
    description: `The identifier of the ${wordsFor(resource)}.`,
    schema: pkSchema(resource),
  },
})

export const pkRef = (resource: Resource): Json => ref('parameters', pkName(resource))

export type HeaderParameter = keyof typeof headerParameters

const refs = (names: readonly string[]): Json[] => names.map(name => ref('parameters', name))

export const shaping: readonly Json[] = refs(Object.keys(shapeParameters))
export const searching: readonly Json[] = [...refs(Object.keys(searchParameters)), ...shaping]
export const searchingCollection: readonly Json[] = [...searching, ...refs(Object.keys(wholeParameters))]
export const carrying = (...names: readonly HeaderParameter[]): Json[] => refs(names)

// Members as parameters

const oneOrSeveral = (value: JsonSchema): JsonSchema => ({ anyOf: [value, { type: 'array', items: value }] })

export const searchSchemas: JsonObject = {
  TextSearch: {
    description: 'Equals; of several, one of them. `*` and `%` are wildcards in text.',
    ...oneOrSeveral(text),
  },
  NumberSearch: oneOrSeveral({ type: 'number' }),
  BooleanSearch: oneOrSeveral({ type: 'boolean' }),
  TimeSearch: {
    description: 'ISO 8601 text with any offset, or milliseconds since 1970.',
    ...oneOrSeveral({ type: ['string', 'integer'] }),
  },
}

const searchSchemaOf = { integer: 'NumberSearch', boolean: 'BooleanSearch', timestamp: 'TimeSearch' } as const

const taken = new Set(
  Object.values<Named>({ ...searchParameters, ...wholeParameters, ...shapeParameters }).map(([name]) => name),
)

/** One parameter for each member that a search may name. */
export const memberParameters = ({ members }: Resource, language: string): Json[] =>
  [...members.values()]
    .filter(member => isSearchable(member) && !taken.has(member.name))
    .map(member => {
      const { field } = member
      const column = field.role === 'count' ? 'integer' : field.role === 'value' ? field.type.column : 'text'
      const schema = column in searchSchemaOf ? searchSchemaOf[column as keyof typeof searchSchemaOf] : 'TextSearch'
      return { name: member.name, in: 'query', description: titleOf(member, language), schema: ref('schemas', schema) }
    })

// Headers of answers

const header = (description: string, schema: JsonSchema = text): JsonObject => ({ description, schema })

export const headers: JsonObject = {
  ETag: header('The version of this representation, for `If-Match` and `If-None-Match`.'),
  Location: header('The address of the new record.', { type: 'string', format: 'uri-reference' }),
  'X-Total-Count': header('How many records there are, on every counted page.', { type: 'integer', minimum: 0 }),
  'Preference-Applied': header('`return=minimal` when `Prefer` asked for it.'),
  Vary: header('The request headers that the answer depends on.'),
  'WWW-Authenticate': header('How to sign in.'),
  'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 0 }),
  Allow: header('The methods of this path.'),
  Deprecation: header('The endpoint will go (RFC 9745).'),
  'Access-Control-Allow-Origin': header('The origin that may call, if any.'),
  'Access-Control-Allow-Methods': header('The methods that it may use.'),
  'Access-Control-Allow-Headers': header('The headers that it may send.'),
  'Access-Control-Allow-Credentials': header('Whether it may send cookies.', { type: 'string', enum: ['true'] }),
}

export const headerRefs = (...names: readonly (keyof typeof headers & string)[]): JsonObject =>
  Object.fromEntries(names.map(name => [name, ref('headers', name)]))
