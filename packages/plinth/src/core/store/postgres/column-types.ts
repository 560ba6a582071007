// The types of columns on PostgreSQL, in tables and in statements.

import type { ColumnType } from '../../model/value-field.ts'

/** The types of columns in tables. */
export const columnTypes: Readonly<Record<ColumnType, string>> = {
  // Byte order, as on SQLite: pages sort alike everywhere, and an index serves both prefixes and order.
  text: 'text COLLATE "C"',
  integer: 'bigint',
  boolean: 'boolean',
  timestamp: 'timestamp(3) with time zone',
  date: 'date',
  json: 'jsonb',
  vector: 'real[]',
}

/** The types of values that are not spelled as those of their columns. */
const valueTypes: { readonly [column in ColumnType]?: string } = { text: 'text', timestamp: 'timestamptz' }

/** The type that a value in a statement is cast to. */
export const valueTypeOf = (column: ColumnType): string => valueTypes[column] ?? columnTypes[column]

/** The type of a list of values. Entries of JSON lists are compared as texts. */
export const arrayTypeOf = (column: ColumnType): string => `${valueTypeOf(column === 'json' ? 'text' : column)}[]`
