// Statements of the application: `records.sql`. A read is a subselect, so it can be one statement only and change nothing.

import type { OwnRow, OwnStatement } from '../../model/transaction.ts'
import type { ShapeFields, ValueType } from '../../model/value-field.ts'
import type { Cell, Connection, ResultRows } from '../connection.ts'
import { quote } from './columns.ts'
import type { Dialect } from './dialect.ts'
import { renderSql, type SingleValue } from './render-sql.ts'

interface OwnSession {
  readonly dialect: Dialect
  readonly connection: Connection
}

export const readOwn = async (session: OwnSession, statement: OwnStatement): Promise<readonly OwnRow[]> => {
  const { text, cells } = render(session, statement)
  const names = Object.keys(statement.columns)
  if (names.length === 0)
    throw new Error('records.sql needs the columns that are read: records.sql({ total: integer() })')
  const selected = names.map(name => `q.${quote(name)}`).join(', ')
  const rows = await session.connection.rows(`SELECT ${selected} FROM (${text}\n) AS q`, cells, false, { isOwn: true })
  return toObjects(rows, statement.columns, session.dialect)
}

/** What it returns stands in the order of the columns. */
export const writeOwn = async (session: OwnSession, statement: OwnStatement): Promise<readonly OwnRow[]> => {
  const { text, cells } = render(session, statement)
  const rows = await session.connection.rows(text, cells)
  return toObjects(rows, statement.columns, session.dialect)
}

interface Rendered {
  readonly text: string
  readonly cells: readonly Cell[]
}

const render = ({ dialect }: OwnSession, { sql, resource }: OwnStatement): Rendered => {
  const cells: Cell[] = []
  const cellOf = (value: SingleValue): Cell => {
    if (typeof value === 'boolean') return dialect.cell(value, 'boolean')
    return value instanceof Date ? dialect.cell(value.toISOString(), 'timestamp') : value
  }
  const value = (one: SingleValue): string => dialect.placeholder(cells.push(cellOf(one)))
  return { text: renderSql(sql, { dialect, resource, value }), cells }
}

const toObjects = (rows: ResultRows, columns: ShapeFields, dialect: Dialect): readonly OwnRow[] => {
  const entries = Object.entries(columns)
  const [first] = rows
  if (first && first.length !== entries.length)
    throw new Error(`the statement returns ${first.length} columns, and ${entries.length} are declared`)
  return rows.map(row =>
    Object.fromEntries(entries.map(([name, { type }], at) => [name, decoded(row[at], type, dialect)])),
  )
}

/** Sums and means are numerics on PostgreSQL, which come as texts. */
const decoded = (cell: unknown, { column, schema }: ValueType, dialect: Dialect): unknown => {
  if (cell === null || cell === undefined) return null
  if (column === 'integer' || schema.type === 'number') return Number(cell)
  const decode = dialect.decode[column]
  return decode ? decode(cell) : cell
}
