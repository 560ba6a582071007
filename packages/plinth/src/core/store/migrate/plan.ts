// Compares the database with the model: what must change, what is left alone, what a person has to decide. The plan is data, and
// text for a person to read before or after it is applied.

import type { Registry } from '../../model/registry.ts'
import { errorMessage, Problem } from '../../problem.ts'
import type { Connection, Driver } from '../driver.ts'
import type { Dialect } from '../sql/dialect.ts'
import { compareTable, type FoundColumn, type FoundTable, holdersOf, readCatalogue, renameHints } from './compare.ts'
import { checkRows, describeEffect, type InspectedDatabase, type StepEffect } from './row-checks.ts'
import { alterTable, createTables, renameTable } from './steps.ts'
import { type Table, tablesOf } from './tables.ts'

export interface MigrationPlan {
  /** What is done, in order. */
  readonly steps: readonly MigrationStep[]
  /** What the database has and the model does not: left alone. */
  readonly leftAlone: readonly string[]
  /** What cannot be done without a person's decision: the start stops. */
  readonly refused: readonly string[]
  /** What the database cannot do: the service is slower without it. */
  readonly unavailable?: readonly string[]
  /** Columns and tables that may be renamed fields and resources. */
  readonly hints?: readonly string[]
}

export interface MigrationStep {
  readonly why: string
  readonly sql: string
  /** What it does to rows that exist; absent for steps that touch none. */
  readonly effect?: StepEffect
}

interface MigrationTarget {
  readonly registry: Registry
  /** Of the service; null checks no version. */
  readonly version: string | null
}

/** What would bring the database to the model. Changes nothing. */
export const planMigration = (
  driver: Driver,
  registry: Registry,
  version: MigrationTarget['version'] = null,
): Promise<MigrationPlan> => planOn(driver, driver.dialect, { registry, version })

export const planOn = async (
  connection: Connection,
  dialect: Dialect,
  { registry, version }: MigrationTarget,
): Promise<MigrationPlan> => {
  const declared = tablesOf(registry)
  const trigrams = declared.some(hasTrigrams) ? await dialect.schema.trigramSupport(connection) : noTrigrams
  const wanted = trigrams.kind === 'missing' ? declared.map(withoutTrigrams) : declared
  const tables = withNewNames(await readCatalogue(connection, dialect.schema.catalogue), wanted)
  const isMarked = version !== null && tables.has(markerTable)
  const versionFaults = isMarked ? await olderVersionFaults(connection, version) : []
  const holders = holdersOf(wanted, tables)
  const missing = wanted.filter(table => !holders.has(table))
  const created = [...renameTables(holders), ...createTables(missing, dialect)]
  const plans: MigrationPlan[] = [{ steps: created, leftAlone: [], refused: [] }]
  for (const [table, found] of holders) plans.push(await planTable(table, found, { connection, dialect, tables }))
  const held = new Set(holders.values())
  const strangers = [...tables.values()].filter(found => !held.has(found) && hasOurShape(found))
  return {
    steps: [...(trigrams.kind === 'creatable' ? [trigrams.step] : []), ...plans.flatMap(plan => plan.steps)],
    ...(trigrams.kind === 'missing' && { unavailable: [`indexes for substring search: ${trigrams.why}`] }),
    leftAlone: [...plans.flatMap(plan => plan.leftAlone), ...strangers.map(({ name }) => `the table ${name}`)],
    hints: [...plans.flatMap(plan => plan.hints ?? []), ...renameHints.ofTables(missing, strangers, dialect)],
    refused: [...versionFaults, ...plans.flatMap(plan => plan.refused)],
  }
}

/** References as they will be called once the tables have their new names. */
const withNewNames = (
  tables: ReadonlyMap<string, FoundTable>,
  wanted: readonly Table[],
): ReadonlyMap<string, FoundTable> => {
  const names = new Map([...holdersOf(wanted, tables)].map(([table, found]) => [found.name, table.name]))
  const renamed = (column: FoundColumn): FoundColumn =>
    column.reference
      ? {
          ...column,
          reference: { ...column.reference, table: names.get(column.reference.table) ?? column.reference.table },
        }
      : column
  return new Map(
    [...tables].map(([name, table]) => [
      name,
      { ...table, columns: new Map([...table.columns].map(([key, column]) => [key, renamed(column)])) },
    ]),
  )
}

/** Before everything else: other steps use the new names. */
const renameTables = (holders: ReadonlyMap<Table, FoundTable>): MigrationStep[] =>
  [...holders]
    .filter(([table, found]) => table.name !== found.name)
    .map(([table, found]) => ({
      why: `${table.name}: formerly ${found.name}`,
      sql: renameTable(found.name, table.name),
      effect: { kind: 'brief', table: found.name },
    }))

const hasTrigrams = ({ indexes }: Table): boolean => indexes.some(index => index.kind === 'trigrams')

const noTrigrams = { kind: 'ready' } as const

const withoutTrigrams = (table: Table): Table => ({
  ...table,
  indexes: table.indexes.filter(index => index.kind !== 'trigrams'),
})

/** A table that a former model may have made. Those of other software in the same schema are not even mentioned. */
export const hasOurShape = ({ primaryKey, columns }: FoundTable): boolean =>
  (isKey(primaryKey, ['pk']) && columns.has('version')) ||
  isKey(primaryKey, ['owner', 'target']) ||
  isKey(primaryKey, ['pk', '_entry']) ||
  isKey(primaryKey, ['pk', '_deletion'])

const isKey = (found: readonly string[], wanted: readonly string[]): boolean => found.join() === wanted.join()

const planTable = async (table: Table, found: FoundTable, database: InspectedDatabase): Promise<MigrationPlan> => {
  if (!isKey(found.primaryKey, table.primaryKey)) {
    const refused =
      `the database already has another object named ${found.name}, without the primary key ` +
      `(${table.primaryKey.join(', ')}); rename it, or use a separate schema or database`
    return { steps: [], leftAlone: [], refused: [refused] }
  }
  const change = compareTable(table, found, database.dialect)
  return {
    steps: alterTable(change, database.dialect),
    leftAlone: change.unwanted.map(column => `the column ${table.name}.${column.name}`),
    hints: renameHints.ofColumns(change, database.dialect),
    // Rows are only asked about columns that are what they should be.
    refused: change.refused.length > 0 ? change.refused : await checkRows(change, database),
  }
}

// The plan as text

/** `sizes`: about how many rows each table has now, for the expected durations. */
export const toText = (plan: MigrationPlan, sizes: ReadonlyMap<string, number> = new Map()): string => {
  const { steps, leftAlone, refused, unavailable = [], hints = [] } = plan
  const parts = steps.map(({ why, sql, effect }, position) => {
    const lines = [`${position + 1}. ${why}`, ...(effect ? [describeEffect(effect, sizes)] : [])]
    return `${toComment(lines.join('\n'))}\n${sql}`
  })
  if (steps.length === 0 && refused.length === 0) parts.push('-- The database is up to date.')
  if (unavailable.length > 0) parts.push(toList('Unavailable: the service is slower without it', unavailable))
  if (leftAlone.length > 0) parts.push(toList('Ignored: in the database, but not in the model', leftAlone))
  if (hints.length > 0) parts.push(toList('Renamed?', hints))
  if (refused.length > 0) parts.push(toList('Blocked: resolve these before migrating', refused))
  return `${parts.join('\n\n')}\n`
}

const toList = (title: string, lines: readonly string[]): string =>
  [`${title}:`, ...lines.map(line => `- ${line}`)].map(toComment).join('\n')

const toComment = (text: string): string => `-- ${text.replace(/\n/g, '\n--   ')}`

// Applies plans: in one transaction, one instance at a time, each step on record.

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
    throw new Error(`The migration failed ${progress.step}; nothing was changed. ${errorMessage(error)}`, {
      cause: error,
    })
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

export const mustBeAccepted = (plan: MigrationPlan): MigrationPlan => {
  if (plan.refused.length === 0) return plan
  throw new Problem('conflict', `The database cannot be migrated:\n- ${plan.refused.join('\n- ')}`)
}

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
