// What a management endpoint is, and the endpoints that follow: its path, and the same with `.json`. All of them are for
// administrators, show no secrets, and record in the audit trail who has read what.

import { chooseMediaType } from '../../core/formats/choose-media-type.ts'
import { formatsByName } from '../../core/formats/index.ts'
import type { Request, Response, Route } from '../../core/http/exchange.ts'
import { createScrub } from '../../core/log/scrub.ts'
import { type Caller, isAdmin } from '../../core/model/caller.ts'
import type { Json, JsonSchema } from '../../core/model/json.ts'
import type { InputOf } from '../../core/model/shape.ts'
import type { ShapeFields } from '../../core/model/value-field.ts'
import { Quota } from '../../core/quota.ts'
import {
  type AnswerOptions,
  contentBody,
  type DeclaredEndpoint,
  defineEndpoint,
  type Endpoint,
  type JsonBody,
  type WithoutBody,
} from '../../core/rest/endpoint.ts'
import { administrator } from '../../core/rest/permits.ts'
import { retryAfterSeconds } from '../../core/rest/problem-response.ts'
import type { Service } from '../../core/service.ts'
import { defineAudit } from '../audit/index.ts'
import { actuatorType, halType, jsonType } from './media-types.ts'
import { type ManagementShape, shapeContent } from './shapes.ts'

export const managementAudit = defineAudit(['MANAGEMENT_READ', 'LOG_LEVEL_CHANGED', 'HEAP_DUMPED', 'JOB_STARTED'])

export const root = '/api/management'

export interface Viewing<Q = ShapeFields> {
  readonly service: Service
  readonly request: Request
  readonly caller: Caller
  readonly query: InputOf<Q>
  /** Says that the caller sees everything; false only where others are shown a part. */
  readonly seesAll: boolean
  /** What the answer will be in. */
  readonly mediaType: string
}

/** A value to be shown as JSON without secrets, or a response in a form of its own. */
export type ManagementAnswer = { readonly status?: number; readonly value: Json } | { readonly response: Response }

interface ManagementOptions<
  Q extends ShapeFields = ShapeFields,
  M extends 'GET' | 'POST' = 'GET' | 'POST',
  Path extends string = string,
  Id extends string = string,
  S extends ManagementShape | JsonSchema = ManagementShape | JsonSchema,
  B extends JsonSchema | undefined = JsonSchema | undefined,
> {
  readonly method?: M
  /** The path below the root. */
  readonly path: Path
  readonly id: Id
  readonly summary: string
  readonly description?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Q
  readonly body?: B
  /** What is shown, or the schema of what has one form only. */
  readonly shape: S
  /** The status of success; 200 unless given. */
  readonly success?: 200 | 202
  /** Statuses beside that of success that carry the same shape. */
  readonly also?: Readonly<Record<number, string>>
  readonly problems?: readonly number[]
  /** The media types in order of preference, instead of those that all others have. */
  readonly mediaTypes?: readonly string[]
  /** Says whether the path also exists with `.json`, as it does by default. */
  readonly hasTwin?: boolean
  /** Says that others than administrators are shown a part. */
  readonly open?: boolean
  /** Programs ask again and again: what the same caller repeats within a minute is recorded once. */
  readonly polled?: boolean
  /** Says that the endpoint answers under overload and beyond rate limits. */
  readonly isEssential?: boolean
  /** See the option of `defineEndpoint`. */
  readonly keyScope?: string
  /** See the option of `defineEndpoint`. */
  readonly requires?: 'recentSignIn'
  readonly audit?: (typeof managementAudit.types)[number]
  run(viewing: Viewing<Q>): Promise<ManagementAnswer> | ManagementAnswer
}

/** The form of an answer, for the types of clients. */
type AnswerOf<S> =
  S extends ManagementShape<infer V>
    ? { readonly content: { readonly 'application/json': V } }
    : { readonly content: object }

type Declared<Q, M extends string, Path extends string, Id, S, B> = DeclaredEndpoint<
  M,
  `${typeof root}${Path}`,
  Id,
  Q,
  B extends JsonSchema ? JsonBody : WithoutBody,
  { readonly 200: AnswerOf<S> }
>

/** An endpoint below the address of the management. */
export type ManagementEndpoint = ManagementOptions

export const defineManagement = <
  const Path extends string,
  const Id extends string,
  const Q extends ShapeFields = Readonly<Record<never, ShapeFields[string]>>,
  const M extends 'GET' | 'POST' = 'GET',
  const S extends ManagementShape | JsonSchema = JsonSchema,
  const B extends JsonSchema | undefined = undefined,
>(
  options: ManagementOptions<Q, M, Path, Id, S, B>,
): ManagementEndpoint & Declared<Q, M, Path, Id, S, B> => options

const usualTypes: readonly string[] = [actuatorType, jsonType, halType]

interface TypedEndpoint extends ManagementEndpoint {
  readonly declared?: unknown
}

type EndpointOf<E extends TypedEndpoint> = E extends unknown ? Endpoint & Pick<E, 'declared'> : never

/** The endpoints with the types of their declarations; those that end in `.json` have the same. */
export function toEndpoints<E extends TypedEndpoint>(service: Service, declared: readonly E[]): readonly EndpointOf<E>[]
export function toEndpoints(service: Service, declared: readonly ManagementEndpoint[]): readonly Endpoint[] {
  return declared.flatMap(one => twinsOf(service, one))
}

const twinsOf = (service: Service, management: ManagementEndpoint): readonly Endpoint[] => {
  // A named part at the end takes the ending itself.
  if (management.hasTwin === false || management.path.endsWith('}')) return [toEndpoint(service, management, '')]
  return [toEndpoint(service, management, ''), toEndpoint(service, management, '.json')]
}

const toEndpoint = (service: Service, management: ManagementEndpoint, suffix: '' | '.json'): Endpoint => {
  const {
    id,
    summary,
    description,
    params,
    query,
    body,
    also = {},
    problems = [],
    open,
    isEssential,
    keyScope,
    requires,
  } = management
  const mediaTypes = management.mediaTypes ?? usualTypes
  const answer = (about: string): AnswerOptions => ({ about, ...shapeContent(management.shape, mediaTypes) })
  return defineEndpoint({
    method: management.method ?? 'GET',
    path: root + management.path + suffix,
    id: id + (suffix === '' ? '' : 'Json'),
    summary,
    ...(description !== undefined && { description }),
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body: contentBody({ [actuatorType]: body, [jsonType]: body }) }),
    access: open ? 'true' : administrator,
    ...(isEssential && { isEssential, anyHost: true }),
    ...(keyScope !== undefined && { keyScope }),
    ...(requires && { requires }),
    problemFormat: formatsByName.json,
    produces: mediaTypes,
    answers: {
      [management.success ?? 200]: answer('The result.'),
      ...Object.fromEntries(Object.entries(also).map(([status, about]) => [status, answer(about)])),
    },
    problems: [401, 403, 404, 406, ...problems],
    answer: toHandler(service, management, mediaTypes),
  })
}

const toHandler = (
  service: Service,
  management: ManagementEndpoint,
  mediaTypes: readonly string[],
): NonNullable<Endpoint['answer']> => {
  const record = createRecorder(service, management)
  const scrub = createScrub(service.config.secrets)
  return async ({ request, caller, query }) => {
    const mediaType = chooseMediaType(request.headers.accept, inOrder(mediaTypes, request)) ?? jsonType
    const seesAll = isAdmin(caller)
    if (seesAll) await record(request, caller)
    const result = await management.run({ service, request, caller, query, seesAll, mediaType })
    if ('response' in result) return { kind: 'response', response: result.response }
    const { status = 200 } = result
    const headers = {
      'Content-Type': mediaType,
      'Cache-Control': 'no-store',
      Vary: 'Accept, Origin, Authorization, Cookie',
      ...(status === 503 && { 'Retry-After': retryAfterSeconds }),
    }
    const value = mediaType === halType ? toHal(result.value, request) : result.value
    return { kind: 'response', response: { status, headers, body: scrub(JSON.stringify(value)) } }
  }
}

/** A HAL document is an object with its own address; lists are embedded under the name of their endpoint. */
const toHal = (value: Json, { base, path }: Request): Json => {
  const self = { self: { href: base + path } }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')
    return { _links: self, _embedded: { [name]: value } }
  }
  return '_links' in value ? value : { ...value, _links: self }
}

/** The ending of the path names plain JSON; `Accept` can still say otherwise. */
const inOrder = (mediaTypes: readonly string[], { path }: Request): readonly string[] =>
  path.endsWith('.json') && mediaTypes.includes(jsonType) ? [jsonType, ...mediaTypes] : mediaTypes

/** What cannot be recorded is not shown, except where the answer is how well the service is. */
const createRecorder = (service: Service, { open, polled, audit = 'MANAGEMENT_READ' }: ManagementEndpoint) => {
  const { clock } = service.platform
  const oncePerMinute = new Quota(1, clock)
  return async (request: Request, caller: Caller): Promise<void> => {
    if (polled && oncePerMinute.take(caller.pk ?? '', 1).waitMs > 0) return
    const now = clock()
    const data = { address: request.remoteAddress, method: request.method, path: request.path }
    try {
      await service.platform.records.transaction(records =>
        managementAudit.record(records, { type: audit, principal: caller.username, data, now }),
      )
    } catch (error) {
      if (!open) throw error
      service.logs.named('management').warn({ err: error, requestId: request.id }, 'a read could not be recorded')
    }
  }
}

/** The last part of the path, with or without `.json`, by the first spelling that is known. */
export const namedPart = ({ request }: Pick<Viewing, 'request'>, isKnown: (name: string) => boolean): string | null => {
  const name = request.params.name ?? ''
  if (isKnown(name)) return name
  const bare = name.endsWith('.json') ? name.slice(0, -5) : name
  return isKnown(bare) ? bare : null
}

// Before the service listens: anonymous callers must be refused everywhere. A management endpoint that would let a stranger in stops
// the start, whichever module it comes from.

/** What strangers are shown of the open endpoints. */
const openFields: Readonly<Record<string, readonly string[]>> = {
  health: ['status'],
  'health/liveness': ['status'],
  'health/readiness': ['status'],
  info: ['app'],
}

export const refusesStrangers = async (service: Service): Promise<void> => {
  // A preflight has no credentials by its nature, and tells methods alone.
  const routes = service.overview().routes.flatMap(({ route }) => (route.method === 'OPTIONS' ? [] : [route]))
  for (const route of routes.filter(({ path }) => path.toLowerCase().startsWith(root))) {
    const response = await route.handler(strangerAt(route))
    if (isRefused(response) || isPreflight(route, response) || showsLittle(route, response)) continue
    throw new Error(`${route.method} ${route.path} answers ${response.status} to a caller without credentials.`)
  }
}

const strangerAt = ({ method, path }: Route): Request => ({
  id: 'self-test',
  method,
  path: path.replaceAll(/\{\w+\}/g, 'probe'),
  route: path,
  promisesValue: false,
  holdsSecrets: false,
  search: '',
  params: { name: 'probe' },
  headers: { host: 'localhost' },
  body: null,
  stream: null,
  remoteAddress: '127.0.0.1',
  base: 'http://localhost',
  signal: new AbortController().signal,
  isEssential: true,
  keyScope: null,
})

const isRefused = ({ status }: Response): boolean => status === 401 || status === 403

/** A preflight has no credentials; the methods of a path are no secret. */
const isPreflight = ({ method }: Route, { body }: Response): boolean => method === 'OPTIONS' && body === undefined

const showsLittle = ({ path }: Route, { body }: Response): boolean => {
  const allowed = openFields[path.slice(root.length + 1).replace(/\.json$/, '')]
  if (!allowed || typeof body !== 'string') return false
  return Object.keys(JSON.parse(body)).every(field => allowed.includes(field))
}
