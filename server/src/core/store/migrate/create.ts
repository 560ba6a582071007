// The steps that make tables which do not exist.

import { addReference, createIndex, createTable, type DialectName } from './ddl.ts'
import type { Step } from './plan.ts'
import type { Table } from './tables.ts'

export const createTables = (tables: readonly Table[], dialect: DialectName): Step[] => {
  const ordered = byReferences(tables)
  const later = dialect === 'postgres' ? forwardReferences(ordered) : new Map<string, string[]>()
  const created = ordered.map(table => ({
    why: `${table.name}: new`,
    sql: [
      createTable(withoutReferences(table, later.get(table.name) ?? []), dialect),
      ...table.indexes.map(index => createIndex(table.name, index, dialect)),
    ].join('\n'),
  }))
  const closing = ordered.flatMap(({ name, columns }) =>
    columns.flatMap(({ name: column, references }) => {
      if (!references || !later.get(name)?.includes(column)) return []
      return [{ why: `${name}.${column}: refers to ${references.table}`, sql: addReference(name, column, references) }]
    }),
  )
  return [...created, ...closing]
}

/** Those that others refer to come first, as far as circles allow. */
const byReferences = (tables: readonly Table[]): Table[] => {
  const byName = new Map(tables.map(table => [table.name, table]))
  const ordered = new Set<Table>()
  const visiting = new Set<Table>()
  const visit = (table: Table): void => {
    if (visiting.has(table)) return
    visiting.add(table)
    for (const { references } of table.columns) {
      const target = references && byName.get(references.table)
      if (target) visit(target)
    }
    ordered.add(table)
  }
  for (const table of tables) visit(table)
  return [...ordered]
}

/** By table: the columns that refer to a table which comes later. SQLite takes these as they are. */
const forwardReferences = (ordered: readonly Table[]): ReadonlyMap<string, string[]> => {
  const coming = new Set(ordered.map(table => table.name))
  return new Map(
    ordered.map(({ name, columns }) => {
      coming.delete(name)
      const forward = columns.filter(({ references }) => references && coming.has(references.table))
      return [name, forward.map(column => column.name)]
    }),
  )
}

const withoutReferences = (table: Table, columns: readonly string[]): Table => ({
  ...table,
  columns: table.columns.map(column => (columns.includes(column.name) ? { ...column, references: null } : column)),
})
