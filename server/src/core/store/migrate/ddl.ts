// The SQL of tables, columns and indexes in both dialects.

import type { ColumnType, OnDelete } from '../../model/field.ts'
import type { Driver } from '../driver.ts'
import { quote, textOf } from '../sql/names.ts'
import { createTrigrams, dropTrigrams } from '../sql/trigrams.ts'
import { foldFunction } from '../sqlite/dialect.ts'
import { type Column, type Index, type Initial, indexPrefixes, type Reference, type Table } from './tables.ts'

export type DialectName = Driver['dialect']

const quoteList = (names: readonly string[]): string => names.map(quote).join(', ')

/** As the database itself spells them when asked, so that what is there can be compared with what is wanted. */
const typeNames: Record<DialectName, Record<ColumnType, string>> = {
  sqlite: { text: 'TEXT', integer: 'INTEGER', boolean: 'INTEGER', timestamp: 'TEXT', date: 'TEXT', json: 'TEXT' },
  postgres: {
    // Byte order, as on SQLite: pages sort alike everywhere, and an index serves both prefixes and order.
    text: 'text COLLATE "C"',
    integer: 'bigint',
    boolean: 'boolean',
    timestamp: 'timestamp(3) with time zone',
    date: 'date',
    json: 'jsonb',
  },
}

export const typeName = (type: ColumnType, dialect: DialectName): string => typeNames[dialect][type]

// NO ACTION and not RESTRICT: it looks when the statement ends, after cascades have removed what they remove.
const deleteActions: Record<OnDelete, string> = { refuse: 'NO ACTION', cascade: 'CASCADE', clear: 'SET NULL' }

export const deleteAction = (onDelete: OnDelete): string => deleteActions[onDelete]

export const initialSql = (initial: Initial, dialect: DialectName): string => {
  if (initial.kind === 'now') return dialect === 'sqlite' ? "strftime('%Y-%m-%dT%H:%M:%fZ')" : 'now()'
  const { value } = initial
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return dialect === 'sqlite' ? String(Number(value)) : String(value)
  return textOf(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Text as `fold` leaves it. By ICU on PostgreSQL, since the collation "C" knows only the case of ASCII letters. */
export const foldedSql = (expression: string, dialect: DialectName): string =>
  dialect === 'sqlite'
    ? `${foldFunction}(${expression})`
    : `replace(lower(normalize(${expression}, NFKC) COLLATE "und-x-icu"), 'ς', 'σ')`

const targetSql = ({ table, onDelete }: Reference): string =>
  `REFERENCES ${quote(table)} ("pk") ON DELETE ${deleteAction(onDelete)}`

const referenceSql = (reference: Reference): string => `CONSTRAINT ${quote(reference.name)} ${targetSql(reference)}`

/** PostgreSQL only: SQLite has references from the birth of their column on. */
export const addReference = (table: string, column: string, reference: Reference): string =>
  `ALTER TABLE ${quote(table)} ADD CONSTRAINT ${quote(reference.name)} ` +
  `FOREIGN KEY (${quote(column)}) ${targetSql(reference)};`

export const columnSql = (column: Column, dialect: DialectName): string =>
  [
    quote(column.name),
    typeName(column.type, dialect),
    ...(column.required ? ['NOT NULL'] : []),
    ...(column.references ? [referenceSql(column.references)] : []),
  ].join(' ')

export const createTable = ({ name, columns, primaryKey, pairs }: Table, dialect: DialectName): string => {
  const lines = [...columns.map(column => columnSql(column, dialect)), `PRIMARY KEY (${quoteList(primaryKey)})`]
  return `CREATE TABLE ${quote(name)} (\n  ${lines.join(',\n  ')}\n)${tableOptions[dialect](pairs)};`
}

// WITHOUT ROWID halves a table of pairs. Records stay in rowid tables: with rows of 1,500 bytes the other form took
// twice the space and two to four times the time for reads, pages and updates.
const tableOptions: Record<DialectName, (pairs: boolean) => string> = {
  sqlite: pairs => (pairs ? ' STRICT, WITHOUT ROWID' : ' STRICT'),
  postgres: () => '',
}

export const createIndex = (table: string, index: Index, dialect: DialectName): string => {
  const { name, columns, kind } = index
  if (kind !== 'trigrams') return createOrder(table, index, dialect)
  const texts = (expression: string) => ({
    anyCase: `lower(${expression})`,
    folded: foldedSql(expression, dialect),
  })
  return createTrigrams({ name, table, column: columns[0] ?? '' }, texts, dialect)
}

export const dropIndex = (name: string, dialect: DialectName): string =>
  name.startsWith(indexPrefixes.trigrams) ? dropTrigrams(name, dialect) : `DROP INDEX ${quote(name)};`

/** Absent values come first, as on SQLite; PostgreSQL uses an index only for an order that says the same of every key. */
const createOrder = (table: string, { name, columns, unique, kind }: Index, dialect: DialectName): string => {
  const keys = columns.map((column, at) => {
    const key = kind === 'anyCase' && at === 0 ? anyCaseSql(quote(column), dialect) : quote(column)
    return dialect === 'postgres' ? `${key} NULLS FIRST` : key
  })
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(name)} ON ${quote(table)} (${keys.join(', ')});`
}

/** Text as it is compared without regard to the case of ASCII letters; text columns have the collation "C" on PostgreSQL. */
export const anyCaseSql = (expression: string, dialect: DialectName): string =>
  dialect === 'sqlite' ? `${expression} COLLATE NOCASE` : `lower(${expression})`
