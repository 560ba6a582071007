// Compares the database with the model: what must change, what is left alone, what a person has to decide. The plan is data, and
// text for a person to read before or after it is applied.

import type { Registry } from '../../model/registry.ts'
import { Problem } from '../../problem.ts'
import type { Connection } from '../connection.ts'
import type { DatabaseDialect, Driver } from '../driver.ts'
import type { FoundColumn, FoundTable } from './catalogue.ts'
import { compareTable, holdersOf } from './compare.ts'
import { createTables } from './create-tables.ts'
import { markerTable, olderVersionFaults } from './database-version.ts'
import { dropFormerNames, readTables } from './former-names.ts'
import { type IndexBuild, splitChange } from './index-builds.ts'
import { isNewModel, type ModelUse, olderModelFaults, readModels, shapeOf } from './model-record.ts'
import { renameHints } from './rename-hints.ts'
import { checkRows, type InspectedDatabase } from './row-checks.ts'
import type { MigrationStep } from './step.ts'
import { describeEffect } from './step.ts'
import { alterTable } from './steps.ts'
import type { Table } from './table.ts'
import { renameTable } from './table-sql.ts'
import { tablesOf } from './tables.ts'
import { planViews } from './views.ts'

export interface MigrationPlan {
  /** What is done, in order. */
  readonly steps: readonly MigrationStep[]
  /** What is done afterwards, outside the transaction, while others write. */
  readonly builds?: readonly IndexBuild[]
  /** The resources whose index of words is built afterwards, in the same way. */
  readonly searches?: readonly string[]
  /** What the database has and the model does not: left alone. */
  readonly leftAlone: readonly string[]
  /** What cannot be done without a person's decision: the start stops. */
  readonly refused: readonly string[]
  /** What the database cannot do: the service is slower without it. */
  readonly unavailable?: readonly string[]
  /** Columns and tables that may be renamed fields and resources. */
  readonly hints?: readonly string[]
  /** The model and those that have used the database before, to be put on record. */
  readonly use?: ModelUse
  /** Why the start would be refused, had its operator not allowed an older model. */
  readonly allowed?: readonly string[]
}

/** What starts on a database. */
export interface StartingModel {
  /** The version of the service; null checks and records neither version nor model. */
  readonly version?: string | null
  /** The modules that the model is made of. */
  readonly modules?: readonly string[]
  /** Starts although a newer model has used the database. */
  readonly allowsOlder?: boolean
  /** No instance of an earlier model runs: former names are dropped. */
  readonly contracts?: boolean
}

export interface MigrationTarget extends StartingModel {
  readonly registry: Registry
  /** Says that nothing else uses the database: everything is done in the transaction. */
  readonly isAlone?: boolean
}

/** What would bring the database to the model. Changes nothing. */
export const planMigration = (driver: Driver, registry: Registry, start: StartingModel = {}): Promise<MigrationPlan> =>
  planOn(driver, driver.dialect, { ...start, registry })

export const planOn = async (
  connection: Connection,
  dialect: DatabaseDialect,
  { registry, version = null, modules = [], isAlone = false, ...start }: MigrationTarget,
): Promise<MigrationPlan> => {
  const { allowsOlder = false, contracts = false } = start
  const declared = tablesOf(registry)
  const trigrams = declared.some(hasTrigrams) ? await dialect.schema.trigramSupport(connection) : noTrigrams
  const targetTables = trigrams.kind === 'missing' ? declared.map(withoutTrigrams) : declared
  const named = await readTables(connection, dialect, targetTables)
  const tables = withNewNames(named.tables, targetTables)
  const isMarked = version !== null && tables.has(markerTable)
  const versionFaults = isMarked ? await olderVersionFaults(connection, version) : []
  const isRecorded = version !== null && !isAlone
  const use = isRecorded && { models: await readModels(connection, tables), shape: shapeOf(declared, modules) }
  const modelFaults = use ? olderModelFaults(use) : []
  const holders = holdersOf(targetTables, tables)
  const missing = targetTables.filter(table => !holders.has(table))
  const isAfterRelease = use && isNewModel(use)
  const created = [
    ...dropFormerNames(contracts || isAfterRelease ? named.unused : [], dialect),
    ...renameTables(holders, isRecorded && !contracts ? dialect : null),
    ...createTables(missing, dialect),
  ]
  const plans: MigrationPlan[] = [{ steps: created, leftAlone: [], refused: [] }]
  const database = { connection, dialect, tables, isAlone, keepsFormerNames: isRecorded && !contracts, ...use }
  for (const [table, found] of holders) plans.push(await planTable(table, found, database))
  const views = await planViews(connection, dialect, { registry, tables: new Set(tables.keys()) })
  const holderNames = new Set(holders.values())
  const strangers = [...tables.values()].filter(found => !holderNames.has(found) && hasOurShape(found))
  const steps = [
    ...(trigrams.kind === 'creatable' ? [trigrams.step] : []),
    ...views.dropped,
    ...plans.flatMap(plan => plan.steps),
    ...views.created,
  ]
  return {
    steps: dialect.schema.formerNames ? steps : steps.map(({ breaks: _, ...step }) => step),
    builds: plans.flatMap(plan => plan.builds ?? []),
    ...(trigrams.kind === 'missing' && { unavailable: [`indexes for substring search: ${trigrams.why}`] }),
    leftAlone: [...plans.flatMap(plan => plan.leftAlone), ...strangers.map(({ name }) => `the table ${name}`)],
    hints: [...plans.flatMap(plan => plan.hints ?? []), ...renameHints.ofTables(missing, strangers, dialect)],
    refused: [
      ...versionFaults,
      ...(allowsOlder ? [] : modelFaults),
      ...plans.flatMap(plan => plan.refused),
      ...views.refused,
    ],
    ...(use && { use }),
    ...(allowsOlder && modelFaults.length > 0 && { allowed: modelFaults }),
  }
}

/** References as they will be called once the tables have their new names. */
const withNewNames = (
  tables: ReadonlyMap<string, FoundTable>,
  targetTables: readonly Table[],
): ReadonlyMap<string, FoundTable> => {
  const names = new Map([...holdersOf(targetTables, tables)].map(([table, found]) => [found.name, table.name]))
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

/** Renames tables before everything else: other steps use the new names. */
const renameTables = (holders: ReadonlyMap<Table, FoundTable>, keeper: DatabaseDialect | null): MigrationStep[] =>
  [...holders]
    .filter(([table, found]) => table.name !== found.name)
    .map(([table, found]) => {
      const sql = renameTable(found.name, table.name)
      const why = `${table.name}: formerly ${found.name}`
      const effect = { kind: 'brief', table: found.name } as const
      const kept = keeper?.schema.formerNames?.keepTable({ table: table.name, column: null, former: found.name })
      if (!kept) return { why, sql, effect, breaks: `they read and write ${found.name}` }
      return {
        why: `${why}, which running instances can still use; the next release drops it`,
        sql: `${sql}\n${kept}`,
        effect,
      }
    })

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

const isKey = (found: readonly string[], columns: readonly string[]): boolean => found.join() === columns.join()

const planTable = async (table: Table, found: FoundTable, database: InspectedDatabase): Promise<MigrationPlan> => {
  if (!isKey(found.primaryKey, table.primaryKey)) {
    const refused =
      `the database already has another object named ${found.name}, without the primary key ` +
      `(${table.primaryKey.join(', ')}); rename it, or use a separate schema or database`
    return { steps: [], leftAlone: [], refused: [refused] }
  }
  if (found.isView) return { steps: [], leftAlone: [], refused: [] }
  // The view in place of a renamed table has the former names of its columns.
  const keepsFormerNames = database.keepsFormerNames === true && table.name === found.name
  const whole = { ...compareTable(table, found, database.dialect), keepsFormerNames }
  const { change, builds } = database.isAlone ? { change: whole, builds: [] } : await splitChange(whole, database)
  return {
    steps: alterTable(change, database.dialect),
    builds,
    leftAlone: change.unwanted.map(column => `the column ${table.name}.${column.name}`),
    hints: renameHints.ofColumns(change, database.dialect),
    // Rows are only asked about columns that are what they should be.
    refused: whole.refused.length > 0 ? whole.refused : await checkRows(whole, database),
  }
}

// The plan as text

/** `sizes`: about how many rows each table has now, for the expected durations. */
export const toText = (plan: MigrationPlan, sizes: ReadonlyMap<string, number> = new Map()): string => {
  const { steps, builds = [], leftAlone, refused, unavailable = [], hints = [] } = plan
  const parts = [...steps, ...builds].map(({ why, sql, effect, breaks }, position) => {
    const lines = [`${position + 1}. ${why}`, ...(effect ? [describeEffect(effect, sizes)] : [])]
    if (breaks) lines.push(`BREAKS running instances of the earlier model: ${breaks}. Stop them first.`)
    return `${toComment(lines.join('\n'))}\n${sql}`
  })
  if (builds.length > 0) parts.splice(steps.length, 0, toComment(buildTitle))
  if (steps.length + builds.length === 0 && refused.length === 0) parts.push('-- The database is up to date.')
  if (unavailable.length > 0) parts.push(toList('Unavailable: the service is slower without it', unavailable))
  if (leftAlone.length > 0) parts.push(toList('Ignored: in the database, but not in the model', leftAlone))
  if (hints.length > 0) parts.push(toList('Renamed?', hints))
  if (refused.length > 0) parts.push(toList('Blocked: resolve these before migrating', refused))
  return `${parts.join('\n\n')}\n`
}

const buildTitle =
  'Afterwards, outside the transaction; the service starts before, and searches work without these indexes:'

const toList = (title: string, lines: readonly string[]): string =>
  [`${title}:`, ...lines.map(line => `- ${line}`)].map(toComment).join('\n')

const toComment = (text: string): string => `-- ${text.replace(/\n/g, '\n--   ')}`

export const mustBeAccepted = (plan: MigrationPlan): MigrationPlan => {
  if (plan.refused.length === 0) return plan
  throw new Problem('conflict', `The database cannot be migrated:\n- ${plan.refused.join('\n- ')}`)
}
