// What a management endpoint is, and the routes that follow: its path, the same with `.json`, and both in the API description.

import type { Route } from '../../core/http/exchange.ts'
import {
  type AnswerDescription,
  type Description,
  type ParameterDescription,
  shape,
} from '../../core/model/description.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import type { Service } from '../../core/rest/service.ts'
import type { ManagementAuditType } from './guard.ts'
import { actuatorType, guarded, halType, jsonType, type Shown, type Viewing } from './guard.ts'
import { halShape, type ShapeName } from './shapes.ts'

export const root = '/api/management'

export interface ManagementEndpoint {
  readonly method?: 'GET' | 'POST'
  /** Below the root. */
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly parts?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, ParameterDescription>>
  readonly body?: JsonSchema
  /** The name of a shape, or the schema of what has no form in HAL. */
  readonly shape: ShapeName | JsonSchema
  /** Statuses beside 200 that carry the same shape. */
  readonly also?: Readonly<Record<number, string>>
  readonly problems?: readonly number[]
  /** Instead of those that all others have. */
  readonly mediaTypes?: readonly string[]
  /** Whether the path also exists with `.json`; it does unless this says no. */
  readonly hasTwin?: boolean
  readonly open?: boolean
  readonly polled?: boolean
  /** Answered under overload and beyond rate limits. */
  readonly isEssential?: boolean
  readonly audit?: ManagementAuditType
  readonly run: (viewing: Viewing) => Promise<Shown> | Shown
}

const usualTypes: readonly string[] = [actuatorType, jsonType, halType]

export const toRoutes = (service: Service, endpoint: ManagementEndpoint): Route[] => {
  const mediaTypes = endpoint.mediaTypes ?? usualTypes
  const one = (suffix: string): Route => ({
    method: endpoint.method ?? 'GET',
    path: root + endpoint.path + suffix,
    isEssential: endpoint.isEssential ?? false,
    handler: guarded(service, {
      mediaTypes,
      open: endpoint.open ?? false,
      polled: endpoint.polled ?? false,
      audit: endpoint.audit ?? 'MANAGEMENT_READ',
      run: endpoint.run,
    }),
    describe: describe(endpoint, mediaTypes, suffix === '' ? '' : 'Json'),
  })
  // A named part at the end takes the ending itself.
  if (endpoint.hasTwin === false || endpoint.path.endsWith('}')) return [one('')]
  return [one(''), one('.json')]
}

const schemaOf = ({ shape: given }: ManagementEndpoint, mediaType: string): JsonSchema => {
  if (typeof given !== 'string') return given
  return mediaType === halType ? halShape(given) : shape(given)
}

const describe = (endpoint: ManagementEndpoint, types: readonly string[], ending: string): Description => {
  const { id, summary, description, parts, query, body, also = {}, problems = [], open } = endpoint
  const answer = (says: string): AnswerDescription => ({
    says,
    content: Object.fromEntries(types.map(type => [type, schemaOf(endpoint, type)])),
  })
  return {
    id: id + ending,
    summary,
    ...(description && { description }),
    ...(parts && { path: parts }),
    ...(query && { query }),
    ...(body && { body: { content: { [actuatorType]: body, [jsonType]: body } } }),
    ...(open && { open }),
    answers: {
      200: answer('What was asked for.'),
      ...Object.fromEntries(Object.entries(also).map(([status, says]) => [status, answer(says)])),
    },
    problems: [401, 403, 404, 406, ...problems],
  }
}

/** The last part of the path, with or without `.json`, by the first spelling that is known. */
export const namedPart = ({ request }: Viewing, isKnown: (name: string) => boolean): string | null => {
  const name = request.params.name ?? ''
  if (isKnown(name)) return name
  const bare = name.endsWith('.json') ? name.slice(0, -5) : name
  return isKnown(bare) ? bare : null
}
