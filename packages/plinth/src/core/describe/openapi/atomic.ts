// The JSON:API atomic operations extension.

import { type JsonObject, ref } from './document.ts'
import { carrying } from './parameters.ts'
import { toProblemResponses } from './scene.ts'

const mediaType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

export const atomicTag = {
  name: 'operations',
  description: 'Atomic operations: several writes in one request, all or nothing.',
}

const target: JsonObject = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    id: { type: 'string' },
    lid: {
      type: 'string',
      description: 'The `lid` of a record that an earlier operation in the same request creates.',
    },
    relationship: { type: 'string' },
  },
  required: ['type'],
}

export const atomicSchemas: JsonObject = {
  AtomicOperations: {
    type: 'object',
    properties: {
      'atomic:operations': {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: {
          type: 'object',
          properties: {
            op: { type: 'string', enum: ['add', 'update', 'remove'] },
            ref: target,
            href: { type: 'string', format: 'uri-reference' },
            data: {
              description: 'A resource object, an identifier, several identifiers, or null.',
              type: ['object', 'array', 'null'],
              items: { type: 'object' },
            },
          },
          required: ['op'],
        },
      },
    },
    required: ['atomic:operations'],
    examples: [
      {
        'atomic:operations': [{ op: 'remove', ref: { type: 'roles', id: '0198c1a2-7f3e-7c44-9d1b-5a2e8f60b7d3' } }],
      },
    ],
  },
  AtomicResults: {
    type: 'object',
    properties: {
      jsonapi: ref('schemas', 'JsonApiObject'),
      'atomic:results': {
        description: 'One result per operation, in the same order.',
        type: 'array',
        items: {
          type: 'object',
          properties: { data: { anyOf: [ref('schemas', 'ResourceObject'), { type: 'null' }] } },
        },
      },
    },
    required: ['atomic:results'],
    examples: [{ 'atomic:results': [{}] }],
  },
}

export const atomicPaths: JsonObject = {
  '/api/rest/operations': {
    post: {
      operationId: 'performOperations',
      summary: 'Write several records at once',
      description: 'The atomic operations extension of JSON:API 1.1.',
      tags: [atomicTag.name],
      parameters: carrying('IdempotencyKey'),
      requestBody: { required: true, content: { [mediaType]: { schema: ref('schemas', 'AtomicOperations') } } },
      responses: {
        200: {
          description: 'The results.',
          content: { [mediaType]: { schema: ref('schemas', 'AtomicResults') } },
        },
        204: ref('responses', 'Done'),
        ...toProblemResponses([400, 401, 403, 404, 406, 409, 413, 415, 422]),
      },
    },
  },
}
