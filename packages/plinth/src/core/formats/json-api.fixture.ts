// The structural rules of JSON:API 1.1 as a schema and a check, for the tests of that format.

import { Ajv2020 } from 'ajv/dist/2020.js'

const name = '^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?$'

const links = (...allowed: string[]) => ({
  type: 'object',
  propertyNames: { enum: allowed },
  additionalProperties: { type: 'string', pattern: '^http' },
})

const schema = {
  $defs: {
    identifier: {
      type: 'object',
      required: ['type', 'id'],
      properties: { type: { type: 'string', pattern: name }, id: { type: 'string' } },
      additionalProperties: false,
    },
    relationship: {
      type: 'object',
      minProperties: 1,
      properties: {
        data: {
          anyOf: [
            { type: 'null' },
            { $ref: '#/$defs/identifier' },
            { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/identifier' } },
          ],
        },
        links: { ...links('self', 'related'), minProperties: 1 },
      },
      additionalProperties: false,
    },
    resource: {
      type: 'object',
      required: ['type', 'id'],
      properties: {
        type: { type: 'string', pattern: name },
        id: { type: 'string' },
        attributes: {
          type: 'object',
          propertyNames: { pattern: name, not: { enum: ['id', 'type', 'pk'] } },
        },
        relationships: {
          type: 'object',
          propertyNames: { pattern: name, not: { enum: ['id', 'type'] } },
          additionalProperties: { $ref: '#/$defs/relationship' },
        },
        links: links('self'),
      },
      additionalProperties: false,
    },
  },
  type: 'object',
  required: ['jsonapi', 'data'],
  properties: {
    jsonapi: { const: { version: '1.1' } },
    data: {
      anyOf: [{ type: 'null' }, { $ref: '#/$defs/resource' }, { type: 'array', items: { $ref: '#/$defs/resource' } }],
    },
    included: { type: 'array', items: { $ref: '#/$defs/resource' } },
    links: links('self', 'first', 'prev', 'next', 'last'),
    meta: { type: 'object' },
  },
  additionalProperties: false,
}

const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema)

interface Identifier {
  readonly type: string
  readonly id: string
}

export interface ResourceObject extends Identifier {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<
    Record<string, { readonly data?: Identifier | readonly Identifier[] | null; readonly links: unknown }>
  >
  readonly links: { readonly self: string }
}

export interface Document {
  readonly data: ResourceObject
  readonly included?: readonly ResourceObject[]
  readonly links: Readonly<Record<string, string>>
  readonly meta?: Readonly<Record<string, unknown>>
}

export type ListDocument = Omit<Document, 'data'> & { readonly data: readonly ResourceObject[] }

const keyOf = ({ type, id }: Identifier): string => `${type} ${id}`

const toList = <T>(data: T | readonly T[] | null | undefined): readonly T[] =>
  data === null || data === undefined ? [] : Array.isArray(data) ? data : [data as T]

/** Everything in a document that breaks the rules; nothing when it is right. */
export const faultsIn = (text: string): string[] => {
  const document = JSON.parse(text) as { data: ResourceObject | ResourceObject[] | null; included?: ResourceObject[] }
  const faults = validate(document) ? [] : (validate.errors ?? []).map(one => `${one.instancePath} ${one.message}`)
  const primary = toList<ResourceObject>(document.data)
  const all = new Map([...primary, ...(document.included ?? [])].map(resource => [keyOf(resource), resource]))
  if (all.size < primary.length + (document.included?.length ?? 0)) faults.push('a resource object appears twice')
  const linked = new Set(primary.map(keyOf))
  for (const key of linked) {
    for (const { data } of Object.values(all.get(key)?.relationships ?? {})) {
      for (const identifier of toList<Identifier>(data)) linked.add(keyOf(identifier))
    }
  }
  for (const key of all.keys()) if (!linked.has(key)) faults.push(`nothing leads to ${key}`)
  for (const resource of all.values()) {
    for (const relation of Object.keys(resource.relationships ?? {})) {
      if (relation in resource.attributes) faults.push(`${relation} is both an attribute and a relation`)
    }
  }
  return faults
}
