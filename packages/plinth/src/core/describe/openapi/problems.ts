// Problem responses, from the problems of the platform and of the modules.

import type { DescribedFormat } from '../../model/description.ts'
import type { Json, JsonSchema } from '../../model/json.ts'
import { inLanguage } from '../../model/words.ts'
import type { ProblemTable, ProblemType } from '../../problem-types.ts'
import { type JsonObject, ref } from './document.ts'

type ProblemEntries = readonly (readonly [string, ProblemType])[]

export const problemRef = (status: number | 'default'): { readonly $ref: string } =>
  ref('responses', status === 'default' ? 'Problem' : `Problem${status}`)

const faultSchema: JsonSchema = {
  description: 'One error in the request.',
  type: 'object',
  properties: {
    message: { type: 'string', description: 'The error message, in the language of `Accept-Language`, or English.' },
    code: { type: 'string', description: 'A stable error code: see `/docs/problems`.' },
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
    cost: { type: 'number', description: 'With `too_costly`: the cost of this part of the query.' },
  },
  required: ['message', 'code'],
}

export const problemSchemas = (problems: ProblemTable): JsonObject => ({
  Fault: faultSchema,
  Problem: {
    description: 'Problem details (RFC 9457) with a stable `code` and all errors.',
    type: 'object',
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { type: 'string' },
      instance: { type: 'string', format: 'uri-reference' },
      code: { type: 'string', enum: Object.keys(problems) },
      errors: { type: 'array', items: ref('schemas', 'Fault') },
      errorLogId: { type: 'string', description: 'Identifies the error in the error log.' },
    },
    required: ['type', 'title', 'status', 'code'],
    xml: { name: 'problem', namespace: 'urn:ietf:rfc:7807' },
  },
  ErrorDocument: {
    description: 'A JSON:API error document.',
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
})

/** These have no body unless the service is set to. */
const silent = new Set([401, 403, 404])

const example = ([code, type]: ProblemEntries[number]): readonly [string, Json] => [
  code,
  {
    summary: type.meaning,
    value: { type: `/docs/problems#${code}`, title: inLanguage(type.title, 'en'), status: type.status, code },
  },
]

/** Describes problems in each media type that formats have for them; the first shows examples. */
const contentOf = (problems: ProblemEntries, formats: readonly DescribedFormat[]): JsonObject => {
  const byType = new Map(formats.toReversed().map(format => [format.problemType, format]))
  const types = new Set(formats.map(({ problemType }) => problemType))
  return Object.fromEntries(
    [...types].map((type, at) => {
      const schemas = byType.get(type)?.schemas
      const schema: Json = schemas ? ref('schemas', schemas.problem) : { type: 'string' }
      return [
        type,
        { schema, ...(at === 0 && problems.length > 0 && { examples: Object.fromEntries(problems.map(example)) }) },
      ]
    }),
  )
}

const headersOf = (status: number, problems: ProblemEntries): JsonObject => {
  if (status === 401) return { headers: { 'WWW-Authenticate': ref('headers', 'WWW-Authenticate') } }
  if (status === 405) return { headers: { Allow: ref('headers', 'Allow') } }
  if (status === 503 || problems.some(([code]) => code === 'in_progress'))
    return { headers: { 'Retry-After': ref('headers', 'Retry-After') } }
  return {}
}

export interface ProblemOptions {
  readonly problems: ProblemTable
  readonly formats: readonly DescribedFormat[]
  /** 401, 403 and 404 have a body for every caller. */
  readonly problemBodies: boolean
}

interface StatusProblems extends Pick<ProblemOptions, 'formats' | 'problemBodies'> {
  readonly status: number
  readonly problems: ProblemEntries
}

const responseOf = ({ status, problems, formats, problemBodies }: StatusProblems): JsonObject => {
  const meanings = problems.map(([code, { meaning }]) => `- \`${code}\`: ${meaning}`)
  if (problemBodies || !silent.has(status))
    return { description: meanings.join('\n'), ...headersOf(status, problems), content: contentOf(problems, formats) }
  const [, { meaning }] = problems[0] ?? ['', { meaning: '' }]
  return {
    description: `${meaning} The response has no body unless \`Accept\` is \`application/problem+json\`.`,
    ...headersOf(status, problems),
  }
}

/** One response for each status, and `Problem` for whatever an operation does not list. */
export const problemResponses = ({ problems: table, formats, problemBodies }: ProblemOptions): JsonObject => {
  const problems = Object.entries(table)
  const statuses = [...new Set(problems.map(([, { status }]) => status))]
  return {
    ...Object.fromEntries(
      statuses.map(status => [
        `Problem${status}`,
        responseOf({
          status,
          problems: problems.filter(([, type]) => type.status === status),
          formats,
          problemBodies,
        }),
      ]),
    ),
    Problem: {
      description: 'Any other problem.',
      content: contentOf([], formats),
    },
  }
}
