// What a request can carry beside its body.

import type { Json, JsonSchema } from '../../model/json.ts'
import type { Resource } from '../../model/resource.ts'
import { hasVectors } from '../../model/vector-fields.ts'
import { pkSchema } from '../field-schema.ts'
import { typeNameOf, wordsFor } from '../names.ts'
import { type JsonObject, ref } from './document.ts'

export type Named = readonly [name: string, description: string, schema: JsonSchema, more?: JsonObject]

export const toParameters = (place: 'query' | 'header', entries: Record<string, Named>): JsonObject =>
  Object.fromEntries(
    Object.entries(entries).map(([key, [name, description, schema, more]]) => [
      key,
      { name, in: place, description, schema, ...more },
    ]),
  )

export const text: JsonSchema = { type: 'string' }
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
        'or; `*` in `==` is a wildcard; dotted paths follow relations. With `filter`, fields given as parameters are ' +
        'ignored. `filter[field]=value` is supported, too.',
      text,
      { example: 'pk!=none' },
    ],
    Sort: [
      'sort',
      'Fields to sort by, separated by commas. Prefix a field with `-` for descending order.',
      text,
      { example: '-pk' },
    ],
    PageNumber: ['_pn', 'The page number, starting at 0.', pageNumber],
    PageSize: ['_ps', 'Records per page; default 10.', pageSize],
    After: ['_after', 'Pagination cursor from the `next` link: returns the records after it.', text],
    Before: ['_before', 'Pagination cursor from the `prev` link: returns the records before it.', text],
    Total: [
      '_total',
      'How the records are counted; `none` is the cheapest. Without it, up to a limit exactly, and beyond it by estimate.',
      total,
    ],
    Explain: [
      'explain',
      '`cost`, for administrators: returns an empty page with the members of `SearchCost`; in JSON:API they are in `meta`.',
      { type: 'string', enum: ['cost'] },
    ],
    AsOf: [
      'asOf',
      'For resources with a history: the records as they were at this moment. Related records are the present ones.',
      { type: 'string', format: 'date-time' },
    ],
    Trash: [
      'trash',
      '`only`, for resources with a trash: the deleted records that the caller may restore, with `deletedDate` and `deletedBy`, latest first unless sorted. Their lists of related records are empty.',
      { type: 'string', enum: ['only'] },
    ],
    JsonApiPageNumber: [
      'page[number]',
      `The page number, starting at ${firstPage}.`,
      { ...pageNumber, minimum: firstPage },
    ],
    JsonApiPageSize: ['page[size]', 'As `_ps`.', pageSize],
    JsonApiPageAfter: ['page[after]', 'As `_after`.', text],
    JsonApiPageBefore: ['page[before]', 'As `_before`.', text],
    JsonApiPageTotal: ['page[total]', 'As `_total`.', total],
    JsonApiPageOffset: ['page[offset]', 'The number of records to skip.', pageNumber],
    JsonApiPageLimit: ['page[limit]', 'As `_ps`, with `page[offset]`.', pageSize],
  } satisfies Record<string, Named>
}

/** The search parameters for their names, which depend on no setting. */
export const searchParameters = searchParametersOf({ firstPage: 0, maxPageSize: 1 })

export const wholeParameters = {
  Export: [
    '_export',
    'Returns all records that match as a file, as `Accept` does with `text/csv`, `application/x-ndjson` or the type of XLSX: for links. `json`, a list of objects, is not listed here: its media type stands for a page.',
    { type: 'string', enum: ['csv', 'ndjson', 'xlsx'] },
  ],
  Mark: [
    '_bom',
    'With an export as CSV: begin the file with a byte order mark, by which Excel knows that it is UTF-8.',
    { type: 'boolean', default: false },
  ],
  Page: ['page', '`no` turns pagination off and returns the whole collection.', { type: 'string', enum: ['no'] }],
  Pks: ['pks', 'Identifiers, separated by commas: returns only these records.', text],
  PksList: [
    'pks[]',
    'Identifiers, repeatable: returns only these records.',
    identifiers,
    { style: 'form', explode: true },
  ],
} satisfies Record<string, Named>

/** The parameters of resources that are searched by words. */
const wordParameters = {
  Words: [
    'search',
    'Words that the records have, in any order and form, the best matches first unless sorted. `"…"` is a phrase, `-` excludes a word, the last word may be a beginning. A typing error is forgiven when nothing else matches. At most 300 characters and 12 words.',
    { type: 'string', maxLength: 300 },
  ],
  Similar: [
    'similar',
    'The pk of a record: those that have some of its most telling words, the most similar first unless sorted. It does not go together with `search`, `near` and `pks`.',
    { type: 'string' },
  ],
  Matches: [
    '_matches',
    'With `search`: adds `matches`, which tells of each record how well it matches, and shows the words in a text; in JSON:API they are in `meta`.',
    { type: 'boolean', default: false },
  ],
} satisfies Record<string, Named>

/** The parameters of resources that have vectors. */
const vectorParameters = {
  Near: [
    'near',
    'A vector: the nearest records come first. A list of numbers, `[0.12,-0.5]`, or the numbers as 32-bit floats in Base64, the lowest byte first. `near[field]` names the field where there are several. With `search`, both rankings are joined.',
    text,
  ],
  Distances: [
    '_matches',
    'With `near` or `search`: adds `matches`, which tells of each record how near it is and how well it matches; in JSON:API they are in `meta`.',
    { type: 'boolean', default: false },
  ],
} satisfies Record<string, Named>

export const shapeParameters = {
  Include: [
    'include',
    'Relations to include in full, separated by commas. Dotted paths include nested relations.',
    text,
  ],
  Fields: [
    'fields',
    'Sparse fieldsets: `fields[type]=a,b` returns only these fields of records of that type, `fields=a,b` those of the requested resource.',
    { type: 'object', additionalProperties: text },
    // Without an example pages that try operations make up names of types, which are refused.
    { style: 'deepObject', explode: true, example: {} },
  ],
} satisfies Record<string, Named>

const headerParameters = {
  IfMatch: ['If-Match', 'Optimistic locking: succeeds only if the record still has this `ETag`; otherwise 412.', text],
  IfNoneMatch: [
    'If-None-Match',
    'On reads: 304 if the record still has this `ETag`. `*` on writes: only if the record does not exist.',
    text,
  ],
  IdempotencyKey: [
    'Idempotency-Key',
    'Makes retries safe: a request with the same key and body gets the first response again, for 24 hours.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ],
  Prefer: [
    'Prefer',
    '`return=minimal` returns no body: 204, or 201 with `Location` for a new record.',
    text,
    { example: 'return=minimal' },
  ],
} satisfies Record<string, Named>

export const sharedParameters = (limits: PageLimits): JsonObject => ({
  ...toParameters('query', {
    ...searchParametersOf(limits),
    ...wholeParameters,
    ...wordParameters,
    ...vectorParameters,
    ...shapeParameters,
  }),
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
/** The parameters of a resource whose records are ranked; none for others. */
export const rankingParameters = (resource: Resource): readonly Json[] => {
  const isNear = hasVectors(resource)
  const isSearched = resource.definition.search !== undefined
  const similar = isSearched && !resource.fields.has('similar') ? ['Similar'] : []
  return refs([
    ...(isSearched ? ['Words'] : []),
    ...similar,
    ...(isNear ? ['Near', 'Distances'] : isSearched ? ['Matches'] : []),
  ])
}
export const carrying = (...names: readonly HeaderParameter[]): Json[] => refs(names)
