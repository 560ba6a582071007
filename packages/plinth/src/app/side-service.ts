// A service beside that of the application, in a process of its own: some tables and endpoints, on a database and at addresses of
// its own, with callers of its own. It has none of the modules.

import { dirname } from 'node:path'
import { apiSettings } from '../core/config/api-settings.ts'
import { logSettings } from '../core/config/service-settings.ts'
import type { Config } from '../core/config/settings.ts'
import { createFolder } from '../core/durable-files.ts'
import { ChangeFeed } from '../core/events/change-feed.ts'
import type { UncaughtReporter } from '../core/guarded.ts'
import type { Request, Route } from '../core/http/exchange.ts'
import { type HttpServer, readLimits, type Tls } from '../core/http/options.ts'
import { createServer } from '../core/http/server.ts'
import { createLogs, type Logs } from '../core/log/logs.ts'
import { createAccess } from '../core/model/access.ts'
import { anonymous, type Caller } from '../core/model/caller.ts'
import { createCodeContexts } from '../core/model/code-context.ts'
import type { ResourceDefinition } from '../core/model/define.ts'
import type { Records } from '../core/model/records.ts'
import { createRegistry, type Registry } from '../core/model/registry.ts'
import type { MistakeListener } from '../core/model/running-code.ts'
import { Problem } from '../core/problem.ts'
import { createMistakeReporter } from '../core/records/mistakes.ts'
import { recordsWithin, serviceRecords } from '../core/records/records.ts'
import { bodyPolicyOf } from '../core/rest/body-policy.ts'
import type { Endpoint } from '../core/rest/endpoint.ts'
import { endpointRoutes } from '../core/rest/endpoint-route.ts'
import { ExportTurns } from '../core/rest/export-turns.ts'
import type { FrontDoor } from '../core/rest/front-door.ts'
import { KeyClaims } from '../core/rest/idempotency-keys.ts'
import { limitsOf } from '../core/rest/limits.ts'
import { refuseForeign } from '../core/rest/origins.ts'
import { type Platform, systemClock } from '../core/rest/platform.ts'
import { createFallbacks } from '../core/rest/problem-response.ts'
import { RateLimiter } from '../core/rest/rate-limiter.ts'
import { createStore } from '../core/store/create-store.ts'
import { DatabaseFailure, diagnose } from '../core/store/databases.ts'
import type { Store } from '../core/store/store.ts'
import { version } from '../version.ts'
import { startIndexBuilds } from './index-builds.ts'
import { startSearchUpkeep } from './search-upkeep.ts'
import { problemTextsOf } from './translate-problems.ts'

/** Some tables of a database. */
export interface OpenRecords {
  /** The records without permissions. */
  readonly records: Records
  close(): Promise<void>
}

/** `database` is the address of a PostgreSQL database or the path of an SQLite file. */
export interface RecordPlace {
  readonly database: string
  readonly resources: readonly ResourceDefinition[]
}

const openStore = async (database: string, registry: Registry, mistakes?: MistakeListener): Promise<Store> => {
  if (!database.includes('://')) await createFolder(dirname(database))
  return createStore({ url: database, registry, ...(mistakes && { mistakes }) }).catch(error => {
    throw toFailure(error, database)
  })
}

/** An error of the database in words for its operator; others as they are. */
const toFailure = (error: unknown, database: string): unknown => {
  const trouble = diagnose(error, database)
  return trouble ? new DatabaseFailure(trouble, error) : error
}

/**
 * Opens tables for a command that needs nothing else of a service. They are taken as they are: nothing is migrated.
 *
 * @example
 * const gate = await openRecords({ database: 'data/gate.db', resources: [books] })
 * const count = await gate.records.count(books)
 * await gate.close()
 */
export const openRecords = async ({ database, resources }: RecordPlace): Promise<OpenRecords> => {
  const store = await openStore(database, createRegistry(resources))
  return { records: serviceRecords({ store, clock: systemClock }), close: () => store.close() }
}

/** The tables of a side service, and its callers. */
export interface SideServiceOptions extends RecordPlace {
  /** The name of the side service in its log. */
  readonly name: string
  /** The caller of a request with these credentials; null when they are wrong. A request without any is anonymous. */
  readonly authenticate: (authorization: string) => Caller | null
}

/** An address that the service listens on, and what it answers there. */
export interface SideAddress {
  /** The address, such as `https://node.example:8443`. */
  readonly url: string
  /** The key and certificates of an https address. */
  readonly tls?: Tls | undefined
  readonly endpoints?: readonly Endpoint[]
  readonly routes?: readonly Route[]
}

/** A service beside that of the application. Made by `createSideService`. */
export interface SideService extends UncaughtReporter {
  readonly platform: Platform
  readonly log: ReturnType<Logs['named']>
  /** Authenticates a request; wrong credentials count as none if `forgiving`. */
  authenticate(request: Request, forgiving?: boolean): Caller
  /** Gives the addresses, once the service answers there. */
  listen(addresses: readonly SideAddress[]): Promise<readonly string[]>
  /** Ends the requests under way. The database stays open until `close`. */
  stopListening(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database, migrates it to `resources`, and prepares the service; `listen` starts it.
 *
 * @example
 * const service = await createSideService(config, {
 *   name: 'gate',
 *   database: 'data/gate.db',
 *   resources: [books],
 *   authenticate: () => null,
 * })
 */
export const createSideService = async (config: Config, options: SideServiceOptions): Promise<SideService> => {
  const { level } = config.get(logSettings)
  const logs = createLogs({ level, levels: {}, secrets: [...config.secrets], sink: 'stderr' })
  const log = logs.named(options.name)
  const codeContexts = createCodeContexts(config.get, logs)
  const registry = createRegistry(options.resources, {
    codeOf: ({ name }) => codeContexts(`${options.name}.${name}`),
  })
  const mistakes = createMistakeReporter({ log })
  const store = await openStore(options.database, registry, mistakes)
  const servers: HttpServer[] = []
  const stopListening = async (): Promise<void> => {
    await Promise.all(servers.splice(0).map(server => server.close()))
  }
  let [stopBuilding, stopUpkeep] = [async (): Promise<void> => {}, async (): Promise<void> => {}]
  const close = async (): Promise<void> => {
    await stopListening()
    await Promise.all([stopBuilding(), stopUpkeep()])
    await store.close()
    await logs.flush()
  }
  try {
    const { builds = [], searches = [] } = await store.migrate(version)
    if (builds.length + searches.length > 0) stopBuilding = startIndexBuilds(store, { log, version })
    stopUpkeep = startSearchUpkeep({ store, registry }, log)
  } catch (error) {
    await close()
    throw toFailure(error, options.database)
  }
  const clock = systemClock
  const records = serviceRecords({ store, clock })
  const platform: Platform = {
    ...{ registry, store, clock },
    access: createAccess(registry),
    changes: new ChangeFeed(store.events, { log, retention: { hours: 1, rows: 1000 } }),
    limits: limitsOf(config),
    texts: problemTextsOf([]),
    bodies: bodyPolicyOf(config),
    exports: new ExportTurns(),
    rateLimiter: new RateLimiter({ clock }),
    fingerprintKey: () => Promise.reject(new Error('a side service takes no Idempotency-Key')),
    reportPurge: () => Promise.resolve(),
    recordsIn: recordsWithin,
    // Its callers send their credentials with each request.
    mustBeRecent: () => Promise.resolve(),
    records,
    codeContexts,
    keyClaims: new KeyClaims(records),
  }
  const door = createDoor(platform, options, logs)
  const open = ({ url, tls, endpoints = [], routes = [] }: SideAddress): HttpServer =>
    createServer({
      ...placeOf(url),
      ...(tls && url.startsWith('https:') && { tls }),
      maxBodyBytes: config.get(apiSettings).maxBodyBytes,
      limits: readLimits(config),
      log: logs.named('http'),
      routes: [...endpointRoutes(door, endpoints, options.name), ...routes],
      ...createFallbacks(door),
    })
  return {
    platform,
    log,
    authenticate: door.authenticate,
    listen: addresses => {
      servers.push(...addresses.map(open))
      return Promise.all(servers.map(server => server.listen()))
    },
    ...mistakes,
    stopListening,
    close,
  }
}

const placeOf = (url: string): { readonly host: string; readonly port: number } => {
  const { protocol, hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}

type SideDoor = FrontDoor & { authenticate(request: Request, forgiving?: boolean): Caller }

const createDoor = (platform: Platform, { authenticate }: SideServiceOptions, logs: Logs): SideDoor => {
  const log = logs.named('rest')
  return {
    platform,
    authenticate: ({ headers: { authorization }, remoteAddress, path }, forgiving) => {
      if (authorization === undefined) return anonymous
      const caller = authenticate(authorization)
      if (caller) return caller
      if (forgiving) return anonymous
      log.warn({ remoteAddress, path }, 'wrong login')
      throw new Problem('unauthorized')
    },
    peekCaller: () => null,
    allowsOrigin: async () => false,
    isKnownOrigin: () => false,
    mustBeOwnSite: refuseForeign,
    receiveForm: () => Promise.reject(new Error('a side service takes no files')),
    reportRefusal: () => {},
    reportFailure: (error, { id, method, path }) => {
      log.error({ err: error, requestId: id, method, path }, 'failed')
      return null
    },
  }
}
