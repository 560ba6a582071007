// Applies plans: in one transaction, one instance at a time, each step on record.

import type { Registry } from '../../model/registry.ts'
import { Problem } from '../../problem.ts'
import type { Connection, Driver } from '../driver.ts'
import type { Dialect } from '../sql/dialect.ts'
import { type MigrationPlan, planOn } from './plan.ts'

/** Brings the database to the model; for the start of an instance, while others may start as well. */
export const migrate = (driver: Driver, registry: Registry, version: string | null = null): Promise<MigrationPlan> =>
  apply(driver, connection => planOn(connection, driver.dialect, { registry, version }), version)

/** Applies a plan that a person has read. When the database has changed since, it fails and changes nothing. */
export const applyPlan = async (driver: Driver, plan: MigrationPlan, version: string | null = null): Promise<void> => {
  await apply(driver, async () => plan, version)
}

type Planning = (connection: Connection) => Promise<MigrationPlan>

const apply = async (driver: Driver, planning: Planning, version: string | null): Promise<MigrationPlan> => {
  const { dialect } = driver
  const progress = { step: 'before the first step' }
  const run = async (connection: Connection): Promise<MigrationPlan> => {
    await dialect.schema.lockMigrations(connection)
    const plan = await planning(connection)
    if (plan.refused.length === 0) await applySteps(connection, { dialect, plan, version, progress })
    return plan
  }
  const plan = await driver.transaction(run, { isUnlimited: true }).catch(error => {
    throw new Error(`The migration failed ${progress.step}; nothing was changed. ${messageOf(error)}`, { cause: error })
  })
  return mustBeAccepted(plan)
}

/** Brings the database to the model within a transaction that holds the lock of migrations. */
export const migrateWithin = async (
  connection: Connection,
  dialect: Dialect,
  { registry, version }: { readonly registry: Registry; readonly version: string },
): Promise<void> => {
  const plan = mustBeAccepted(await planOn(connection, dialect, { registry, version }))
  await applySteps(connection, { dialect, plan, version, progress: { step: '' } })
}

interface StepsToApply {
  readonly dialect: Dialect
  readonly plan: MigrationPlan
  readonly version: string | null
  /** The step under way, for the message when it fails. */
  readonly progress: { step: string }
}

const applySteps = async (
  connection: Connection,
  { dialect, plan, version, progress }: StepsToApply,
): Promise<void> => {
  if (plan.steps.length > 0) await connection.script(createJournal(dialect))
  for (const { why, sql } of plan.steps) {
    progress.step = `at '${why}'`
    await connection.script(sql)
    await connection.rows(journalEntry(dialect), [version, why, sql])
  }
  if (version !== null) await recordVersion(connection, dialect, version)
}

const mustBeAccepted = (plan: MigrationPlan): MigrationPlan => {
  if (plan.refused.length === 0) return plan
  throw new Problem('conflict', `The database cannot be migrated:\n- ${plan.refused.join('\n- ')}`)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const createJournal = ({ schema }: Dialect): string =>
  `CREATE TABLE IF NOT EXISTS "plinth_migrations" (
    "number" ${schema.serialType} PRIMARY KEY,
    "applied" ${schema.columnTypes.timestamp} NOT NULL DEFAULT (${schema.now}),
    "version" text,
    "why" text NOT NULL,
    "sql" text NOT NULL
  )${schema.tableOptions(false)};`

const journalEntry = ({ placeholder }: Dialect): string =>
  `INSERT INTO "plinth_migrations" ("version", "why", "sql") VALUES (${[1, 2, 3].map(placeholder).join(', ')})`

// The newest version of the service that has used a database, stored in it. An older version does not know what a newer one
// wrote, and must not run on it.

export const markerTable = 'plinth_version'

const createMarker = `CREATE TABLE IF NOT EXISTS "${markerTable}" (
    "only" integer PRIMARY KEY CHECK ("only" = 1),
    "version" text NOT NULL
  )`

/** The newest version that has used the database; null when none is on record. */
export const readVersion = async (
  connection: Pick<Connection, 'rows'>,
  tables: ReadonlyMap<string, unknown>,
): Promise<string | null> => (tables.has(markerTable) ? readMarker(connection) : null)

/** Null when no version is on record. The table must exist. */
const readMarker = async (connection: Pick<Connection, 'rows'>): Promise<string | null> => {
  const [row] = await connection.rows(`SELECT "version" FROM "${markerTable}"`, [])
  return row ? String(row[0]) : null
}

/** Was this data last used by a version that is newer than the other one? */
export const isNewerVersion = (version: string | null, than: string): boolean =>
  version !== null && compareVersions(version, than) > 0

/** Why this version must not run on the database, or nothing. */
export const olderVersionFaults = async (connection: Connection, version: string): Promise<string[]> => {
  const newest = await readMarker(connection)
  if (!isNewerVersion(newest, version)) return []
  return [
    `the database was last used by Plinth ${newest}, and this is Plinth ${version}: ` +
      `start Plinth ${newest} or newer, or restore a backup from before the upgrade`,
  ]
}

const recordVersion = async (connection: Connection, dialect: Dialect, version: string): Promise<void> => {
  await connection.script(createMarker)
  if ((await readMarker(connection)) === version) return
  const sql =
    `INSERT INTO "${markerTable}" ("only", "version") VALUES (1, ${dialect.placeholder(1)}) ` +
    'ON CONFLICT ("only") DO UPDATE SET "version" = excluded."version"'
  await connection.rows(sql, [version])
}

const numerically = new Intl.Collator('en', { numeric: true })

/** By the precedence of semantic versions: a pre-release comes before its release. */
const compareVersions = (left: string, right: string): number => {
  const [leftRelease, leftPreRelease] = partsOf(left)
  const [rightRelease, rightPreRelease] = partsOf(right)
  const byRelease = numerically.compare(leftRelease, rightRelease)
  if (byRelease !== 0 || leftPreRelease === rightPreRelease) return byRelease
  if (leftPreRelease === '' || rightPreRelease === '') return leftPreRelease === '' ? 1 : -1
  return numerically.compare(leftPreRelease, rightPreRelease)
}

const partsOf = (version: string): readonly [release: string, preRelease: string] => {
  const dash = version.indexOf('-')
  return dash < 0 ? [version, ''] : [version.slice(0, dash), version.slice(dash + 1)]
}
