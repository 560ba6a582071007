// The shapes that the documents of all resources share.

import type { JsonSchema } from '../../model/json.ts'
import { referenceSchema } from '../json-schema.ts'
import { type JsonObject, ref } from './document.ts'

const wordMatch: JsonObject = {
  pk: { type: 'string' },
  score: { type: 'integer', description: 'In millionths.' },
  snippet: { type: ['string', 'null'], description: 'The part of a text that has the words.' },
  marks: {
    type: 'array',
    items: { type: 'integer', xml: { name: 'mark' } },
    description: 'Where found words begin and end in the snippet, in turn.',
  },
}

const address: JsonSchema = { type: 'string', format: 'uri-reference' }
const count: JsonSchema = { type: ['integer', 'null'], minimum: 0 }
const identifier: JsonSchema = {
  type: 'object',
  properties: { type: { type: 'string' }, id: { type: 'string' }, meta: { type: 'object' } },
  required: ['type', 'id'],
}
const identifiers: JsonSchema = { type: 'array', items: ref('schemas', 'ResourceIdentifier') }
const identifierOrNull: JsonSchema = { anyOf: [ref('schemas', 'ResourceIdentifier'), { type: 'null' }] }
const relationshipLinks: JsonSchema = { type: 'object', properties: { self: address, related: address } }

const plainSchemas: JsonObject = {
  Reference: { description: 'A related record: its identifier, or an object with `pk` or `id`.', ...referenceSchema },
  Link: {
    type: 'object',
    properties: {
      rel: { type: 'string', xml: { attribute: true } },
      href: { ...address, xml: { attribute: true } },
    },
    required: ['rel', 'href'],
    xml: { name: 'link' },
  },
  Links: {
    description: 'Only the links that can be followed.',
    type: 'array',
    items: ref('schemas', 'Link'),
    xml: { wrapped: true },
  },
  PageInfo: {
    description:
      '`number` is null with cursor pagination, the totals are null if they were not counted. `estimated` is true if the totals are estimates.',
    type: 'object',
    properties: {
      size: { type: 'integer', minimum: 1 },
      totalElements: count,
      totalPages: count,
      number: count,
      estimated: { type: 'boolean' },
    },
    required: ['size', 'totalElements', 'totalPages', 'number'],
  },
  Matches: {
    description: 'How near each record is, and how well it matches the words of a search, in the order of the records.',
    type: 'array',
    items: {
      type: 'object',
      properties: {
        ...wordMatch,
        distance: { type: ['number', 'null'], description: 'Null where the record is not among the nearest.' },
      },
      required: ['pk', 'distance'],
      xml: { name: 'match' },
    },
    xml: { wrapped: true },
  },
  WordMatches: {
    description: 'How well each record matches the words of a search, in the order of the records.',
    type: 'array',
    items: {
      type: 'object',
      properties: wordMatch,
      required: ['pk', 'score', 'snippet', 'marks'],
      xml: { name: 'match' },
    },
    xml: { wrapped: true },
  },
  HalLink: {
    type: 'object',
    properties: {
      href: { type: 'string', description: 'An address; with `templated`, a URI template (RFC 6570).' },
      templated: { type: 'boolean' },
      type: { type: 'string', description: 'The media type of the target, if it is not HAL.' },
    },
    required: ['href'],
  },
  HalLinks: {
    description: 'Links by relation.',
    type: 'object',
    properties: { self: ref('schemas', 'HalLink') },
    additionalProperties: ref('schemas', 'HalLink'),
  },
}

const jsonApiSchemas: JsonObject = {
  JsonApiObject: { type: 'object', properties: { version: { type: 'string' } } },
  JsonApiLinks: { description: 'Links by name.', type: 'object', additionalProperties: address },
  JsonApiPageMeta: {
    type: 'object',
    allOf: [ref('schemas', 'SearchCost')],
    properties: {
      page: ref('schemas', 'PageInfo'),
      total: count,
      matches: { anyOf: [ref('schemas', 'WordMatches'), ref('schemas', 'Matches')] },
    },
  },
  ResourceIdentifier: identifier,
  ToOneRelationship: {
    type: 'object',
    properties: { data: identifierOrNull, links: relationshipLinks, meta: { type: 'object' } },
  },
  ToManyRelationship: {
    type: 'object',
    properties: { data: identifiers, links: relationshipLinks, meta: { type: 'object' } },
  },
  ResourceObject: {
    description: 'A record of any type.',
    type: 'object',
    properties: {
      type: { type: 'string' },
      id: { type: 'string' },
      attributes: { type: 'object' },
      relationships: { type: 'object' },
      links: ref('schemas', 'JsonApiLinks'),
      meta: { type: 'object' },
    },
    required: ['type', 'id'],
  },
  ToOneLinkage: { type: 'object', properties: { data: identifierOrNull }, required: ['data'] },
  ToManyLinkage: { type: 'object', properties: { data: identifiers }, required: ['data'] },
}

const documentSchemas: JsonObject = {
  SearchCost: {
    description:
      'With `explain=cost`: the estimated cost of a search, its SQL statements and their query plans. The page is empty.',
    type: 'object',
    properties: {
      cost: { type: 'number', minimum: 0 },
      budget: { type: 'number', description: 'The query budget of the caller.' },
      records: { type: 'integer', description: 'The approximate number of records in the table.' },
      parts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            part: {
              type: 'string',
              enum: ['records', 'words', 'scan', 'filter', 'permissions', 'sort', 'offset', 'total', 'include'],
            },
            parameter: { type: ['string', 'null'] },
            member: { type: ['string', 'null'] },
            cost: { type: 'number', minimum: 0 },
            does: { type: 'string' },
            cheaper: { type: 'string' },
          },
          required: ['part', 'cost', 'does', 'cheaper'],
        },
      },
      statements: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            purpose: { type: 'string', enum: ['page', 'total'] },
            sql: { type: 'string' },
            values: { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } },
            plan: { type: 'array', items: { type: 'string' } },
          },
          required: ['purpose', 'sql', 'values', 'plan'],
        },
      },
    },
  },
  JsonSchemaDocument: {
    description: 'A JSON Schema (draft 2020-12) of the records as the caller may see them.',
    type: 'object',
    properties: {
      $schema: { type: 'string', format: 'uri' },
      $id: { type: 'string' },
      title: { type: 'string' },
      description: { type: 'string' },
      type: { type: 'string' },
      properties: { type: 'object' },
      required: { type: 'array', items: { type: 'string' } },
    },
    required: ['$schema', '$id', 'type', 'properties'],
    // Any other keyword of JSON Schema, and `x-relations`.
    additionalProperties: true,
  },
  UiSchemaDocument: {
    description: 'Describes lists and forms for clients.',
    type: 'object',
    properties: {
      pathFragment: { type: 'string' },
      superPathFragment: { type: 'string' },
      title: { type: 'string' },
      about: { type: 'string' },
      label: { type: ['string', 'null'], description: 'The field that is the display name of a record.' },
      quickSearch: {
        type: 'array',
        items: { type: 'string' },
        description: 'The fields that a quick search looks in, each by a filter.',
      },
      searchedByWords: {
        type: 'array',
        items: { type: 'string' },
        description: 'The fields that `search` looks in; absent where records have no full-text search.',
      },
      createForm: { type: 'boolean', description: 'Whether clients offer a form for new records.' },
      defaultSort: { type: 'string' },
      identifier: { type: 'string', enum: ['generated', 'assigned', 'shared', 'composite', 'hashed'] },
      rights: { type: 'object', additionalProperties: { type: 'boolean' } },
      fields: { type: 'object', additionalProperties: { type: 'object' } },
      useCases: {
        type: 'object',
        additionalProperties: {
          type: 'array',
          items: { type: 'object', properties: { field: { type: 'string' } }, required: ['field'] },
        },
      },
    },
    required: ['pathFragment', 'fields', 'useCases'],
  },
}

export const sharedSchemas: JsonObject = { ...plainSchemas, ...jsonApiSchemas, ...documentSchemas }
