// Routes and options in, a server that listens and ends in order out.

import { createServer as createNodeServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { FastifyInstance } from 'fastify'
import { promisesValue } from '../model/description.ts'
import { Problem } from '../problem.ts'
import { Bodies } from './bodies.ts'
import { createCallerAddress } from './caller-address.ts'
import { Connections } from './connections.ts'
import type { Handler, Observation, Observe, Place, Request, Route } from './exchange.ts'
import { isLost, refuseConnection, toProblem, writeLastResort } from './faults.ts'
import { type Check, createHostCheck } from './host-check.ts'
import { createBaseOf, Incoming, readTarget, type Seen } from './incoming.ts'
import { defaultTimeouts, type HttpServer, type ServerOptions, type Timeouts, type Tls } from './options.ts'
import { Overload } from './overload.ts'
import {
  type Answering,
  addRoutes,
  createAllowedMethods,
  createRouter,
  everyMethod,
  isNamedPart,
  type Refusals,
} from './router.ts'
import { apiHeaders, type HeaderSet, pageHeaders } from './security-headers.ts'
import { serveSockets } from './sockets.ts'
import { type StaticFiles, serveStaticFiles } from './static-files.ts'
import { createWrite, type Gathering } from './write.ts'

export const createServer = (options: ServerOptions): HttpServer => {
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const isSecure = options.tls !== undefined || (options.baseUrl?.startsWith('https:') ?? false)
  const security = apiHeaders(isSecure)
  let address = ''
  let closing: Promise<void> | null = null
  const isDraining = () => closing !== null
  const seen = createSeen(options, () => address)
  const node = createNode(timeouts, options.tls)
  const bodies = new Bodies({ ...options.limits, maxBytes: options.maxBodyBytes }, (socket, ms) =>
    connections.crowd(socket, ms),
  )
  const connections = createConnections(node, bodies, options)
  const overload = new Overload(options.maxEventLoopLag ?? 0, connections, options.log)
  const run = createRun(options, { security, isDraining, arrived: () => connections.arrived() })
  const answering = createAnswering(seen, run, connections)
  const check = createCheck(options, connections, overload)
  const refusals = createRefusals(options, { check, answering, connections, security })
  const router = createRouter({
    serve: handler => connections.serve(handler, raw => seen(raw).remoteAddress),
    bodies,
    refusals,
  })
  const sockets = serveSockets(node, {
    routes: options.sockets ?? [],
    check,
    seen,
    answer: (exchange, request, reply) => void run(exchange, request, reply),
    opened: done => options.observe?.(done),
    log: options.log,
  })
  const unmatched = createUnmatched(options)
  router.setNotFoundHandler(answering(unmatched))
  addRoutes(
    router,
    options.routes.map(route => ({ route, answer: answering(withFullParts(route, unmatched), route) })),
    answering(unmatched),
  )
  serveFiles(router, options, { isSecure, isDraining, seen, notFound: answering(unmatched) })

  const drain = async () => {
    overload.stop()
    sockets.close()
    const stopDraining = connections.drain(timeouts.drain)
    await router.close()
    stopDraining()
  }
  return {
    routes: options.routes,
    traffic: () => ({ ...connections.traffic(), bodyBytes: bodies.bytes }),
    listen: async () => {
      const { host, port, limits } = options
      // Connections that the system has no place for are reset or wait for seconds: none of those that the service would accept.
      const plain = await router.listen({ host, port, backlog: limits.connections })
      overload.start()
      address = options.tls ? plain.replace(/^http:/, 'https:') : plain
      return address
    },
    close: () => {
      closing ??= drain()
      return closing
    },
  }
}

const createSeen = ({ baseUrl, trustedProxies = [], log }: ServerOptions, listening: () => string): Seen => {
  const baseOf = createBaseOf(baseUrl, listening)
  const addressOf = createCallerAddress({
    trusted: trustedProxies,
    onStranger: peer =>
      log.warn({ peer }, 'X-Forwarded-For is ignored; add the sender to server.trustedProxies if it is your proxy'),
  })
  return raw => ({ base: baseOf(raw.headers.host), remoteAddress: addressOf(raw) })
}

type AnswerWith = (handler: Handler, route?: Route | null) => Answering

const createAnswering =
  (seen: Seen, run: Run, connections: Connections): AnswerWith =>
  (handler, route = null) => {
    const exchange = { handler, route }
    const promises = route?.describe !== undefined && promisesValue(route.describe)
    const { holdsSecrets = false, isEssential = false, keyScope = null } = route ?? {}
    return (arrival, reply) => {
      const { base, remoteAddress } = seen(arrival.raw)
      // One by one: copies of whole objects take longer, and this is done for every request.
      const where = { base, remoteAddress, route, promisesValue: promises, holdsSecrets, isEssential, keyScope }
      const request = new Incoming(arrival, reply.raw, where)
      if (route) connections.take(arrival.raw, reply.raw)
      void run(exchange, request, reply.raw)
    }
  }

const createConnections = (
  node: Server,
  bodies: Bodies,
  { limits, trustedProxies = [], tls, log }: ServerOptions,
): Connections =>
  new Connections(node, {
    limits,
    trustedProxies,
    isTls: tls !== undefined,
    log,
    ended: raw => bodies.held.get(raw)?.release(),
    swept: now => bodies.sweep(now),
  })

/** Before the body: a connection that is not served, overload, another host. */
const createCheck = (options: ServerOptions, connections: Connections, overload: Overload): Check => {
  const isExempt = createExemption(options)
  const probes = options.routes.filter(route => route.anyHost).map(route => route.path)
  const checkHost = createHostCheck({ ...options, probes })
  const shed: Check = raw => (overload.isOn && !isExempt(raw) && overload.refuses(raw) ? tooBusy() : null)
  return raw => connections.refusalOf(raw.socket) ?? shed(raw) ?? checkHost(raw)
}

/** Health is answered under overload as well, and so are files: people who load a page are to see more than a failure. */
const createExemption = ({ routes, staticFiles = [] }: ServerOptions): ((raw: IncomingMessage) => boolean) => {
  const essential = new Set(routes.filter(route => route.isEssential).map(route => route.path))
  const isFile = createIsFile(staticFiles)
  return raw => {
    const { path } = readTarget(raw)
    return essential.has(path) || (isFile(path) && (raw.method === 'GET' || raw.method === 'HEAD'))
  }
}

interface RefusalParts {
  readonly check: Check
  readonly answering: AnswerWith
  readonly connections: Connections
  readonly security: HeaderSet
}

const createRefusals = (
  { notFound }: ServerOptions,
  { check, answering, connections, security }: RefusalParts,
): Refusals => ({
  check,
  request: (error, arrival, reply) => {
    const problem = toProblem(error)
    const isMissing = problem instanceof Problem && problem.code === 'not_found'
    answering(isMissing ? notFound : () => Promise.reject(problem))(arrival, reply)
  },
  connection: (error, socket) => {
    if (!isLost(error, socket)) connections.finish(socket, () => refuseConnection(error, socket, security))
    else if (!socket.writableEnded) socket.destroy()
  },
})

interface FileParts {
  readonly isSecure: boolean
  readonly isDraining: () => boolean
  readonly seen: Seen
  readonly notFound: Answering
}

const serveFiles = (
  router: FastifyInstance,
  { staticFiles = [], observe }: ServerOptions,
  { isSecure, isDraining, seen, notFound }: FileParts,
): void => {
  for (const files of staticFiles) {
    const page = pageHeaders(isSecure, files)
    serveStaticFiles(router, files, {
      headers: ({ id }) => ({ ...page, 'x-request-id': id, ...(isDraining() && { connection: 'close' }) }),
      sending: (arrival, reply) => {
        if (!observe) return
        const request = new Incoming(arrival, reply.raw, { ...seen(arrival.raw), route: null })
        observeWhenClosed(observe, { request, route: null, elapsed: () => reply.elapsedTime }, reply.raw)
      },
      notFound,
    })
  }
}

const tooBusy = (): Problem =>
  new Problem('overloaded', { detail: 'The service is too busy.', headers: { 'Retry-After': '2' } })

/** Room for a filter of 8 kB or 500 identifiers in a query, percent-encoded. */
const maxHeaderSize = 65_536

const createNode = ({ headers, request, keepAlive, idle }: Timeouts, tls: Tls | undefined): Server => {
  const settings = {
    maxHeaderSize,
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: keepAlive,
    connectionsCheckingInterval: Math.min(5000, headers),
    // Refused below instead, with a body and the security headers.
    requireHostHeader: false,
  }
  const node = tls ? createTlsServer({ ...settings, ...tls }) : createNodeServer(settings)
  return node.setTimeout(idle)
}

/** The router lets a named part be empty, which would forgive `/films/` and `/films//roles`. */
const withFullParts = ({ path, handler }: Route, unmatched: Handler): Handler => {
  if (!path.split('/').some(isNamedPart)) return handler
  return request => (request.path.endsWith('/') || request.path.includes('//') ? unmatched(request) : handler(request))
}

const createIsFile =
  (all: readonly StaticFiles[]) =>
  (path: string): boolean =>
    all.some(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))

const fileMethods = ['GET', 'HEAD', 'OPTIONS']

/** A path without a route for the method: what the path allows, or that there is no such path. */
const createUnmatched = ({ routes, staticFiles = [], notFound }: ServerOptions): Handler => {
  const methodsOf = createAllowedMethods(routes)
  const isFile = createIsFile(staticFiles)
  const allowedOf = (path: string) => {
    if (path === '*') return everyMethod
    return methodsOf(path) ?? (isFile(path) ? fileMethods : null)
  }
  return request => {
    const allowed = allowedOf(request.path)
    const allow = allowed?.join(', ') ?? ''
    if (allowed && request.method === 'OPTIONS') return { status: 204, headers: { allow } }
    if (!allowed || allowed.includes(request.method)) return notFound(request)
    throw new Problem('method_not_allowed', { headers: { allow } })
  }
}

// One exchange: the response of a handler, or its error, becomes the answer.

export interface Exchange {
  readonly route: Place | null
  readonly handler: Handler
}

/** Never fails. */
export type Run = (exchange: Exchange, request: Request, reply: ServerResponse) => Promise<void>

export interface RunParts extends Gathering {
  /** Resolves when the work on a request that has arrived begins. */
  readonly arrived: () => Promise<void>
}

export const createRun = (options: ServerOptions, { arrived, ...gathering }: RunParts): Run => {
  const { onRequest, onFault, log, observe, around } = options
  const write = createWrite(gathering)

  const fail = async (request: Request, error: unknown, reply: ServerResponse): Promise<void> => {
    if (reply.destroyed && isAbort(error)) return
    try {
      const response = await onFault(request, error)
      if (reply.headersSent) reply.destroy()
      else await write(request, response, reply)
    } catch (second) {
      log.error({ err: second, requestId: request.id }, 'an error response could not be sent')
      writeLastResort(reply, gathering.security)
    }
  }

  const run: Run = async ({ handler, route }, request, reply) => {
    try {
      // What no route takes, such as a refusal under overload, is cheap and does not wait behind work.
      if (route) await arrived()
      await write(request, onRequest?.(request) ?? (await handler(request)), reply)
    } catch (error) {
      await fail(request, error, reply)
    }
  }

  return (exchange, request, reply) => {
    if (observe) {
      const started = performance.now()
      const elapsed = () => performance.now() - started
      observeWhenClosed(observe, { request, route: exchange.route, elapsed }, reply)
    }
    return around ? around(request, exchange.route, () => run(exchange, request, reply)) : run(exchange, request, reply)
  }
}

/** A handler that stopped because its client disconnected. This is not an error. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

interface Begun extends Pick<Observation, 'request' | 'route'> {
  readonly elapsed: () => number
}

export const observeWhenClosed = (observe: Observe, begun: Begun, reply: ServerResponse): void => {
  // Not `once`: what it allocates is soon placed among what lives long, and keeps the whole exchange from the cheap
  // collection of garbage. There is but one `close`.
  reply.on('close', () => {
    const { request, route, elapsed } = begun
    observe({ request, route, status: reply.statusCode, ms: elapsed(), completed: reply.writableFinished })
  })
}
