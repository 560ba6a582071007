// The platform as configured: the model of all modules, its rights, its database and the feed of its changes.

import { open } from 'node:fs/promises'
import { apiSettings, eventSettings, rateLimitSettings } from '../core/config/api-settings.ts'
import { appSettings, databasePlace, databaseSettings } from '../core/config/service-settings.ts'
import type { Config } from '../core/config/settings.ts'
import { createFolder } from '../core/durable-files.ts'
import { ChangeFeed } from '../core/events/change-feed.ts'
import type { Logs } from '../core/log/logs.ts'
import { createCodeContexts } from '../core/model/code-context.ts'
import { eventFields } from '../core/model/event-fields.ts'
import type { MistakeListener } from '../core/model/running-code.ts'
import type { Module } from '../core/module.ts'
import { tracedDatabases } from '../core/observe/traced-database.ts'
import { recordsWithin, serviceRecords } from '../core/records/records.ts'
import { bodyPolicyOf } from '../core/rest/body-policy.ts'
import { ExportTurns } from '../core/rest/export-turns.ts'
import { KeyClaims } from '../core/rest/idempotency-keys.ts'
import { limitsOf } from '../core/rest/limits.ts'
import type { Platform } from '../core/rest/platform.ts'
import { RateLimiter } from '../core/rest/rate-limiter.ts'
import { createStore } from '../core/store/create-store.ts'
import { databases } from '../core/store/databases.ts'
import { createKeys, createRecentSignInCheck } from '../modules/auth/index.ts'
import type { AppLanguages } from './client-options.ts'
import { createModel } from './model.ts'
import { type Tracing, tracedPlatform, tracedStore } from './traced.ts'
import { problemTextsOf } from './translate-problems.ts'

export interface PlatformParts {
  readonly modules: readonly Module[]
  readonly languages?: AppLanguages | undefined
  readonly clock: () => Date
  readonly logs: Logs
  /** The data are those of a test. */
  readonly isDisposable?: boolean | undefined
  readonly mistakes: MistakeListener
  /** Starts although a newer model has used the database. */
  readonly allowsOlder?: boolean | undefined
  readonly tracing?: Tracing | undefined
}

export const createPlatform = async (config: Config, parts: PlatformParts): Promise<Platform> => {
  const { modules, clock, logs, isDisposable, mistakes, tracing } = parts
  const codeContexts = createCodeContexts(config.get, logs)
  const { registry, access } = createModel(modules, { config, clock, codeContexts })
  await createDataFolder(config)
  const opened = await createStore({
    ...(tracing && { databases: tracedDatabases(databases, tracing.trace) }),
    url: config.get(databaseSettings).url || (await createDatabaseFile(config)),
    registry,
    modules: modules.map(({ name }) => name),
    allowsOlder: parts.allowsOlder,
    poolSize: config.get(databaseSettings).poolSize,
    eventFields: eventFields(registry, access),
    clock,
    queryTimeout: config.get(apiSettings).queryTimeout * 1000,
    writeTimeout: config.get(databaseSettings).writeTimeout * 1000,
    transactionTimeout: config.get(databaseSettings).transactionTimeout * 1000,
    exclusiveTimeout: config.get(databaseSettings).seedTimeout * 1000,
    isDisposable,
    mistakes,
  })
  const store = tracing ? tracedStore(opened, tracing) : opened
  const changes = new ChangeFeed(store.events, {
    log: logs.named('events'),
    retention: { hours: config.get(eventSettings).keepHours, rows: config.get(eventSettings).maxRows },
  })
  const rateLimiter = new RateLimiter({
    anonymous: {
      requests: config.get(rateLimitSettings).anonymousRequests,
      cost: config.get(rateLimitSettings).anonymousCost,
    },
    known: { requests: config.get(rateLimitSettings).requests, cost: config.get(rateLimitSettings).cost },
    clock,
  })
  const records = serviceRecords({ store, clock })
  const fingerprintKey = createKeys({ store, records, clock }, config).fingerprints
  const platform: Platform = {
    ...{ registry, access, store, changes, rateLimiter, fingerprintKey, clock },
    limits: limitsOf(config),
    texts: problemTextsOf(modules, parts.languages),
    bodies: bodyPolicyOf(config),
    exports: new ExportTurns(),
    reportPurge: async (transaction, purged) => {
      for (const { onPurge } of modules) await onPurge?.(transaction, purged)
    },
    recordsIn: recordsWithin,
    mustBeRecent: createRecentSignInCheck(config),
    records,
    codeContexts,
    keyClaims: new KeyClaims(records),
  }
  return tracing ? tracedPlatform(platform, tracing) : platform
}

/**
 * Creates the folder of files, outgoing mails and keys, with PostgreSQL too. Only the user that runs the service may
 * read it.
 */
const createDataFolder = (config: Config): Promise<void> => createFolder(config.get(appSettings).dataDir)

const createDatabaseFile = async (config: Config): Promise<string> => {
  const file = databasePlace(config)
  // Created here because SQLite would let others read it; the files that SQLite adds beside it get the same mode.
  await (await open(file, 'a', 0o600)).close()
  return file
}
