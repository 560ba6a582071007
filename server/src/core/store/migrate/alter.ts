// The steps that change a table which exists, in an order in which each finds what it needs.

import { quote } from '../sql/names.ts'
import type { KeptColumn, TableChange } from './compare.ts'
import { addReference, columnSql, createIndex, type DialectName, dropIndex, foldedSql, initialSql } from './ddl.ts'
import type { Step } from './plan.ts'
import type { Column, Index } from './tables.ts'

export const alterTable = (change: TableChange, dialect: DialectName): readonly Step[] => {
  const table = change.table.name
  const replaceReference = dialect === 'postgres' ? replaceConstraint : replaceColumn
  return [
    ...renameTable(change),
    ...change.droppedIndexes.map(({ name }) => ({
      why: `${table}: an index is no longer wanted`,
      sql: dropIndex(name, dialect),
    })),
    ...change.added.map(column => ({ why: `${table}.${column.name}: new`, sql: addColumn(table, column, dialect) })),
    ...change.relaxed.map(({ name }) => ({ why: `${table}.${name}: no longer required`, sql: allowNull(table, name) })),
    ...change.tightened.map(({ found: { name } }) => ({
      why: `${table}.${name}: now required`,
      sql: forbidNull(table, name),
    })),
    ...change.rereferenced.map(pair => ({
      why: `${table}.${pair.found.name}: ${referenceReason(pair)}`,
      sql: replaceReference(change, pair),
    })),
    ...change.renamed.map(({ column, found }) => ({
      why: `${table}.${column.name}: formerly ${found.name}`,
      sql: renameColumn(table, found.name, column.name),
    })),
    ...change.refolded.map(column => ({
      why: `${table}.${column.name}: the text of ${column.foldOf} with case folded`,
      sql: fill(table, column.name, foldedSql(quote(column.foldOf ?? column.name), dialect)),
    })),
    ...change.createdIndexes.map(index => ({
      why: `${table}: ${indexReason(index)}`,
      sql: createIndex(table, index, dialect),
    })),
  ]
}

const indexReason = ({ columns, unique, kind }: Index): string => {
  if (kind === 'anyCase') return `${columns[0]} searched by its beginning, in capital or small letters`
  if (kind === 'trigrams') return `${columns[0]} searched by any part of its text`
  return `${unique ? 'unique' : 'searched and sorted'} by ${columns.join(', ')}`
}

const renameTable = ({ table, found }: TableChange): Step[] => {
  if (found.name === table.name) return []
  const sql = `ALTER TABLE ${quote(found.name)} RENAME TO ${quote(table.name)};`
  return [{ why: `${table.name}: formerly ${found.name}`, sql }]
}

const forbidNull = (table: string, column: string): string =>
  `ALTER TABLE ${quote(table)} ALTER COLUMN ${quote(column)} SET NOT NULL;`

const allowNull = (table: string, column: string): string =>
  `ALTER TABLE ${quote(table)} ALTER COLUMN ${quote(column)} DROP NOT NULL;`

const renameColumn = (table: string, from: string, to: string): string =>
  `ALTER TABLE ${quote(table)} RENAME COLUMN ${quote(from)} TO ${quote(to)};`

const fill = (table: string, column: string, value: string): string =>
  `UPDATE ${quote(table)} SET ${quote(column)} = ${value};`

const addColumn = (table: string, column: Column, dialect: DialectName): string => {
  const { name, initial, references, required } = column
  const add = `ALTER TABLE ${quote(table)} ADD COLUMN`
  if (!initial) return `${add} ${columnSql(column, dialect)};`
  const value = initialSql(initial, dialect)
  // The default stays: an instance of the former version that still runs does not know the column.
  if (initial.kind === 'constant' && !references) return `${add} ${columnSql(column, dialect)} DEFAULT ${value};`
  // SQLite takes no default here that is not constant, nor any for a reference.
  return [
    `${add} ${columnSql({ ...column, required: false }, dialect)};`,
    fill(table, name, value),
    ...(required ? [forbidNull(table, name)] : []),
  ].join('\n')
}

const referenceReason = ({ column, found }: KeptColumn): string => {
  if (!column.references) return `no longer refers to ${found.reference?.table}`
  if (found.reference?.table !== column.references.table) return `refers to ${column.references.table}`
  return `on deletion of the record that it refers to: ${column.references.onDelete}`
}

const replaceConstraint = ({ table }: TableChange, { column, found }: KeptColumn): string =>
  [
    ...(found.reference?.name
      ? [`ALTER TABLE ${quote(table.name)} DROP CONSTRAINT ${quote(found.reference.name)};`]
      : []),
    ...(column.references ? [addReference(table.name, found.name, column.references)] : []),
  ].join('\n')

/**
 * SQLite keeps a reference in its column's definition: a new column takes over values and name. Nothing else of the
 * table is touched, and foreign keys stay enforced, which rebuilding the table would not allow.
 */
const replaceColumn = (change: TableChange, { column, found }: KeptColumn): string => {
  const table = change.table.name
  // No member has an underscore in its name.
  const successor = `${found.name}_new`
  const indexes = change.found.indexes.filter(
    index => index.columns.includes(found.name) && !change.droppedIndexes.includes(index),
  )
  return [
    ...indexes.map(({ name }) => `DROP INDEX ${quote(name)};`),
    `ALTER TABLE ${quote(table)} ADD COLUMN ${columnSql({ ...column, name: successor, required: false }, 'sqlite')};`,
    fill(table, successor, quote(found.name)),
    `ALTER TABLE ${quote(table)} DROP COLUMN ${quote(found.name)};`,
    renameColumn(table, successor, found.name),
    ...(column.required ? [forbidNull(table, found.name)] : []),
    ...indexes.map(({ sql }) => `${sql};`),
  ].join('\n')
}
