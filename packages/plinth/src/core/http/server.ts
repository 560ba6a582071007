// Routes and options in, a server that listens and ends in order out.

import { createServer as createNodeServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { FastifyInstance } from 'fastify'
import { promisesValue } from '../model/description.ts'
import { Problem } from '../problem.ts'
import { createAllowedMethods, everyMethod, isNamedPart } from './allow.ts'
import { Bodies } from './bodies.ts'
import { createCallerAddress } from './caller-address.ts'
import { Connections } from './connections.ts'
import type { Handler, Route } from './exchange.ts'
import { isLost, refuseConnection, toProblem } from './faults.ts'
import { type Check, createHostCheck } from './host-check.ts'
import { createBaseOf, Incoming, readTarget, type Seen } from './incoming.ts'
import { defaultTimeouts, type HttpServer, type ServerOptions, type Timeouts, type Tls } from './options.ts'
import { Overload } from './overload.ts'
import { type Answering, addRoutes, createRouter, type Refusals } from './router.ts'
import { createRun, observeWhenClosed, type Run } from './run.ts'
import { apiHeaders, type HeaderSet, pageHeaders } from './security-headers.ts'
import { serveSockets } from './sockets.ts'
import { serveStaticFiles } from './static-files.ts'
import type { StaticFiles } from './static-folder.ts'

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
  const run = createRun(options, { security, isDraining, arrived: connections.arrived })
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
      if (route) connections.take(reply.raw)
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
    bodies,
  })

/** Refuses requests before the body is read: a connection that is not served, overload, another host. */
const createCheck = (options: ServerOptions, connections: Connections, overload: Overload): Check => {
  const isExempt = createExemption(options)
  const probes = options.routes.filter(route => route.anyHost).map(route => route.path)
  const checkHost = createHostCheck({ ...options, probes })
  const shed: Check = raw => (!isExempt(raw) && overload.refuses(raw) ? tooBusy() : null)
  return raw => connections.refusalOf(raw.socket) ?? (overload.isOn ? shed(raw) : null) ?? checkHost(raw)
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
        observeWhenClosed(observe, { request, route: null, started: performance.now() - reply.elapsedTime }, reply.raw)
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
