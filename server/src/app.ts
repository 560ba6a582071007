// The composition: the list of modules, joined to the core.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from './config.ts'
import { createChangeFeed } from './core/events/feed.ts'
import { createServer } from './core/http/server.ts'
import { createLogs, type LogSink, type Logs } from './core/log/logs.ts'
import { createAccess } from './core/model/access.ts'
import { readAccessOverrides } from './core/model/access-overrides.ts'
import { announcedMembers } from './core/model/announced.ts'
import { createRegistry } from './core/model/registry.ts'
import type { Module } from './core/module.ts'
import { createObserved, type Observed, observeAll } from './core/observe/index.ts'
import { createRequestLog } from './core/observe/request-log.ts'
import { startTelemetry, type Telemetry } from './core/observe/telemetry.ts'
import { createOverview } from './core/overview.ts'
import { createOriginPolicy } from './core/rest/cross-origin.ts'
import { createFallbacks } from './core/rest/fallbacks.ts'
import { startForgettingKeys } from './core/rest/forget-keys.ts'
import { idempotencyKeys } from './core/rest/idempotency.ts'
import { withPreflights } from './core/rest/options.ts'
import type { Platform } from './core/rest/platform.ts'
import { restRoutes } from './core/rest/routes.ts'
import type { Overview, Service } from './core/rest/service.ts'
import { appliedSeeds, sow } from './core/seeds.ts'
import { createStore } from './core/store/create-store.ts'
import { toText } from './core/store/plan.ts'
import { accounts, createFrontDoor } from './modules/accounts/index.ts'
import { apidoc } from './modules/apidoc/index.ts'
import { contacts } from './modules/contacts/index.ts'
import { createFailureRecorder, errors, type FailureRecorder } from './modules/errors/index.ts'
import { filesModule } from './modules/files/index.ts'
import { friends } from './modules/friends/index.ts'
import { geography } from './modules/geography/index.ts'
import { createHostOrigins, hostsModule } from './modules/hosts/index.ts'
import { mail } from './modules/mail/index.ts'
import { management } from './modules/management/index.ts'
import { membership } from './modules/membership/index.ts'
import { realtime } from './modules/realtime/index.ts'
import { createRental, readRentalSettings } from './modules/rental/index.ts'
import { version } from './version.ts'

/** In the order in which they may import one another. */
export const modules: readonly Module[] = [
  mail,
  contacts,
  filesModule,
  accounts,
  geography,
  hostsModule,
  management,
  apidoc,
  errors,
  friends,
  realtime,
]

/** Those that a deployment may leave out, by their names in `app.modules`. */
const optional: Readonly<Record<string, (config: Config) => Module>> = {
  rental: config => createRental(readRentalSettings(config)),
  membership: () => membership,
}

export const modulesFor = (config: Config): readonly Module[] => [
  ...modules,
  ...config.get('app.modules').flatMap(name => optional[name]?.(config) ?? []),
]

export interface App {
  readonly platform: Platform
  /** Brings the database up to date, sows what is missing, and answers from then on. Gives the address. */
  listen(): Promise<string>
  close(): Promise<void>
  /** Brings the database up to date and sows what is missing, without listening. */
  prepare(): Promise<void>
  /** What a newcomer should be told at the start. */
  greeting(): Promise<string[]>
  planMigration(): Promise<string>
  migrate(): Promise<string>
  openapi(): object
}

export interface AppParts {
  readonly modules?: readonly Module[]
  readonly clock?: () => Date
  readonly clientFolder?: string
  /** Standard output unless given. */
  readonly logTo?: LogSink
}

const clientFolder = fileURLToPath(new URL('../../client/dist', import.meta.url))

export const createApp = async (config: Config, parts: AppParts = {}): Promise<App> => {
  const used = parts.modules ?? modulesFor(config)
  const clock = parts.clock ?? (() => new Date())
  const logs = logsOf(config, parts.logTo ?? 'stdout')
  const observed = createObserved(clock)
  const telemetry = await telemetryOf(config, logs)
  const registry = createRegistry([...used.flatMap(module => module.resources), idempotencyKeys, appliedSeeds])
  const access = createAccess(registry, readAccessOverrides(config, registry), clock)
  const store = await createStore({
    url: await databaseOf(config),
    registry,
    poolSize: config.get('app.database.poolSize'),
    announced: announcedMembers(registry, access),
  })
  const limits = {
    maxPageSize: config.get('app.api.maxPageSize'),
    maxFullCollection: config.get('app.api.maxFullCollection'),
  }
  const changes = createChangeFeed(store.events, {
    log: logs.named('events'),
    retention: { hours: config.get('app.events.keepHours'), rows: config.get('app.events.maxRows') },
  })
  const platform: Platform = { registry, access, store, changes, limits, clock }
  const closing = new AbortController()
  const failures = createFailureRecorder(platform, { log: logs.named('errors'), secrets: config.secrets })
  let listening = ''
  const address = () => config.get('app.baseUrl') || listening
  const service = createService(platform, config, {
    logs,
    observed,
    address,
    overview: () => overview,
    closing: closing.signal,
    failures,
  })
  const fallbacks = createFallbacks(service)
  const generic = restRoutes(service)
  const added = used.map(module => ({
    module,
    routes: withPreflights(service, module.routes?.(service) ?? [], generic),
  }))
  const overview = createOverview({ registry, config, generic, added })
  const server = createServer({
    host: config.get('server.host'),
    port: config.get('server.port'),
    ...(config.get('app.baseUrl') && { baseUrl: config.get('app.baseUrl') }),
    maxBodyBytes: config.get('app.api.maxBodyBytes'),
    log: logs.named('http'),
    routes: overview.routes.map(one => one.route),
    sockets: used.flatMap(module => module.sockets?.(service) ?? []),
    staticFiles: [
      { prefix: '/client', folder: parts.clientFolder ?? clientFolder, fallback: 'index.html' },
      ...used.flatMap(module => module.files ?? []),
    ],
    observe: observeAll(
      createRequestLog(logs.named('http')),
      observed.meters.observe,
      observed.recent.observe,
      ...(telemetry ? [telemetry.observe] : []),
    ),
    ...(telemetry && { around: telemetry.around }),
    ...fallbacks,
  })
  const stops: (() => Promise<void>)[] = []
  const prepare = async (): Promise<void> => {
    await store.migrate(version)
    await sow(store, used, { demo: config.get('app.demo'), clock })
  }
  return {
    platform,
    prepare,
    listen: async () => {
      await prepare()
      for (const module of used) await module.check?.(service)
      await changes.start()
      listening = await server.listen()
      stops.push(
        startForgettingKeys(platform, error => logs.named('rest').error({ err: error }, 'keys were not forgotten')),
      )
      for (const module of used) if (module.start) stops.push(await module.start(service))
      return listening
    },
    close: async () => {
      closing.abort()
      await server.close()
      for (const stop of stops.reverse()) await stop()
      await changes.stop()
      await failures.stop()
      await store.close()
      await telemetry?.stop()
      await logs.flush()
    },
    greeting: async () => {
      const lines = await Promise.all(used.map(module => module.greet?.(service) ?? []))
      return [...greetingOf(config, address()), ...lines.flat()]
    },
    planMigration: async () => toText(await store.plan()),
    migrate: async () => toText(await store.migrate(version)),
    openapi: overview.openapi,
  }
}

/** The configured database, or a file in the data folder, which nobody else may read. */
const databaseOf = async (config: Config): Promise<string> => {
  const url = config.get('app.database.url')
  if (url) return url
  const folder = config.get('app.dataDir')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return join(folder, 'plinth.db')
}

const logsOf = (config: Config, sink: LogSink): Logs =>
  createLogs({
    level: config.get('app.log.level'),
    levels: Object.fromEntries(
      config.named('app.log.levels.<logger>').map(({ parts, value }) => [parts.logger, value]),
    ),
    secrets: config.secrets,
    sink,
  })

const telemetryOf = async (config: Config, logs: Logs): Promise<Telemetry | null> => {
  const endpoint = config.get('app.telemetry.endpoint')
  if (endpoint === '') return null
  const log = logs.named('telemetry')
  const warn = (message: string) => log.warn(message)
  return startTelemetry({ endpoint, intervalSeconds: config.get('app.telemetry.intervalSeconds'), version, warn })
}

interface Surroundings {
  readonly logs: Logs
  readonly observed: Observed
  readonly address: () => string
  readonly overview: () => Overview
  readonly closing: AbortSignal
  readonly failures: FailureRecorder
}

const createService = (platform: Platform, config: Config, around: Surroundings): Service => {
  const allowsOrigin = createOriginPolicy(platform, {
    fixed: config.get('app.cors.allowedOrigins'),
    dynamic: createHostOrigins(platform.store, platform.registry.resource('hosts')),
  })
  const log = around.logs.named('app')
  const { identify, recheck, reportRefusal } = createFrontDoor({ platform, config, log, allowsOrigin })
  return {
    ...around,
    platform,
    config,
    log,
    allowsOrigin,
    identify: noting(identify),
    recheck,
    reportRefusal,
    reportFailure: (error, request) => {
      const { id, method, path } = request
      around.logs.named('rest').error({ err: error, requestId: id, method, path }, 'failed')
      return around.failures.record(error, request)
    },
  }
}

/** The log wants to know who asked. */
const noting =
  (identify: Service['identify']): Service['identify'] =>
  async (request, forgiving) => {
    const caller = await identify(request, forgiving)
    request.callerPk = caller.pk
    return caller
  }

const greetingOf = (config: Config, address: string): string[] => {
  if (!config.get('app.demo')) return []
  return [
    'Demo mode: sign in as admin, operator, staff, client or simple; the password is the username.',
    '',
    `The web client   ${address}/client/`,
    `The reference    ${address}/apidoc`,
    'Try first:',
    `  curl '${address}/api/rest/countries?filter=name==G*&sort=-name&_ps=3' -H 'Accept: application/json'`,
    `  curl -u staff:staff '${address}/api/rest/localities' -H 'Accept: application/hal+json'`,
  ]
}
