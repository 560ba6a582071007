// Requests of pages: CORS and its preflights, and the check against forged requests (CSRF).
// Browsers send cookies with the requests of any page, so a request that changes something and rests on cookies must come from a page
// of ours, or of an origin that CORS allows. Programs send neither of the two headers.

import { LRUCache } from 'lru-cache'
import { isLoopback } from '../http/caller-address.ts'
import { corsHeaders, readOrigin } from '../http/cors.ts'
import type { Handler, Method, Request, Response, Route } from '../http/exchange.ts'
import type { Logger } from '../log/logger.ts'
import type { Registry } from '../model/registry.ts'
import type { Resource } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import { acceptPatch } from './body.ts'
import type { FrontDoor } from './front-door.ts'
import type { Platform } from './platform.ts'

export interface OriginSources {
  readonly fixed: readonly string[]
  /** Do records allow this origin, such as those of known hosts? */
  readonly dynamic: (origin: string) => Promise<boolean>
  /**
   * Says that pages of servers on this machine, such as that of Vite, are the developer's own: in demo mode and in
   * development.
   */
  readonly trustsLoopback: boolean
  readonly log: Pick<Logger, 'warn'>
}

export type OriginPolicy = Pick<FrontDoor, 'allowsOrigin' | 'isKnownOrigin' | 'mustBeOwnSite'>

const maxKnown = 1000
const knownFor = 3600_000

export const createOriginPolicy = (platform: Platform, sources: OriginSources): OriginPolicy => {
  const { fixed, dynamic, trustsLoopback, log } = sources
  const everywhere = new Set(fixed.map(readOrigin))
  const isTrusted = (origin: string): boolean =>
    everywhere.has(origin) || (trustsLoopback && isLoopback(new URL(origin)))
  const known = new LRUCache<string, true>({ max: maxKnown, ttl: knownFor })
  const refused = new LRUCache<string, true>({ max: maxKnown, ttl: knownFor })
  const isAllowed = async (origin: string, target: Parameters<FrontDoor['allowsOrigin']>[1]): Promise<boolean> => {
    if (target?.resource.definition.cors?.origins?.some(one => readOrigin(one) === origin)) return true
    if (await dynamic(origin)) return true
    return target?.pk !== undefined && recordAllows(platform, origin, { resource: target.resource, pk: target.pk })
  }
  const allowsOrigin: OriginPolicy['allowsOrigin'] = async (sent, target) => {
    const origin = readOrigin(sent)
    if (origin === null) return false
    if (isTrusted(origin)) return true
    const allowed = await isAllowed(origin, target)
    if (allowed) known.set(origin, true)
    return allowed
  }
  /** Callers choose their origins, so each is logged once in a while. */
  const logRefusal = (origin: string, { method, path }: Request): void => {
    if (refused.has(origin)) return
    refused.set(origin, true)
    log.warn({ origin, method, path }, 'refused: pages of this origin are not allowed, see app.cors.allowedOrigins')
  }
  return {
    allowsOrigin,
    isKnownOrigin: sent => {
      const origin = readOrigin(sent)
      return origin !== null && (isTrusted(origin) || known.has(origin))
    },
    mustBeOwnSite: async request => {
      const origin = await foreignOrigin(request, allowsOrigin)
      if (origin === null) return
      logRefusal(origin, request)
      throw foreignProblem(origin)
    },
  }
}

/** The record is read without rights: its origins are public, and a preflight has no caller. */
const recordAllows = async (
  { store }: Platform,
  origin: string,
  { resource, pk }: { resource: Resource; pk: string },
): Promise<boolean> => {
  const field = resource.definition.cors?.originsField
  if (!field) return false
  const origins = (await store.get(resource, pk))?.[field]
  const list = Array.isArray(origins) ? origins : [origins]
  return list.some(one => typeof one === 'string' && readOrigin(one) === origin)
}

/** Refuses every page of another site. */
export const refuseForeign = async (request: Request): Promise<void> => {
  const origin = await foreignOrigin(request, async () => false)
  if (origin !== null) throw foreignProblem(origin)
}

const foreignProblem = (origin: string): Problem =>
  new Problem('forbidden', `The origin ${origin} is not allowed to send this request (CSRF protection).`)

/** The origin of a page of another site that CORS does not allow; null for all other requests. */
const foreignOrigin = async (request: Request, allowsOrigin: FrontDoor['allowsOrigin']): Promise<string | null> => {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  // `none`: the person at the browser, not a page.
  const isOurs = site === undefined ? origin === undefined : site === 'same-origin' || site === 'none'
  if (origin === undefined) return isOurs ? null : 'of the page'
  const isAllowed = isOwnOrigin(origin, request.base) ? site !== 'cross-site' : await allowsOrigin(origin, null)
  return isAllowed ? null : (readOrigin(origin) ?? 'of the page')
}

/**
 * Says whether the origin is the service's own. Behind a proxy that ends TLS the service sees http where the browser
 * sees https.
 */
const isOwnOrigin = (origin: string, base: string): boolean => {
  const own = new URL(base)
  const page = URL.canParse(origin) ? new URL(origin) : null
  return page !== null && page.host === own.host && (page.protocol === own.protocol || page.protocol === 'https:')
}

interface Exchanged {
  readonly request: Request
  readonly response: Response
}

const exposedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export const withCors = async (
  service: FrontDoor,
  resource: Resource | null,
  { request, response }: Exchanged,
): Promise<Response> => {
  const origin = request.headers.origin ?? ''
  // The answer is ready: that the origin cannot be looked up must not replace it.
  const allowed = await service
    .allowsOrigin(origin, resource && { resource, pk: request.params.pk })
    .catch((error: unknown) => {
      service.reportFailure(error, request)
      return false
    })
  const headers = corsHeaders({ origin, allowed: () => allowed, allow: exposedMethods })
  const { Vary = 'Accept, Origin, Authorization, Cookie' } = response.headers ?? {}
  return { ...response, headers: { ...response.headers, ...headers, Vary } }
}

/**
 * For refusals under load: nothing is looked up. A preflight of a known origin is granted, since only then does the browser send
 * the request itself, whose refusal the page can read.
 */
export const refusalWithCors = (service: FrontDoor, { request, response }: Exchanged): Response => {
  const { origin, 'access-control-request-method': method } = request.headers
  if (origin === undefined) return response
  const isPreflight = request.method === 'OPTIONS' && method !== undefined
  const preflight = { method, headers: request.headers['access-control-request-headers'] }
  const headers = corsHeaders({
    origin,
    allowed: () => service.isKnownOrigin(origin),
    allow: exposedMethods,
    ...(isPreflight && { preflight }),
  })
  const isGranted = isPreflight && headers['access-control-allow-origin'] !== undefined
  return { ...response, ...(isGranted && { status: 204 }), headers: { ...response.headers, ...headers } }
}

/** Answers without credentials: a browser sends none with its preflight (Fetch standard, section 3.3.2). */
export const options = (service: FrontDoor, resource: Resource | null, methods: readonly Method[]): Handler => {
  const allow: string[] = [...methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS']
  return async request => {
    const { origin } = request.headers
    const allowed =
      origin !== undefined && (await service.allowsOrigin(origin, resource && { resource, pk: request.params.pk }))
    const method = request.headers['access-control-request-method']
    const headers = request.headers['access-control-request-headers']
    return {
      status: 204,
      headers: {
        Allow: allow.join(', '),
        ...(methods.includes('PATCH') && acceptPatch),
        ...corsHeaders({ origin, allowed: () => allowed, allow, preflight: { method, headers } }),
      },
    }
  }
}

/**
 * Gives each path of a module an OPTIONS that answers preflights, unless it has one, or the generic one of the path lists all its
 * methods.
 */
export const withPreflights = (
  service: FrontDoor,
  routes: readonly Route[],
  generic: MethodsByPath,
): readonly Route[] => {
  const missing = [...methodsByPath(routes)].flatMap(([path, own]) => {
    const known: readonly Method[] = (generic.get(path) ?? []).filter(method => method !== 'OPTIONS')
    const added = own.filter(method => !known.includes(method))
    return own.includes('OPTIONS') || added.length === 0 ? [] : [{ path, methods: [...known, ...added] }]
  })
  return [
    ...routes,
    ...missing.map(({ path, methods }): Route => {
      const resource = resourceIn(path, service.platform.registry)
      return { method: 'OPTIONS', path, handler: options(service, resource, methods) }
    }),
  ]
}

export type MethodsByPath = ReadonlyMap<string, readonly Method[]>

export const methodsByPath = (routes: readonly Route[]): MethodsByPath => {
  const methods = new Map<string, Method[]>()
  for (const { path, method } of routes) {
    const known = methods.get(path)
    if (known) known.push(method)
    else methods.set(path, [method])
  }
  return methods
}

/** The resource that a path below `/api/rest` belongs to: its own rules on origins count there. */
export const resourceIn = (path: string, registry: Registry): Resource | null => {
  const name = /^\/api\/rest\/(\w+)/.exec(path)?.[1]
  return name === undefined ? null : registry.published(name)
}
