// Renames in two releases, where several instances use one database. The release that renames keeps the former name working for
// instances of the earlier model: a mirrored column, or a view in place of a table. The next release drops it.

import type { Connection } from '../connection.ts'
import type { DatabaseDialect } from '../driver.ts'
import { type FoundTable, readCatalogue } from './catalogue.ts'
import type { FormerName } from './schema-dialect.ts'
import type { MigrationStep } from './step.ts'
import type { Table } from './table.ts'

export interface NamedTables {
  /** The tables of the database without those that only former names are for. */
  readonly tables: ReadonlyMap<string, FoundTable>
  /** The former names that the model does not use. */
  readonly unused: readonly FormerName[]
}

/** The tables of the database as the model sees them. An older model that was allowed to start finds its names, and uses them as they are. */
export const readTables = async (
  connection: Pick<Connection, 'rows'>,
  dialect: DatabaseDialect,
  targetTables: readonly Table[],
): Promise<NamedTables> => {
  const tables = await readCatalogue(connection, dialect.schema.catalogue)
  const { formerNames } = dialect.schema
  if (!formerNames) return { tables, unused: [] }
  const names = (await connection.rows(formerNames.query, [])).map(toFormerName)
  const byName = new Map(targetTables.map(table => [table.name, table]))
  const isUsed = ({ table, column, former }: FormerName): boolean => {
    if (column === null) return !byName.has(table) && byName.has(former)
    const columns = byName.get(table)?.columns ?? []
    return columns.some(({ name }) => name === former) && !columns.some(({ name }) => name === column)
  }
  const unused = names.filter(name => !isUsed(name))
  const views = new Set(names.filter(({ column }) => column === null).map(({ former }) => former))
  const seen = new Map<string, FoundTable>()
  for (const [name, found] of tables) if (!views.has(name)) seen.set(name, withoutFormer(found, unused))
  for (const { table, former } of names.filter(name => name.column === null && isUsed(name))) {
    const holder = tables.get(table)
    if (holder) seen.set(former, { ...holder, name: former, isView: true })
  }
  return { tables: seen, unused }
}

const toFormerName = ([table, column, former]: readonly unknown[]): FormerName => ({
  table: String(table),
  column: column === null ? null : String(column),
  former: String(former),
})

const withoutFormer = (found: FoundTable, unused: readonly FormerName[]): FoundTable => {
  const former = unused.filter(({ table, column }) => table === found.name && column !== null).map(one => one.former)
  if (former.length === 0) return found
  return { ...found, columns: new Map([...found.columns].filter(([name]) => !former.includes(name))) }
}

/** Drops former names once no instance of the earlier model runs. Views go first: they use columns. */
export const dropFormerNames = (names: readonly FormerName[], dialect: DatabaseDialect): MigrationStep[] => {
  const { formerNames } = dialect.schema
  if (!formerNames) return []
  return names
    .toSorted((left, right) => Number(left.column !== null) - Number(right.column !== null))
    .map(name => ({
      why: `${name.column === null ? '' : `${name.table}.`}${name.former}: the former name of ${name.column ?? name.table}, no longer used`,
      sql: formerNames.drop(name),
      effect: { kind: 'brief', table: name.table },
    }))
}
