// The composition: the list of modules, joined to the core.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { type DescribedEndpoint, toOpenApi } from './core/describe/openapi.ts'
import type { Route } from './core/http/exchange.ts'
import { createServer } from './core/http/server.ts'
import { createAccess } from './core/model/access.ts'
import { createRegistry, type Registry } from './core/model/registry.ts'
import type { Module } from './core/module.ts'
import { createOriginPolicy } from './core/rest/cross-origin.ts'
import { createFallbacks } from './core/rest/fallbacks.ts'
import { idempotencyKeys } from './core/rest/idempotency.ts'
import { familyOf } from './core/rest/matrix.ts'
import type { Platform } from './core/rest/platform.ts'
import { restRoutes } from './core/rest/routes.ts'
import type { Service } from './core/rest/service.ts'
import { appliedSeeds, sow } from './core/seeds.ts'
import { createStore } from './core/store/create-store.ts'
import { toText } from './core/store/plan.ts'
import { accounts, identifyDemoCaller } from './modules/accounts/index.ts'
import { geography } from './modules/geography/index.ts'
import { createHostOrigins, hostsModule } from './modules/hosts/index.ts'
import { mail } from './modules/mail/index.ts'
import { version } from './version.ts'

/** In the order in which they may import one another. */
export const modules: readonly Module[] = [mail, accounts, geography, hostsModule]

export interface App {
  readonly platform: Platform
  /** Brings the database up to date, sows what is missing, and answers from then on. Gives the address. */
  listen(): Promise<string>
  close(): Promise<void>
  /** What a newcomer should be told at the start. */
  greeting(): string[]
  planMigration(): Promise<string>
  migrate(): Promise<string>
  openapi(): object
}

export interface AppParts {
  readonly modules?: readonly Module[]
  readonly clock?: () => Date
  readonly clientFolder?: string
}

const clientFolder = fileURLToPath(new URL('../../client/dist', import.meta.url))

export const createApp = async (config: Config, parts: AppParts = {}): Promise<App> => {
  const used = parts.modules ?? modules
  const clock = parts.clock ?? (() => new Date())
  const log = pino({ level: config.get('app.log.level') })
  const registry = createRegistry([...used.flatMap(module => module.resources), idempotencyKeys, appliedSeeds])
  const access = createAccess(registry, accessOverrides(config))
  const store = await createStore({
    url: await databaseOf(config),
    registry,
    poolSize: config.get('app.database.poolSize'),
  })
  const limits = {
    maxPageSize: config.get('app.api.maxPageSize'),
    maxFullCollection: config.get('app.api.maxFullCollection'),
  }
  const platform: Platform = { registry, access, store, limits, clock }
  let listening = ''
  const service = createService(platform, config, { log, address: () => config.get('app.baseUrl') || listening })
  const fallbacks = createFallbacks(service)
  const added = used.map(module => ({ module, routes: module.routes?.(service) ?? [] }))
  const routes: readonly Route[] = [...restRoutes(service), ...added.flatMap(one => one.routes)]
  const server = createServer({
    host: config.get('server.host'),
    port: config.get('server.port'),
    ...(config.get('app.baseUrl') && { baseUrl: config.get('app.baseUrl') }),
    maxBodyBytes: config.get('app.api.maxBodyBytes'),
    log,
    routes,
    staticFiles: [{ prefix: '/client', folder: parts.clientFolder ?? clientFolder, fallback: 'index.html' }],
    ...fallbacks,
  })
  const stops: (() => Promise<void>)[] = []
  return {
    platform,
    listen: async () => {
      await store.migrate(version)
      await sow(store, used, { demo: config.get('app.demo'), clock })
      listening = await server.listen()
      for (const module of used) if (module.start) stops.push(await module.start(service))
      return listening
    },
    close: async () => {
      await server.close()
      for (const stop of stops.reverse()) await stop()
      await store.close()
    },
    greeting: () => greetingOf(config),
    planMigration: async () => toText(await store.plan()),
    migrate: async () => toText(await store.migrate(version)),
    openapi: () => openApiOf(registry, config, added),
  }
}

const accessOverrides = (config: Config): ReadonlyMap<string, string> =>
  new Map(
    config
      .named('app.access.<resource>.<operation>')
      .map(({ parts, value }) => [`${parts.resource}.${parts.operation}`, value]),
  )

/** The configured database, or a file in the data folder, which nobody else may read. */
const databaseOf = async (config: Config): Promise<string> => {
  const url = config.get('app.database.url')
  if (url) return url
  const folder = config.get('app.dataDir')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return join(folder, 'plinth.db')
}

interface Surroundings {
  readonly log: Logger
  readonly address: () => string
}

const createService = (platform: Platform, config: Config, { log, address }: Surroundings): Service => ({
  platform,
  config,
  log,
  address,
  identify: identifyDemoCaller(config.get('app.demo')),
  allowsOrigin: createOriginPolicy(platform, {
    fixed: config.get('app.cors.allowedOrigins'),
    dynamic: createHostOrigins(platform.store, platform.registry.resource('hosts')),
  }),
  reportFailure: (error, request) =>
    log.error({ err: error, requestId: request.id, method: request.method, path: request.path }, 'failed'),
})

interface ModuleRoutes {
  readonly module: Module
  readonly routes: readonly Route[]
}

const openApiOf = (registry: Registry, config: Config, added: readonly ModuleRoutes[]): object =>
  toOpenApi({
    registry,
    info: { title: 'Plinth', version, description: 'One uniform set of operations on every resource.' },
    families: familyOf,
    securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
    endpoints: added.flatMap(({ module, routes }) => routes.flatMap(route => toEndpoint(module, route))),
    schemas: Object.assign({}, ...added.map(({ module }) => module.schemas ?? {})),
    tags: added.map(({ module }) => ({ name: module.name, description: module.about })),
    baseUrl: config.get('app.baseUrl') || `http://${config.get('server.host')}:${config.get('server.port')}`,
  })

const toEndpoint = (module: Module, { method, path, describe }: Route): DescribedEndpoint[] =>
  describe ? [{ method, path, description: describe, tag: module.name }] : []

const greetingOf = (config: Config): string[] => {
  if (!config.get('app.demo')) return []
  return [
    'Demo mode: sign in as admin with the password admin.',
    '',
    'Try first:',
    "  curl 'localhost:8080/api/rest/countries?filter=name==G*&sort=-name&_ps=3' -H 'Accept: application/json'",
  ]
}
