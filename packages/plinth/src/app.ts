// The composition: the list of modules, joined to the core.

import { setMaxListeners } from 'node:events'
import { styleText } from 'node:util'
import { createBackground } from './app/background.ts'
import { builtClient } from './app/built-client.ts'
import { type AppDefinition, composedModules, modulesFor, optionalIn } from './app/define-app.ts'
import { warnOfDefinitions } from './app/definition-warnings.ts'
import { greetingOf } from './app/greeting.ts'
import { startIndexBuilds } from './app/index-builds.ts'
import { logMigration, logsFor, telemetryFor } from './app/observation.ts'
import { createPlatform } from './app/platform.ts'
import { startSearchUpkeep } from './app/search-upkeep.ts'
import { mustHaveFolders, routesOf, serverFor } from './app/server.ts'
import { createService } from './app/service.ts'
import { type Tracing, tracedService } from './app/traced.ts'
import { brandOf, webClientFiles } from './app/web-client.ts'
import { appSettings } from './core/config/service-settings.ts'
import type { Config } from './core/config/settings.ts'
import { applyMigrations, type MigrationChoice, pendingMigrations } from './core/data-migrations/apply.ts'
import type { UncaughtReporter } from './core/guarded.ts'
import type { LogSink } from './core/log/logs.ts'
import type { GreetingPlace, Module } from './core/module.ts'
import { createObserved } from './core/observe/requests.ts'
import { createOverview } from './core/overview.ts'
import { createMistakeReporter } from './core/records/mistakes.ts'
import { type Platform, systemClock } from './core/rest/platform.ts'
import { applySeeds } from './core/seeds.ts'
import type { Service } from './core/service.ts'
import { type MigrationPlan, mustBeAccepted, toText } from './core/store/migrate/plan.ts'
import { createFailureRecorder } from './modules/errors/index.ts'
import { version as packageVersion } from './version.ts'

export interface App extends UncaughtReporter {
  readonly platform: Platform
  readonly service: Service
  /** Migrates the database, applies seeds, and listens. Gives the address. */
  listen(): Promise<string>
  close(): Promise<void>
  /** Listens, without changing the database and without work in the background. Gives the address. */
  serve(): Promise<string>
  /** Migrates the database and applies seeds, without listening. */
  prepare(): Promise<void>
  /** Lines for a new user, printed at the start. */
  greeting(place?: GreetingPlace): Promise<string[]>
  planMigration(choice?: MigrationChoice): Promise<string>
  /** Fails where `migrate` would, for what it can tell without changing anything. */
  checkMigration(): Promise<void>
  migrate(choice?: MigrationChoice): Promise<string>
  openapi(): object
}

export interface AppParts {
  /** The modules in place of those of the application. */
  readonly modules?: readonly Module[]
  readonly clock?: () => Date
  /** The folder of the built web client. */
  readonly clientFolder?: string
  /** The folder of the bundled pages of modules; without it, the web client has none. */
  readonly pagesFolder?: string | undefined
  /** The folder of the application, where paths in its definition begin; by default the working directory. */
  readonly appFolder?: string
  /** Standard output unless given. */
  readonly logTo?: LogSink
  /** The version of Plinth, which the database records: that of the package by default. */
  readonly version?: string
  /** `plinth dev` runs it: pages of other servers on this machine are trusted. */
  readonly isDevelopment?: boolean
  /** The data are those of a test: commits need not wait for the disk. */
  readonly isDisposable?: boolean
  /** Starts although a newer model has used the database. */
  readonly allowsOlder?: boolean
  /** Follows requests, and writes nothing to the database. */
  readonly tracing?: Tracing
}

/** How long slow searches may go on when the service stops; other requests have the time that the server gives them. */
const slowReadGraceMs = 2000

const toLines = (title: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `\n-- ${title}:\n${names.map(name => `-- - ${name}\n`).join('')}`

/** Announces a mistake between the lines of the log, which a developer may not read. */
const announceMistake = (text: string): void => {
  const isTerminal = process.stderr.isTTY
  console.error(isTerminal ? `\n${styleText(['red', 'bold'], text)}\n` : `\n${text}\n`)
}

export const createApp = async (app: AppDefinition, config: Config, parts: AppParts = {}): Promise<App> => {
  const { clock = systemClock, clientFolder = builtClient, appFolder = '.', version = packageVersion } = parts
  const used = parts.modules ? composedModules(parts.modules, config) : modulesFor(app, config)
  const { isDevelopment = false, pagesFolder } = parts
  const client = webClientFiles(app, { built: clientFolder, own: appFolder, pages: pagesFolder, isDevelopment })
  const logs = logsFor(config, parts.logTo ?? 'stdout')
  const telemetry = await telemetryFor(config, logs)
  const announce = isDevelopment ? announceMistake : undefined
  const mistakes = createMistakeReporter({ log: logs.named('app'), announce })
  const platform = await createPlatform(config, {
    ...{
      modules: used,
      languages: app.languages,
      clock,
      logs,
      isDisposable: parts.isDisposable,
      allowsOlder: parts.allowsOlder,
    },
    mistakes,
    tracing: parts.tracing,
  })
  const failures = createFailureRecorder(platform, { log: logs.named('errors'), secrets: config.secrets })
  const closing = new AbortController()
  // Each open event stream listens to it.
  setMaxListeners(0, closing.signal)
  let listening = ''
  let release = (): void => {}
  let [stopBuilding, stopUpkeep] = [async (): Promise<void> => {}, async (): Promise<void> => {}]
  const untraced = createService({
    ...{ platform, config, logs, failures, modules: used },
    isDevelopment,
    observed: createObserved(clock),
    closing: closing.signal,
    address: () => config.get(appSettings).baseUrl || listening,
    overview: () => overview,
    jobs: () => background.jobs,
    traffic: () => server.traffic(),
  })
  const service = parts.tracing ? tracedService(untraced, parts.tracing) : untraced
  const live = used.map(module => ({ ...module, ...module.create?.(service) }))
  const overview = createOverview({
    ...{ platform, config, title: app.name, version: app.version },
    ...{ brand: brandOf(app, appFolder), optional: optionalIn(app, config) },
    ...routesOf(service, live),
  })
  const server = serverFor(service, {
    ...{ modules: live, telemetry, client, appFolder, isDevelopment, pagesFolder },
    tracing: parts.tracing,
  })
  const background = createBackground(service, live)
  const { store, changes } = platform
  const log = logs.named('database')
  const migrate = async (choice: MigrationChoice = { contracts: false }) => {
    for (const module of used) await module.checkBeforeMigration?.(config)
    const plan = await store.migrate(version, choice)
    return { plan, applied: await applyMigrations(platform, used, choice) }
  }
  const prepare = async (): Promise<MigrationPlan> => {
    const { plan, applied } = await migrate()
    logMigration(log, plan, version)
    if (applied.length > 0) log.info({ applied }, 'data migrated')
    const seeds = await applySeeds(platform, used, { demo: config.get(appSettings).demo })
    if (seeds.length > 0) log.info({ seeds }, 'seeds applied')
    return plan
  }
  return {
    platform,
    service,
    prepare: async () => {
      await prepare()
    },
    listen: async () => {
      mustHaveFolders(live, appFolder)
      release = store.claim('service')
      const { steps, builds = [], searches = [] } = await prepare()
      // Not for commands, whose output people read.
      if (steps.length + builds.length === 0) log.info({ version }, 'database is up to date')
      for (const module of live) await module.check?.(service)
      warnOfDefinitions(service)
      await changes.start()
      listening = await server.listen()
      await background.start()
      if (builds.length + searches.length > 0) stopBuilding = startIndexBuilds(store, { log, version })
      stopUpkeep = startSearchUpkeep({ store, registry: platform.registry }, log)
      return listening
    },
    ...mistakes,
    serve: async () => {
      listening = await server.listen()
      return listening
    },
    close: async () => {
      closing.abort()
      store.endSlowReads(slowReadGraceMs)
      await server.close()
      await Promise.all([stopBuilding(), stopUpkeep()])
      await background.stop()
      await changes.stop()
      await failures.stop()
      release()
      await store.close()
      await telemetry?.stop()
      await logs.flush()
    },
    greeting: (place = 'terminal') => greetingOf(service, live, place),
    planMigration: async (choice = { contracts: false }) => {
      const plan = await store.plan(version, choice)
      // Former names that are dropped do not stand in the way of data migrations.
      const before = choice.contracts ? await store.plan(version) : plan
      const isReady = before.steps.length === 0 && plan.refused.length === 0
      const pending = isReady ? await pendingMigrations(platform, used, choice) : []
      return toText(plan, await store.tableRows()) + toLines('Data migrations to apply', pending)
    },
    checkMigration: async () => void mustBeAccepted(await store.plan(version)),
    migrate: async choice => {
      const { plan, applied } = await migrate(choice)
      await store.buildIndexes({ version })
      await store.buildSearch(new AbortController().signal)
      return toText(plan) + toLines('Data migrations applied', applied)
    },
    openapi: overview.openapi,
  }
}
