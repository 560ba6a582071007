// Fills a database with a snapshot. Everything happens in one transaction: when it fails or the process ends, the database is as
// it was before.

import type { Registry } from '../model/registry.ts'
import { Problem } from '../problem.ts'
import { compare } from './compare-snapshot.ts'
import type { Connection } from './connection.ts'
import type { DatabaseDialect, Driver } from './driver.ts'
import { migrateWithin } from './migrate/apply.ts'
import { byReferences, createTables } from './migrate/create-tables.ts'
import { isNewerVersion } from './migrate/database-version.ts'
import { dropFormerNames, readTables } from './migrate/former-names.ts'
import type { Table } from './migrate/table.ts'
import { addReference } from './migrate/table-sql.ts'
import { tablesOf } from './migrate/tables.ts'
import { dropViews } from './migrate/views.ts'
import { prepareEventTables } from './outbox/event-log.ts'
import { type DatabaseSnapshot, type SnapshotRow, type SnapshotTable, snapshotTables } from './snapshot.ts'
import { quote } from './sql/columns.ts'

export interface LoadOptions {
  /** The version of the service: a snapshot of a newer one is refused. */
  readonly version: string
  /** Drops the records that the database holds. Otherwise a database that has tables of the service is refused. */
  readonly replaces: boolean
  readonly onTable?: (table: SnapshotTable) => void
}

interface LoadTask extends LoadOptions {
  readonly snapshot: DatabaseSnapshot
}

/** Problem `conflict` when the data is of a newer version than the service. */
export const mustBeLoadable = (data: Pick<DatabaseSnapshot, 'version'>, version: string): void => {
  if (isNewerVersion(data.version, version))
    throw new Problem('conflict', `The data is of Plinth ${data.version}, and this is Plinth ${version}.`)
}

export const loadSnapshot = async (driver: Driver, registry: Registry, task: LoadTask): Promise<void> => {
  const { snapshot, version } = task
  mustBeLoadable(snapshot, version)
  await prepareEventTables(driver)
  const { dialect } = driver
  await driver.transaction(
    async connection => {
      await dialect.schema.lockMigrations(connection)
      await clear(connection, { dialect, registry, replaces: task.replaces })
      await fill(connection, dialect, task)
      await compare(connection, { dialect, registry, snapshot })
      await migrateWithin(connection, dialect, { registry, version })
      await continueEvents(connection, dialect, snapshot)
    },
    { isUnlimited: true },
  )
}

interface Clearing {
  readonly dialect: DatabaseDialect
  readonly registry: Registry
  readonly replaces: boolean
}

const clear = async (connection: Connection, { dialect, registry, replaces }: Clearing): Promise<void> => {
  const model = tablesOf(registry)
  const { tables: found, unused } = await readTables(connection, dialect, model)
  const tables = snapshotTables(found, model, dialect)
  if (tables.length === 0) return
  if (!replaces) throw new Problem('conflict', `The database is not empty: it has the table ${tables[0]?.name}.`)
  const { deferReferences, dropTables } = dialect.schema
  for (const { sql } of dropFormerNames(unused, dialect)) await connection.script(sql)
  for (const { sql } of await dropViews(connection, dialect)) await connection.script(sql)
  if (deferReferences) await connection.script(deferReferences)
  const ordered = byReferences(tables.map(toTable)).reverse()
  await connection.script(dropTables(ordered.flatMap(({ name }) => found.get(name) ?? [])))
}

/** Indexes come with the migration, when the rows are there. */
const toTable = ({ name, columns, primaryKey }: SnapshotTable): Table => ({
  name,
  columns: columns.map(column => ({ ...column, formerNames: [], initial: null, foldOf: null })),
  primaryKey,
  indexes: [],
  formerNames: [],
  pairs: primaryKey.length === 2 && columns.length === 2,
})

const withoutReferences = (table: Table): Table => ({
  ...table,
  columns: table.columns.map(column => ({ ...column, references: null })),
})

const fill = async (
  connection: Connection,
  dialect: DatabaseDialect,
  { snapshot, onTable }: LoadTask,
): Promise<void> => {
  const { deferReferences, takesForwardReferences } = dialect.schema
  const tables = snapshot.tables.map(toTable)
  const created = takesForwardReferences ? tables : tables.map(withoutReferences)
  if (deferReferences) await connection.script(deferReferences)
  for (const { sql } of createTables(created, dialect)) await connection.script(sql)
  for (const table of snapshot.tables) {
    onTable?.(table)
    for await (const rows of snapshot.rows(table)) await insert(connection, dialect, { table, rows })
  }
  if (takesForwardReferences) return
  for (const { name, columns } of tables)
    for (const { name: column, references } of columns)
      if (references) await connection.script(addReference(name, column, references))
}

/** The most values in one statement. The databases take 32,766 at least; longer texts are no faster. */
const maxValues = 4000

interface Insertion {
  readonly table: SnapshotTable
  readonly rows: readonly SnapshotRow[]
}

const insert = async (connection: Connection, dialect: DatabaseDialect, { table, rows }: Insertion): Promise<void> => {
  const { name, columns } = table
  const size = Math.max(1, Math.floor(maxValues / columns.length))
  const into = `INSERT INTO ${quote(name)} (${columns.map(column => quote(column.name)).join(', ')}) VALUES`
  for (let at = 0; at < rows.length; at += size) {
    const some = rows.slice(at, at + size)
    const values = some.map(
      (_, row) => `(${columns.map((__, column) => dialect.placeholder(row * columns.length + column + 1)).join(', ')})`,
    )
    const cells = some.flatMap(row => columns.map(({ type }, column) => dialect.cell(row[column], type)))
    await connection.rows(`${into} ${values.join(', ')}`, cells)
  }
}

/**
 * The gap in the numbers of events, far beyond those that subscribers may have seen after the snapshot: they have to
 * reload.
 */
const eventGap = 1_000_000

const continueEvents = async (connection: Connection, dialect: DatabaseDialect, { lastEvent }: DatabaseSnapshot) => {
  if (!lastEvent) return
  const [row] = await connection.rows(dialect.outbox.window, [])
  const highest = Math.max(lastEvent.sequence, Number(row?.[1] ?? 0))
  await dialect.outbox.restart(connection, { ...lastEvent, sequence: highest + eventGap })
}
