// The SQL of tables, columns and indexes.

import type { OnDelete } from '../../model/field.ts'
import type { DatabaseDialect } from '../driver.ts'
import { indexPrefixes, quote, textOf } from '../sql/columns.ts'
import type { ForeignKey, InitialValue, Table, TableColumn, TableIndex } from './table.ts'

const quoteList = (names: readonly string[]): string => names.map(quote).join(', ')

// NO ACTION and not RESTRICT: it looks when the statement ends, after cascades have removed what they remove.
const deleteActions: Record<OnDelete, string> = { refuse: 'NO ACTION', cascade: 'CASCADE', clear: 'SET NULL' }

export const deleteAction = (onDelete: OnDelete): string => deleteActions[onDelete]

/** Reads an action that the database shows. Actions that no migration makes count as refusing the deletion. */
export const onDeleteOf = (action: string): OnDelete => {
  if (action === deleteActions.cascade) return 'cascade'
  return action === deleteActions.clear ? 'clear' : 'refuse'
}

export const initialSql = (initial: InitialValue, { schema }: DatabaseDialect): string => {
  if (initial.kind === 'now') return schema.now
  const { value } = initial
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return schema.booleanSql(value)
  return textOf(typeof value === 'string' ? value : JSON.stringify(value))
}

const targetSql = ({ table, onDelete }: ForeignKey): string =>
  `REFERENCES ${quote(table)} ("pk") ON DELETE ${deleteAction(onDelete)}`

const referenceSql = (reference: ForeignKey): string => `CONSTRAINT ${quote(reference.name)} ${targetSql(reference)}`

export const columnSql = (column: TableColumn, { schema }: Pick<DatabaseDialect, 'schema'>): string =>
  [
    quote(column.name),
    schema.columnTypes[column.type],
    ...(column.required ? ['NOT NULL'] : []),
    ...(column.references ? [referenceSql(column.references)] : []),
  ].join(' ')

export const createTable = ({ name, columns, primaryKey, pairs }: Table, dialect: DatabaseDialect): string => {
  const lines = [...columns.map(column => columnSql(column, dialect)), `PRIMARY KEY (${quoteList(primaryKey)})`]
  return `CREATE TABLE ${quote(name)} (\n  ${lines.join(',\n  ')}\n)${dialect.schema.tableOptions(pairs)};`
}

export const renameTable = (from: string, to: string): string => `ALTER TABLE ${quote(from)} RENAME TO ${quote(to)};`

/** Are the rows that exist written, one by one? */
export const isFilled = ({ initial, references }: TableColumn): boolean =>
  initial !== null && (initial.kind !== 'constant' || references !== null)

/** Says whether the database has a default for the column, for instances that do not know it. */
export const hasDefault = (column: TableColumn): boolean => column.initial !== null && !isFilled(column)

export const addColumn = (table: string, column: TableColumn, dialect: DatabaseDialect): string => {
  const { name, initial, required } = column
  const add = `ALTER TABLE ${quote(table)} ADD COLUMN`
  if (!initial) return `${add} ${columnSql(column, dialect)};`
  const value = initialSql(initial, dialect)
  // The default stays: an instance of the former version that still runs does not know the column.
  if (!isFilled(column)) return `${add} ${columnSql(column, dialect)} DEFAULT ${value};`
  // SQLite takes no default here that is not constant, nor any for a reference.
  return [
    `${add} ${columnSql({ ...column, required: false }, dialect)};`,
    fillColumn(table, name, value),
    ...(required ? [forbidNull(table, name)] : []),
  ].join('\n')
}

export const fillColumn = (table: string, column: string, value: string): string =>
  `UPDATE ${quote(table)} SET ${quote(column)} = ${value};`

export const renameColumn = (table: string, from: string, to: string): string =>
  `ALTER TABLE ${quote(table)} RENAME COLUMN ${quote(from)} TO ${quote(to)};`

export const forbidNull = (table: string, column: string): string =>
  `ALTER TABLE ${quote(table)} ALTER COLUMN ${quote(column)} SET NOT NULL;`

export const allowNull = (table: string, column: string): string =>
  `ALTER TABLE ${quote(table)} ALTER COLUMN ${quote(column)} DROP NOT NULL;`

/**
 * Adds a reference, in databases that take no forward references: the others have it from the creation of its column
 * on.
 */
export const addReference = (table: string, column: string, reference: ForeignKey): string =>
  `ALTER TABLE ${quote(table)} ADD CONSTRAINT ${quote(reference.name)} ` +
  `FOREIGN KEY (${quote(column)}) ${targetSql(reference)};`

export const createIndex = (table: string, index: TableIndex, dialect: DatabaseDialect): string => {
  const { name, columns, unique, kind } = index
  if (kind === 'trigrams') return dialect.schema.createTrigrams({ name, table, column: columns[0] ?? '' })
  const keys = columns.map((column, at) => {
    const key = kind === 'anyCase' && at === 0 ? dialect.anyCase(quote(column)) : quote(column)
    return dialect.schema.indexKey(key)
  })
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(name)} ON ${quote(table)} (${keys.join(', ')});`
}

export const dropIndex = (name: string, { schema }: DatabaseDialect): string =>
  name.startsWith(indexPrefixes.trigrams) ? schema.dropTrigrams(name) : `DROP INDEX ${quote(name)};`
