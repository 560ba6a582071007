// Rows of values that a statement gets as one list for each column, so that its text does not depend on how many rows there are.

import type { ColumnType } from '../../model/value-field.ts'
import type { Cell } from '../connection.ts'
import type { Dialect } from './dialect.ts'

export interface ListedColumn {
  readonly name: string
  readonly type: ColumnType
  /** The cells of the rows. */
  readonly cells: readonly Cell[]
}

/** The definition of `listed` in WITH. The cells of its columns are the first ones. */
export const listedSql = (dialect: Dialect, columns: readonly Omit<ListedColumn, 'cells'>[]): string => {
  if (!dialect.columnRows) throw new Error('rows of lists have to be spelled out on this database')
  const rows = dialect.columnRows(columns.map(({ type }) => type))
  const names = columns.map(({ name }) => name).join(', ')
  return `listed AS (SELECT l.* FROM ${rows} AS l(${names}))`
}
