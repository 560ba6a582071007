// The HTTP library, set up so that it decides nothing: it finds the route, reads the body as bytes, and hands both over.

import { METHODS, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { isNamedPart } from './allow.ts'
import type { Bodies } from './bodies.ts'
import type { Method, Route } from './exchange.ts'
import type { ParserError } from './faults.ts'
import type { Check } from './host-check.ts'
import { createRequestIds } from './incoming.ts'

export type Answering = (arrival: FastifyRequest, reply: FastifyReply) => void

export interface Refusals {
  readonly check: Check
  /** The library found no use for a request: a malformed path, a body that is too large. */
  readonly request: (error: Error, arrival: FastifyRequest, reply: FastifyReply) => void
  /** What came was no request. */
  readonly connection: (error: ParserError, socket: Socket) => void
}

/** The most characters of a part, more than any identifier has. */
const maxParamLength = 1000

const multipart = /^multipart\//i

/** Says whether the handler reads a form as it arrives, on a route of one resource or of many. */
const takesForms = ({ routeOptions, params }: FastifyRequest): boolean => {
  const { forms } = routeOptions.config as RouteConfig
  return forms === true || (forms?.has((params as Readonly<Record<string, string>>)[resourceName] ?? '') ?? false)
}

interface RouteConfig {
  /** True, or the resources whose forms the handlers read, where it is a route of many. */
  readonly forms?: true | ReadonlySet<string>
}

const noQuery: Record<string, unknown> = Object.freeze({})

const refuseSchema = (): never => {
  throw new Error('routes have no schemas of the library')
}

/** The compilers of schemas would take a tenth of every start to load. */
const noSchemas = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } }

export interface RouterParts {
  /** Hands the requests of all connections to the library. */
  readonly serve: (handler: RequestListener) => Server
  readonly bodies: Bodies
  readonly refusals: Refusals
}

export const createRouter = ({ serve, bodies, refusals }: RouterParts): FastifyInstance => {
  const router = fastify({
    serverFactory: serve,
    exposeHeadRoutes: false,
    genReqId: createRequestIds(),
    // A request that arrives on a kept connection while the server closes is still answered.
    return503OnClosing: false,
    frameworkErrors: (error, arrival, reply) =>
      refusals.request(error, arrival as FastifyRequest, reply as unknown as FastifyReply),
    clientErrorHandler: refusals.connection,
    schemaController: noSchemas,
    routerOptions: { maxParamLength, querystringParser: () => noQuery },
  })
  // No route takes QUERY; left as it is, the library would ask for a content type before saying so.
  if (METHODS.includes('QUERY')) router.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true })
  router.removeAllContentTypeParsers()
  router.addContentTypeParser('*', (arrival, payload, done) => {
    const { raw, is404 } = arrival
    if (multipart.test(raw.headers['content-type'] ?? '') && takesForms(arrival)) {
      done(null, payload)
      return
    }
    // A caller who asks first is not asked for a body that nothing will read.
    if (is404 && raw.headers.expect !== undefined) done(null)
    else bodies.read(raw, done)
  })
  // Ahead of everything, files and unknown paths included.
  router.addHook('onRequest', ({ raw }, _reply, done) => done(refusals.check(raw) ?? undefined))
  router.setErrorHandler<Error>((error, arrival, reply) => refusals.request(error, arrival, reply))
  return router
}

export interface Answered {
  readonly route: Route
  readonly answer: Answering
}

/**
 * The part at which paths of resources differ: `/api/rest/films/{pk}` and `/api/rest/users/{pk}` have the same pattern.
 */
const resourcePart = 3
const resourceName = 'resourcePart'

/**
 * Adds all routes. Those that differ only in their resource become one route of the library, which finds the resource in a map:
 * hundreds of routes would make every start slow.
 */
export const addRoutes = (router: FastifyInstance, all: readonly Answered[], unmatched: Answering): void => {
  const byPattern = new Map<string, Answered[]>()
  for (const one of all) {
    const key = `${one.route.method} ${sharedPattern(one.route.path)}`
    const alike = byPattern.get(key)
    if (alike) alike.push(one)
    else byPattern.set(key, [one])
  }
  for (const alike of byPattern.values()) addAlike(router, alike, unmatched)
}

const sharedPattern = (path: string): string => {
  const parts = path.split('/')
  const part = parts[resourcePart]
  if (part !== undefined && !isNamedPart(part)) parts[resourcePart] = `{${resourceName}}`
  return parts.join('/')
}

const addAlike = (router: FastifyInstance, alike: readonly Answered[], unmatched: Answering): void => {
  const [first, second] = alike
  if (!first) return
  if (!second || alike.some(({ route }) => route.streams)) {
    for (const { route, answer } of alike) {
      const { method, path, streams, takesForms } = route
      addRoute(router, { method, path, ...(streams && { streams }), ...(takesForms && { forms: true }) }, answer)
    }
    return
  }
  const resourceOf = ({ path }: Route) => path.split('/')[resourcePart] ?? ''
  const answers = new Map(alike.map(({ route, answer }) => [resourceOf(route), answer]))
  if (answers.size < alike.length)
    throw new Error(
      `two routes have the method and the path of one of: ${alike.map(({ route }) => route.path).join(', ')}`,
    )
  const forms = new Set(alike.filter(({ route }) => route.takesForms).map(({ route }) => resourceOf(route)))
  const { method, path } = first.route
  addRoute(router, { method, path: sharedPattern(path), forms }, (arrival, reply) => {
    const { [resourceName]: name = '' } = arrival.params as Readonly<Record<string, string>>
    const answer = answers.get(name) ?? unmatched
    answer(arrival, reply)
  })
}

type AddedRoute = Pick<Route, 'method' | 'path' | 'streams'> & RouteConfig

const addRoute = (
  router: FastifyInstance,
  { method, path, streams, ...config }: AddedRoute,
  answer: Answering,
): void => {
  const url = toPattern(path)
  if (streams) addStreamingRoute(router, { method, url }, answer)
  else router.route({ method: method === 'GET' ? ['GET', 'HEAD'] : method, url, config, handler: answer })
}

/** Adds a route in a scope of its own, where bodies are not gathered. */
const addStreamingRoute = (
  router: FastifyInstance,
  { method, url }: { readonly method: Method; readonly url: string },
  answer: Answering,
): void => {
  router.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_arrival, payload, done) => done(null, payload))
    scope.route({ method, url, handler: answer })
  })
}

/** `/films/{pk}` in the library's spelling. A path that would mean something else there stops the start. */
const toPattern = (path: string): string => {
  const isSound = (part: string) => (isNamedPart(part) ? /^\{\w+\}$/.test(part) : !/[{}:*%?#]/.test(part))
  const parts = path.split('/')
  if (!path.startsWith('/') || !parts.every(isSound)) throw new Error(`the route path '${path}' cannot be read`)
  return parts.map(part => (isNamedPart(part) ? `:${part.slice(1, -1)}` : part)).join('/')
}
