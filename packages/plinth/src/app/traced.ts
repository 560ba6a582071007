// The parts of a service whose calls are the stages of a request, as a trace follows them. Only `plinth trace` uses them: a service
// that runs has no part in it.

import type { Route } from '../core/http/exchange.ts'
import type { ServerOptions } from '../core/http/options.ts'
import type { Caller } from '../core/model/caller.ts'
import type { RequestTrace } from '../core/observe/request-trace.ts'
import type { Platform } from '../core/rest/platform.ts'
import type { Service } from '../core/service.ts'
import type { Store } from '../core/store/store.ts'

export interface Tracing {
  readonly trace: RequestTrace
  /** The caller in place of that of the credentials. */
  caller?: Caller
  /** What the request has led to. */
  readonly found: { route?: string; isGeneric?: boolean; caller?: Caller }
}

type Follow = (run: () => unknown) => unknown

/** How calls are followed, by the names of the methods. Other methods are as they were. */
const following = <T extends object>(target: T, follows: Partial<Record<keyof T, Follow>>): T => {
  const known = new Map<PropertyKey, Follow | undefined>(Object.entries<Follow | undefined>(follows))
  return new Proxy(target, {
    get: (_, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      const follow = known.get(key)
      if (!follow) return value.bind(target)
      return (...args: readonly unknown[]) => follow(() => Reflect.apply(value, target, args))
    },
  })
}

/** What follows an estimate or a charge belongs to the same stage. */
const limiting =
  ({ trace }: Tracing): Follow =>
  run =>
    trace.run('rest/query-budget', run, 'rest/query-budget')

export const tracedStore = (store: Store, tracing: Tracing): Store => {
  const read: Follow = run => tracing.trace.run('store/sql/read', run)
  return following(store, {
    ...{
      get: read,
      find: read,
      count: read,
      history: read,
      changed: read,
      valuesAlong: read,
      countAlong: read,
      pairs: read,
    },
    transaction: run => tracing.trace.run('store/transaction', run),
    sizes: limiting(tracing),
  })
}

export const tracedPlatform = (platform: Platform, tracing: Tracing): Platform => ({
  ...platform,
  access: following(platform.access, { permit: run => tracing.trace.once('model/access', run) }),
  rateLimiter: following(platform.rateLimiter, { charge: limiting(tracing) }),
})

/** Callers are authenticated first, although a running service may begin to read for a caller that it knows. */
export const tracedService = (service: Service, tracing: Tracing): Service => ({
  ...service,
  authenticate: (request, forgiving) =>
    tracing.trace.run(
      'auth/authenticate',
      async () => {
        tracing.found.caller = tracing.caller ?? (await service.authenticate(request, forgiving))
        return tracing.found.caller
      },
      tracing.found.isGeneric ? 'rest/pipeline' : undefined,
    ),
  peekCaller: () => null,
})

/** What the generic operations do between the stages that are known. */
const genericCode: Readonly<Record<string, string>> = { GET: 'query/read-query', HEAD: 'query/read-query' }

const tracedRoute = (route: Route, { trace, found }: Tracing): Route => ({
  ...route,
  handler: async request => {
    found.route = `${route.method} ${route.path}`
    found.isGeneric = route.describe === undefined
    trace.expect(found.isGeneric ? (genericCode[request.method] ?? 'rest/write-input') : 'rest/endpoint')
    const response = await route.handler(request)
    trace.nameLast('rest/write-answer', response.status >= 400)
    trace.enter('http/write')
    return response
  },
})

/** Restricts the server to this machine, at a free port, without a log of requests. */
export const tracedServer = (options: ServerOptions, tracing: Tracing): ServerOptions => ({
  ...options,
  host: '127.0.0.1',
  port: 0,
  routes: options.routes.map(route => tracedRoute(route, tracing)),
  observe: () => {},
  around: (_request, _route, exchange) => {
    tracing.trace.enter('rest/pipeline')
    return exchange()
  },
})
