// Compares the database with the model: what must change, what is left alone, what a person has to decide. The plan is data, and
// text for a person to read before or after it is applied.

import type { Registry } from '../../model/registry.ts'
import type { Connection, Driver } from '../driver.ts'
import type { Dialect } from '../sql/dialect.ts'
import { markerTable, olderVersionFaults } from './apply.ts'
import { type FoundTable, readCatalogue } from './catalogue.ts'
import { compareTable, holdersOf } from './compare.ts'
import { checkRows, type InspectedDatabase } from './row-checks.ts'
import { alterTable, createTables } from './steps.ts'
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
}

export interface MigrationStep {
  readonly why: string
  readonly sql: string
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
  const tables = await readCatalogue(connection, dialect.schema.catalogue)
  const isMarked = version !== null && tables.has(markerTable)
  const versionFaults = isMarked ? await olderVersionFaults(connection, version) : []
  const holders = holdersOf(wanted, tables)
  const missing = wanted.filter(table => !holders.has(table))
  const plans: MigrationPlan[] = [{ steps: createTables(missing, dialect), leftAlone: [], refused: [] }]
  for (const [table, found] of holders) plans.push(await planTable(table, found, { connection, dialect, tables }))
  const held = new Set(holders.values())
  const strangers = [...tables.values()].filter(found => !held.has(found) && hasOurShape(found))
  return {
    steps: [...(trigrams.kind === 'creatable' ? [trigrams.step] : []), ...plans.flatMap(plan => plan.steps)],
    ...(trigrams.kind === 'missing' && { unavailable: [`indexes for substring search: ${trigrams.why}`] }),
    leftAlone: [...plans.flatMap(plan => plan.leftAlone), ...strangers.map(({ name }) => `the table ${name}`)],
    refused: [...versionFaults, ...plans.flatMap(plan => plan.refused)],
  }
}

const hasTrigrams = ({ indexes }: Table): boolean => indexes.some(index => index.kind === 'trigrams')

const noTrigrams = { kind: 'ready' } as const

const withoutTrigrams = (table: Table): Table => ({
  ...table,
  indexes: table.indexes.filter(index => index.kind !== 'trigrams'),
})

/** A table that a former model may have made. Those of other software in the same schema are not even mentioned. */
export const hasOurShape = ({ primaryKey, columns }: FoundTable): boolean =>
  (isKey(primaryKey, ['pk']) && columns.has('version')) || isKey(primaryKey, ['owner', 'target'])

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
    // Rows are only asked about columns that are what they should be.
    refused: change.refused.length > 0 ? change.refused : await checkRows(change, database),
  }
}

// The plan as text

export const toText = ({ steps, leftAlone, refused, unavailable = [] }: MigrationPlan): string => {
  const parts = steps.map(({ why, sql }, position) => `${toComment(`${position + 1}. ${why}`)}\n${sql}`)
  if (steps.length === 0 && refused.length === 0) parts.push('-- The database is up to date.')
  if (unavailable.length > 0) parts.push(toList('Unavailable: the service is slower without it', unavailable))
  if (leftAlone.length > 0) parts.push(toList('Ignored: in the database, but not in the model', leftAlone))
  if (refused.length > 0) parts.push(toList('Blocked: resolve these before migrating', refused))
  return `${parts.join('\n\n')}\n`
}

const toList = (title: string, lines: readonly string[]): string =>
  [`${title}:`, ...lines.map(line => `- ${line}`)].map(toComment).join('\n')

const toComment = (text: string): string => `-- ${text.replace(/\n/g, '\n--   ')}`
