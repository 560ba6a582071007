// The steps of a migration: those that make tables which do not exist, and those that change tables which do, in an order in
// which each finds what it needs.

import type { DatabaseDialect } from '../driver.ts'
import { quote } from '../sql/columns.ts'
import type { MigrationStep, StepEffect } from './step.ts'
import type { KeptColumn, TableChange } from './table-change.ts'
import {
  addColumn,
  addReference,
  allowNull,
  createIndex,
  createTable,
  dropIndex,
  fillColumn,
  forbidNull,
  hasDefault,
  isFilled,
  renameColumn,
} from './table-sql.ts'
import type { Table, TableIndex } from './tables.ts'

// New tables

export const createTables = (tables: readonly Table[], dialect: DatabaseDialect): MigrationStep[] => {
  const ordered = byReferences(tables)
  const later = dialect.schema.takesForwardReferences ? new Map<string, string[]>() : forwardReferences(ordered)
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
export const byReferences = (tables: readonly Table[]): Table[] => {
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

/** By table: the columns that refer to a table which comes later. */
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

// Tables that exist

export const alterTable = (change: TableChange, dialect: DatabaseDialect): readonly MigrationStep[] => {
  const table = change.table.name
  const effect = (kind: StepEffect['kind']): Pick<MigrationStep, 'effect'> => ({
    effect: { kind, table: change.found.name },
  })
  return [
    ...change.droppedIndexes.map(({ name }) => dropUnneeded(change, dropIndex(name, dialect))),
    ...change.added.map(column => ({
      why: `${table}.${column.name}: new`,
      sql: addColumn(table, column, dialect),
      ...effect(isFilled(column) ? 'update' : 'brief'),
      ...(column.required && !hasDefault(column) && { breaks: 'the records that they create have no value for it' }),
    })),
    ...change.relaxed.map(({ name }) => ({
      why: `${table}.${name}: no longer required`,
      sql: allowNull(table, name),
      ...effect('brief'),
    })),
    ...change.tightened.map(({ found: { name } }) => ({
      why: `${table}.${name}: now required`,
      sql: forbidNull(table, name),
      ...effect('scan'),
      breaks: 'they cannot write records without a value',
    })),
    ...change.rereferenced.map(pair => ({
      why: `${table}.${pair.found.name}: ${referenceReason(pair)}`,
      sql: dialect.schema.replaceReference(change, pair),
      ...effect('reference'),
      ...(isNewReference(pair) && { breaks: 'they cannot write values that are no keys there' }),
    })),
    ...change.renamed.map(pair => renameStep(change, pair, dialect)),
    ...change.refolded.map(column => ({
      why: `${table}.${column.name}: the case-folded text of ${column.foldOf}`,
      sql: fillColumn(table, column.name, dialect.foldCase(quote(column.foldOf ?? column.name))),
      ...effect('update'),
    })),
    ...change.createdIndexes.map(index => createIndexStep(change, index, dialect)),
  ]
}

const renameStep = (change: TableChange, { column, found }: KeptColumn, { schema }: DatabaseDialect): MigrationStep => {
  const table = change.table.name
  const sql = renameColumn(table, found.name, column.name)
  const why = `${table}.${column.name}: formerly ${found.name}`
  const affected = change.found.name
  if (!schema.formerNames || !change.keepsFormerNames)
    return { why, sql, effect: { kind: 'brief', table: affected }, breaks: `they read and write ${found.name}` }
  const kept = schema.formerNames.keepColumn({ table, column: column.name, former: found.name }, found.type)
  return {
    why: `${why}, which running instances can still use; the next release drops it`,
    sql: `${sql}\n${kept}`,
    effect: { kind: 'update', table: affected },
  }
}

export const dropUnneeded = ({ table, found }: TableChange, sql: string): MigrationStep => ({
  why: `${table.name}: an index is no longer needed`,
  sql,
  effect: { kind: 'brief', table: found.name },
})

export const createIndexStep = (change: TableChange, index: TableIndex, dialect: DatabaseDialect): MigrationStep => ({
  why: `${change.table.name}: ${indexReason(index)}`,
  sql: createIndex(change.table.name, index, dialect),
  effect: { kind: index.kind === 'trigrams' ? 'textIndex' : 'index', table: change.found.name },
  ...(index.unique && !wasUnique(change, index) && { breaks: 'they cannot write duplicates' }),
})

/** Under former names, before a rename. */
const wasUnique = ({ kept, found }: TableChange, { columns }: TableIndex): boolean => {
  const former = columns.map(name => kept.find(({ column }) => column.name === name)?.found.name ?? name)
  return found.indexes.some(index => index.unique && index.columns.join() === former.join())
}

const isNewReference = ({ column, found }: KeptColumn): boolean =>
  column.references !== null && found.reference?.table !== column.references.table

const indexReason = ({ columns, unique, kind }: TableIndex): string => {
  if (kind === 'anyCase') return `${columns[0]} searched by prefix, case-insensitive`
  if (kind === 'trigrams') return `${columns[0]} searched by substring`
  return `${unique ? 'unique' : 'searched and sorted'} by ${columns.join(', ')}`
}

const referenceReason = ({ column, found }: KeptColumn): string => {
  if (!column.references) return `no longer refers to ${found.reference?.table}`
  if (found.reference?.table !== column.references.table) return `refers to ${column.references.table}`
  return `on deletion of the record that it refers to: ${column.references.onDelete}`
}
