// The endpoints that modules add, from the descriptions beside their routes.

import {
  type AnswerDescription,
  type BodyDescription,
  type DescribedFormat,
  type Description,
  type ParameterDescription,
  takesIdempotencyKey,
} from '../../model/description.ts'
import type { Family } from '../../model/family.ts'
import type { Json, JsonSchema } from '../../model/json.ts'
import type { Registry } from '../../model/registry.ts'
import type { Resource } from '../../model/resource.ts'
import { pkSchema } from '../field-schema.ts'
import { type JsonObject, joined } from './document.ts'
import { carrying, shaping } from './parameters.ts'
import { answer, recordBody } from './responses.ts'
import { toProblemResponses, toSecurity } from './scene.ts'

export interface DescribedEndpoint {
  readonly method: string
  readonly path: string
  readonly description: Description
  /** The tag under which it is shown unless it names another. */
  readonly tag: string
}

interface EndpointSurroundings {
  readonly registry: Registry
  readonly securitySchemes: readonly string[]
  readonly formats: readonly DescribedFormat[]
}

/** The endpoints of each path, as path items. */
export const endpointPaths = (endpoints: readonly DescribedEndpoint[], around: EndpointSurroundings): JsonObject => {
  const paths: Record<string, JsonObject> = {}
  for (const endpoint of endpoints) {
    const method = { [endpoint.method.toLowerCase()]: toOperation(endpoint, around) }
    paths[endpoint.path] = joined(`methods of ${endpoint.path}`, paths[endpoint.path] ?? {}, method)
  }
  return paths
}

const toOperation = (
  { method, path, description, tag }: DescribedEndpoint,
  around: EndpointSurroundings,
): JsonObject => {
  const parameters = [
    ...pathParameters(path, description, around.registry),
    ...toParameters('query', description.query),
    ...toParameters('header', description.headers),
    ...(namesRecord(description) ? replacing : []),
    ...(takesIdempotencyKey(method, path) ? carrying('IdempotencyKey') : []),
  ]
  return {
    operationId: description.id,
    summary: description.summary,
    ...(description.description && { description: description.description }),
    tags: [description.tag ?? resourceIn(path, around.registry)?.name ?? tag],
    ...(description.deprecated && { deprecated: true }),
    ...(description.open && { security: [...toSecurity(around.securitySchemes), {}] }),
    ...(parameters.length > 0 && { parameters }),
    ...(description.body && { requestBody: toBody(description.body, description.family ?? 'json', around) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(description.answers).map(([status, one]) => [
          status,
          toResponse(one, description.family ?? 'json', around),
        ]),
      ),
      ...toProblemResponses(problemsOf({ method, path }, description)),
    },
  }
}

const namesRecord = ({ body }: Description): boolean =>
  body !== undefined && 'record' in body && body.namesRecord === true

/** The parameters of a replacement, as where the path names the record. */
const replacing = [...shaping, ...carrying('IfMatch', 'Prefer')]

/** The resource that a path below `/api/rest` belongs to. */
const resourceIn = (path: string, registry: Registry): Resource | null => {
  const name = /^\/api\/rest\/(\w+)/.exec(path)?.[1]
  return name === undefined ? null : registry.published(name)
}

/** What any body, any key and any choice of formats may meet follows by itself. */
const problemsOf = (
  { method, path }: Pick<DescribedEndpoint, 'method' | 'path'>,
  { body, answers, problems }: Description,
): number[] => {
  const usual = [...(method === 'GET' ? [400] : [409, 422]), 401, 403, 404]
  const isNegotiated = Object.values(answers).some(({ value, item, page }) => value ?? item ?? page)
  const implied = [
    ...(body ? [400, 413, 415] : []),
    ...(takesIdempotencyKey(method, path) ? [400, 409, 422] : []),
    ...(isNegotiated ? [406] : []),
  ]
  const all = new Set([...(problems ?? usual), ...implied])
  return [...all].filter(status => !answers[status]).sort()
}

const text: JsonSchema = { type: 'string' }

const pathParameters = (path: string, { path: known = {} }: Description, registry: Registry): Json[] => {
  const resource = resourceIn(path, registry)
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const part = known[name] ?? 'Identifies the record.'
    const usual = name === 'pk' && resource ? pkSchema(resource) : text
    const { says, schema } = typeof part === 'string' ? { says: part, schema: usual } : part
    return { name, in: 'path', required: true, description: says, schema }
  })
}

const toParameters = (place: 'query' | 'header', parameters: Record<string, ParameterDescription> = {}): Json[] =>
  Object.entries(parameters).map(([name, { says, schema = text, required = false }]) => ({
    name,
    in: place,
    description: says,
    ...(required && { required }),
    schema,
  }))

const toContent = (content: Readonly<Record<string, JsonSchema>>): JsonObject =>
  Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]))

const toBody = (body: BodyDescription, family: Family, { registry, formats }: EndpointSurroundings): Json => {
  if ('record' in body) return recordBody(registry.resource(body.record), { ...body, family, formats })
  if ('content' in body) return { required: true, content: toContent(body.content) }
  return { required: !body.optional, content: { 'application/json': { schema: body.schema } } }
}

/** Describes a value in each format that has a place for what is no record. */
const valueContent = (value: JsonSchema, formats: readonly DescribedFormat[]): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    formats.flatMap(format => {
      if (!format.value) return []
      const list = value.type === 'array' ? format.schemas?.list?.(value) : undefined
      return [[format.mediaType, list ?? value]]
    }),
  )

const toResponse = (answered: AnswerDescription, family: Family, { registry, formats }: EndpointSurroundings): Json => {
  if (answered.item) return answer(registry.resource(answered.item), 'Item', family)
  if (answered.page) return answer(registry.resource(answered.page), 'Page', family)
  const { value } = answered
  const content = value ? valueContent(value, formats) : answered.content
  const headers = Object.entries(answered.headers ?? {})
  return {
    description: answered.says,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map(([name, says]) => [name, { description: says, schema: text }])),
    }),
    ...(content && { content: toContent(content) }),
  }
}
