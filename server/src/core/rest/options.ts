// OPT: the methods of a path, and the cross-origin headers that a request of the given origin would get.

import { corsHeaders } from '../http/cors.ts'
import type { Handler, Method, Route } from '../http/exchange.ts'
import type { Registry } from '../model/registry.ts'
import type { Resource } from '../model/resource.ts'
import type { Service } from './service.ts'

/** Answered without credentials: a browser sends none with its preflight (Fetch standard, section 3.3.2). */
export const options = (service: Service, resource: Resource | null, methods: readonly Method[]): Handler => {
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
        ...corsHeaders({ origin, allowed: () => allowed, allow, preflight: { method, headers } }),
      },
    }
  }
}

/**
 * Gives each path of a module an OPTIONS that answers preflights, unless it has one, or the generic one of the path tells of all
 * its methods.
 */
export const withPreflights = (
  service: Service,
  routes: readonly Route[],
  generic: readonly Route[],
): readonly Route[] => {
  const answered = methodsByPath(generic)
  const missing = [...methodsByPath(routes)].flatMap(([path, own]) => {
    const known: readonly Method[] = (answered.get(path) ?? []).filter(method => method !== 'OPTIONS')
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

const methodsByPath = (routes: readonly Route[]): ReadonlyMap<string, readonly Method[]> => {
  const methods = new Map<string, Method[]>()
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}

/** The resource that a path below `/api/rest` belongs to: its own rules on origins count there. */
export const resourceIn = (path: string, registry: Registry): Resource | null => {
  const name = /^\/api\/rest\/(\w+)/.exec(path)?.[1]
  return name === undefined ? null : registry.published(name)
}
