// What JSON:API 1.1 demands of documents, as a schema written from its text, and what no schema can say, as a function.

import Ajv from 'ajv/dist/2020.js'

/** "Member Names" and "@-Members": globally allowed characters, no more at the ends. */
const memberName = '^@?[a-zA-Z0-9\\u0080-\\uffff]([a-zA-Z0-9\\u0080-\\uffff _-]*[a-zA-Z0-9\\u0080-\\uffff])?$'

const meta = { type: 'object' }

/** "Links": a string, a link object or null. */
const link = {
  oneOf: [
    { type: 'string', minLength: 1 },
    { type: 'null' },
    {
      type: 'object',
      required: ['href'],
      properties: {
        href: { type: 'string' },
        rel: { type: 'string' },
        describedby: { $ref: '#/$defs/link' },
        title: { type: 'string' },
        type: { type: 'string' },
        hreflang: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
        meta,
      },
      additionalProperties: false,
    },
  ],
}

const linksWith = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map(name => [name, { $ref: '#/$defs/link' }])),
  additionalProperties: false,
})

const pagination = ['first', 'last', 'prev', 'next']

const identifier = {
  type: 'object',
  required: ['type'],
  anyOf: [{ required: ['id'] }, { required: ['lid'] }],
  properties: { type: { type: 'string', pattern: memberName }, id: { type: 'string' }, lid: { type: 'string' }, meta },
  additionalProperties: false,
}

/** "Resource Linkage": null, one, none or several. */
const linkage = {
  oneOf: [
    { type: 'null' },
    { $ref: '#/$defs/identifier' },
    { type: 'array', items: { $ref: '#/$defs/identifier' }, uniqueItems: true },
  ],
}

const relationship = {
  type: 'object',
  anyOf: [{ required: ['links'] }, { required: ['data'] }, { required: ['meta'] }],
  properties: {
    links: {
      ...linksWith('self', 'related', ...pagination),
      anyOf: [{ required: ['self'] }, { required: ['related'] }],
    },
    data: { $ref: '#/$defs/linkage' },
    meta,
  },
  additionalProperties: false,
}

/** "Fields": attributes and relationships share a namespace with each other and with `type` and `id`. */
const fields = { type: 'object', propertyNames: { pattern: memberName, not: { enum: ['type', 'id', 'lid'] } } }

const resource = {
  type: 'object',
  required: ['type', 'id'],
  properties: {
    type: { type: 'string', pattern: memberName },
    id: { type: 'string', minLength: 1 },
    attributes: { ...fields },
    relationships: { ...fields, additionalProperties: { $ref: '#/$defs/relationship' } },
    links: linksWith('self'),
    meta,
  },
  additionalProperties: false,
}

const error = {
  type: 'object',
  minProperties: 1,
  properties: {
    id: { type: 'string' },
    links: linksWith('about', 'type'),
    status: { type: 'string', pattern: '^[1-5][0-9]{2}$' },
    code: { type: 'string' },
    title: { type: 'string' },
    detail: { type: 'string' },
    source: {
      type: 'object',
      properties: {
        pointer: { type: 'string', pattern: '^(/([^/~]|~[01])*)*$' },
        parameter: { type: 'string' },
        header: { type: 'string' },
      },
      additionalProperties: false,
    },
    meta,
  },
  additionalProperties: false,
}

const jsonApiSchema = {
  $defs: { link, identifier, linkage, relationship, resource, error },
  type: 'object',
  anyOf: [{ required: ['data'] }, { required: ['errors'] }, { required: ['meta'] }],
  not: { required: ['data', 'errors'] },
  dependentRequired: { included: ['data'] },
  properties: {
    jsonapi: {
      type: 'object',
      properties: {
        version: { const: '1.1' },
        ext: { type: 'array', items: { type: 'string' } },
        profile: { type: 'array', items: { type: 'string' } },
        meta,
      },
      additionalProperties: false,
    },
    data: {
      oneOf: [
        { type: 'null' },
        { $ref: '#/$defs/resource' },
        { type: 'array', items: { $ref: '#/$defs/resource' }, uniqueItems: true },
      ],
    },
    included: { type: 'array', items: { $ref: '#/$defs/resource' }, uniqueItems: true },
    errors: { type: 'array', items: { $ref: '#/$defs/error' }, minItems: 1 },
    links: linksWith('self', 'related', 'describedby', ...pagination),
    meta,
  },
  additionalProperties: false,
}

const validate = new Ajv.default({ allErrors: true, strict: false }).compile(jsonApiSchema)

interface Identified {
  readonly type: string
  readonly id: string
  readonly relationships?: Record<string, { readonly data?: Identified | readonly Identified[] | null }>
}

interface Document {
  readonly data?: Identified | readonly Identified[] | null
  readonly included?: readonly Identified[]
}

const keyOf = ({ type, id }: Identified): string => `${type} ${id}`

const listOf = <T>(value: T | readonly T[] | null | undefined): readonly T[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value as T]

/** "Compound Documents": each record once, and each included one reached from the primary data. */
const compoundFaults = ({ data, included = [] }: Document): string[] => {
  const all = [...listOf(data), ...included]
  const byKey = new Map(all.map(one => [keyOf(one), one]))
  const faults = byKey.size < all.length ? ['a record stands in the document twice'] : []
  const reached = new Set(listOf(data).map(keyOf))
  for (const key of reached) {
    for (const { data: linked } of Object.values(byKey.get(key)?.relationships ?? {})) {
      for (const one of listOf(linked)) reached.add(keyOf(one))
    }
  }
  const lost = included.filter(one => !reached.has(keyOf(one)))
  return [...faults, ...lost.map(one => `${keyOf(one)} is included and not linked to`)]
}

/** Everything in which the document breaks JSON:API 1.1; nothing for a good one. */
export const jsonApiFaults = (document: unknown): string[] => {
  if (!validate(document)) return (validate.errors ?? []).map(one => `${one.instancePath} ${one.message}`)
  return compoundFaults(document as Document)
}
