// OPT: the methods of a path, and the cross-origin headers that a request of the given origin would get.

import { corsHeaders } from '../http/cors.ts'
import type { Handler, Method, Route } from '../http/exchange.ts'
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

/** Gives each path of a module that has no OPTIONS, of its own or among the generic ones, one that answers preflights. */
export const withPreflights = (
  service: Service,
  routes: readonly Route[],
  generic: readonly Route[],
): readonly Route[] => {
  const answered = new Set(generic.filter(({ method }) => method === 'OPTIONS').map(({ path }) => path))
  const methods = new Map<string, Method[]>()
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  const missing = [...methods].filter(([path, known]) => !known.includes('OPTIONS') && !answered.has(path))
  return [
    ...routes,
    ...missing.map(([path, known]): Route => ({ method: 'OPTIONS', path, handler: options(service, null, known) })),
  ]
}
