// Builds the indexes that a migration leaves for later: outside of transactions, one instance at a time.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from '../../model/registry.ts'
import type { Connection } from '../connection.ts'
import type { DatabaseDialect, Driver } from '../driver.ts'
import { recordStep } from './apply.ts'
import type { IndexBuild } from './index-builds.ts'
import { type MigrationPlan, mustBeAccepted, planMigration, planOn } from './plan.ts'
import type { ConcurrentIndexes } from './schema-dialect.ts'

export interface BuildOptions {
  /** The version of the service, for the journal. */
  readonly version: string | null
  /** Builds only the indexes that the service waits for. */
  readonly uniqueOnly?: boolean
  readonly signal?: AbortSignal
}

/** The time after which to look again while another instance builds. */
const busyMs = 1000

/** Builds what the database lacks; one instance at a time. Returns the statements, in order. */
export const buildIndexes = async (
  driver: Driver,
  registry: Registry,
  { version, uniqueOnly = false, signal = new AbortController().signal }: BuildOptions,
): Promise<readonly string[]> => {
  const { dialect, session } = driver
  const { concurrentIndexes: concurrent } = dialect.schema
  if (!concurrent || !session) return []
  const pending = (plan: MigrationPlan) => (plan.builds ?? []).filter(({ isUnique }) => isUnique || !uniqueOnly)
  while (pending(await planMigration(driver, registry)).length > 0) {
    const built = await session(async connection => {
      if (!(await concurrent.begin(connection))) return null
      // What another instance has built since is no longer missing.
      const builds = pending(await planOn(connection, dialect, { registry, version: null }))
      for (const build of builds) await buildOne(connection, { build, dialect, concurrent, version })
      return builds.map(({ sql }) => sql)
    }, signal).catch(async error => {
      // Duplicates that others wrote during the build are named with a remedy.
      if (uniqueOnly) mustBeAccepted(await planMigration(driver, registry))
      throw error
    })
    if (built) return built
    await sleep(busyMs, undefined, { signal })
  }
  return []
}

interface BuildParts {
  readonly build: IndexBuild
  readonly dialect: DatabaseDialect
  readonly concurrent: ConcurrentIndexes
  readonly version: string | null
}

const buildOne = async (
  connection: Connection,
  { build: { name, why, sql }, dialect, concurrent, version }: BuildParts,
): Promise<void> => {
  // Left by a build that was cut off: under the lock, none is under way.
  await connection.script(concurrent.drop(name))
  await connection.script(sql)
  await recordStep(connection, dialect, { version, why, sql })
}
