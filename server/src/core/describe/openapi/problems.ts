// The answers to what goes wrong, from the one table of problems.

import type { Json, JsonSchema } from '../../model/json.ts'
import { type ProblemKind, problemKinds } from '../../problem.ts'
import { type JsonObject, ref } from './document.ts'

const kinds: readonly (readonly [string, ProblemKind])[] = Object.entries(problemKinds)

export const problemRef = (status: number | 'default'): { readonly $ref: string } =>
  ref('responses', status === 'default' ? 'Problem' : `Problem${status}`)

const faultSchema: JsonSchema = {
  description: 'One fault inside the request.',
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What is wrong, in English.' },
    code: { type: 'string', description: 'What is wrong, for programs: see `/docs/problems`.' },
    params: {
      type: 'object',
      description: 'The values in the message, by name.',
      additionalProperties: {
        anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: { type: 'string' } }],
      },
    },
    pointer: { type: 'string', description: 'JSON Pointer (RFC 6901) into the body.' },
    parameter: { type: 'string' },
    member: { type: 'string' },
    position: { type: 'integer', description: "Zero-based offset in the parameter's decoded text." },
    cost: { type: 'number', description: 'With `too_costly`: what this part of the query costs.' },
  },
  required: ['message', 'code'],
}

export const problemSchemas: JsonObject = {
  Fault: faultSchema,
  Problem: {
    description: 'RFC 9457, with a stable `code` and every fault that was found.',
    type: 'object',
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { type: 'string' },
      instance: { type: 'string', format: 'uri-reference' },
      code: { type: 'string', enum: kinds.map(([code]) => code) },
      errors: { type: 'array', items: ref('schemas', 'Fault') },
      errorLogId: { type: 'string', description: 'Names the incident in the error logs.' },
    },
    required: ['type', 'title', 'status', 'code'],
    xml: { name: 'problem', namespace: 'urn:ietf:rfc:7807' },
  },
  ErrorDocument: {
    description: 'The errors document of JSON:API.',
    type: 'object',
    properties: {
      jsonapi: ref('schemas', 'JsonApiObject'),
      errors: { type: 'array', minItems: 1, items: ref('schemas', 'ErrorObject') },
    },
    required: ['errors'],
  },
  ErrorObject: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      status: { type: 'string', pattern: '^[45]\\d\\d$' },
      code: { type: 'string' },
      title: { type: 'string' },
      detail: { type: 'string' },
      source: {
        type: 'object',
        properties: {
          pointer: { type: 'string' },
          parameter: { type: 'string' },
          header: { type: 'string' },
        },
      },
      links: { type: 'object' },
      meta: { type: 'object' },
    },
    required: ['status', 'code'],
  },
}

/** The interface gives these no body. */
const silent = new Set([401, 403, 404])

const example = ([code, kind]: readonly [string, ProblemKind]): readonly [string, Json] => [
  code,
  {
    summary: kind.meaning,
    value: { type: `/docs/problems#${code}`, title: kind.title, status: kind.status, code },
  },
]

const otherForms: JsonObject = {
  'application/vnd.api+json': { schema: ref('schemas', 'ErrorDocument') },
  'application/problem+xml': { schema: ref('schemas', 'Problem') },
}

const contentOf = (met: typeof kinds): JsonObject => ({
  'application/problem+json': {
    schema: ref('schemas', 'Problem'),
    examples: Object.fromEntries(met.map(example)),
  },
  ...otherForms,
})

const headersOf = (status: number): JsonObject => {
  if (status === 401) return { headers: { 'WWW-Authenticate': ref('headers', 'WWW-Authenticate') } }
  if (status === 405) return { headers: { Allow: ref('headers', 'Allow') } }
  if (status === 503) return { headers: { 'Retry-After': ref('headers', 'Retry-After') } }
  return {}
}

const responseOf = (status: number): JsonObject => {
  const met = kinds.filter(([, kind]) => kind.status === status)
  const meanings = met.map(([code, kind]) => `- \`${code}\`: ${kind.meaning}`)
  if (!silent.has(status)) return { description: meanings.join('\n'), ...headersOf(status), content: contentOf(met) }
  const [, kind] = met[0] ?? ['', { meaning: '' }]
  return {
    description: `${kind.meaning} Without a body, unless \`Accept\` asks for \`application/problem+json\`.`,
    ...headersOf(status),
  }
}

/** One answer for each status, and `Problem` for whatever an operation does not list. */
export const problemResponses: JsonObject = {
  ...Object.fromEntries(
    [...new Set(kinds.map(([, kind]) => kind.status))].map(status => [`Problem${status}`, responseOf(status)]),
  ),
  Problem: {
    description: 'Any other problem.',
    content: { 'application/problem+json': { schema: ref('schemas', 'Problem') }, ...otherForms },
  },
}
