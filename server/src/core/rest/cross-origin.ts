// Which origins may use which address: the static list, the dynamic one, the model's own and the record's own. And the headers
// that let their pages read a response.

import { LRUCache } from 'lru-cache'
import { corsHeaders, readOrigin } from '../http/cors.ts'
import type { Request, Response } from '../http/exchange.ts'
import type { Resource } from '../model/resource.ts'
import type { Platform } from './platform.ts'
import type { FrontDoor, Service } from './service.ts'

export interface OriginSources {
  readonly fixed: readonly string[]
  /** Do records allow this origin, such as those of known hosts? */
  readonly dynamic: (origin: string) => Promise<boolean>
}

export type OriginPolicy = Pick<Service, 'allowsOrigin' | 'isKnownOrigin'>

const maxKnown = 1000
const knownFor = 3600_000

export const createOriginPolicy = (platform: Platform, { fixed, dynamic }: OriginSources): OriginPolicy => {
  const everywhere = new Set(fixed.map(readOrigin))
  const known = new LRUCache<string, true>({ max: maxKnown, ttl: knownFor })
  const isAllowed = async (origin: string, target: Parameters<Service['allowsOrigin']>[1]): Promise<boolean> => {
    if (target?.resource.definition.cors?.origins?.some(one => readOrigin(one) === origin)) return true
    if (await dynamic(origin)) return true
    return target?.pk !== undefined && recordAllows(platform, origin, { resource: target.resource, pk: target.pk })
  }
  return {
    allowsOrigin: async (sent, target) => {
      const origin = readOrigin(sent)
      if (origin === null) return false
      if (everywhere.has(origin)) return true
      const allowed = await isAllowed(origin, target)
      if (allowed) known.set(origin, true)
      return allowed
    },
    isKnownOrigin: sent => {
      const origin = readOrigin(sent)
      return origin !== null && (everywhere.has(origin) || known.has(origin))
    },
  }
}

/** The record is read without rights: what it says of origins is no secret, and a preflight has no caller. */
const recordAllows = async (
  { store }: Platform,
  origin: string,
  { resource, pk }: { resource: Resource; pk: string },
): Promise<boolean> => {
  const member = resource.definition.cors?.originsMember
  if (!member) return false
  const origins = (await store.get(resource, pk))?.[member]
  const list = Array.isArray(origins) ? origins : [origins]
  return list.some(one => typeof one === 'string' && readOrigin(one) === origin)
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
