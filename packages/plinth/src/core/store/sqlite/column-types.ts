// The types of columns on SQLite, which has no types of its own for truths, times and JSON.

import type { ColumnType } from '../../model/value-field.ts'

export const columnTypes: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  boolean: 'INTEGER',
  timestamp: 'TEXT',
  date: 'TEXT',
  json: 'TEXT',
  // Base64 of the numbers, each of 32 bits.
  vector: 'TEXT',
}
