// Records changes in the history, in the transaction of the change itself.

import type { RecordedChange } from '../../model/history.ts'
import type { Resource } from '../../model/resource.ts'
import { holdingOf, quote, textOf } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { SqlSession } from '../sql/session.ts'
import { somePks } from '../sql/some-pks.ts'
import { run, type Statement } from '../sql/statement.ts'
import { entryColumns, historyTableOf, imageColumns, isKeptAsList } from './columns.ts'
import type { ChangeRecorder } from './recorder.ts'

export const recorderFor = ({ recorder }: SqlSession, resource: Resource): ChangeRecorder | null =>
  recorder && resource.keepsHistory ? recorder : null

/** The types of the first cells of an entry, those of the recorder. */
export const entryTypes = ['text', 'text', 'text', 'text'] as const

const cellCount = entryTypes.length

const insertInto = (resource: Resource, columns: readonly string[]): string =>
  `INSERT INTO ${quote(historyTableOf(resource))} (${[...entryColumns, ...columns].map(quote).join(', ')})`

/** The placeholders of the cells of the recorder, which begin at a slot. */
export const entryCells = (dialect: Dialect, from: number): readonly string[] =>
  entryTypes.map((_, at) => dialect.placeholder(from + at))

interface RecordedSource {
  /** The rows `b` of the records, and `o` of what they were. */
  readonly from: string
  /** The first values of each entry, those of the recorder. */
  readonly entry: readonly string[]
}

/** An entry for each new record in `from`, which has the column `pk`. */
export const createdSql = (resource: Resource, { from, entry }: RecordedSource): string =>
  `${insertInto(resource, ['pk'])} SELECT ${entry.join(', ')}, 'created', 1, b."pk" FROM ${from}`

interface RecordedRows {
  readonly change: RecordedChange
  /** A condition on the rows of the table, as `b`, with slots after those of the recorder. */
  readonly where: string
  /** How much the version will be raised. */
  readonly raises: 0 | 1
}

/** An entry for each row that is about to change, with the record as it is. The cells of the recorder are the first. */
export const beforeSql = (resource: Resource, dialect: Dialect, { change, where, raises }: RecordedRows): string => {
  const entry = [...entryCells(dialect, 1), textOf(change), `b."version" + ${raises}`]
  const { names, values } = imageParts(resource, dialect, 'b')
  return (
    `${insertInto(resource, names)} SELECT ${[...entry, ...values].join(', ')} FROM ${quote(resource.name)} AS b ` +
    `WHERE ${where}${dialect.lock('b')}`
  )
}

/** An entry for each record that a statement changes, with the record as it was: the row `o` in `from`. */
export const updatedSql = (resource: Resource, dialect: Dialect, { from, entry }: RecordedSource): string => {
  const { names, values } = imageParts(resource, dialect, 'o')
  const all = [...entry, textOf('updated'), 'o."version" + 1', ...values]
  return `${insertInto(resource, names)} SELECT ${all.join(', ')} FROM ${from}`
}

/** What the history keeps of a row: the columns, and expressions for their values. */
const imageParts = (resource: Resource, dialect: Dialect, alias: string) => {
  const fields = imageColumns(resource)
  const values = fields.map(field => {
    if (!isKeptAsList(field)) return `${alias}.${quote(field.name)}`
    const holding = holdingOf(field)
    if (holding.kind !== 'pairs') throw new Error(`${field.name} has no pairs to list`)
    return `(SELECT ${dialect.pairs(`l.${holding.far}`, 'NULL')} FROM ${holding.table} AS l WHERE l.${holding.near} = ${alias}."pk")`
  })
  return { names: fields.map(({ name }) => name), values }
}

/** Records an entry for each of these records, which are about to change. */
export const recordBefore = (
  session: SqlSession,
  { raises = 1, ...records }: Recorded & { readonly raises?: 0 | 1 },
): Promise<void> =>
  recordEntries(session, records, {
    key: String(raises),
    sql: (dialect, where) => beforeSql(records.resource, dialect, { change: 'updated', where, raises }),
  })

/** Records that these records are new, or are back. */
export const recordNew = (
  session: SqlSession,
  { change = 'created', ...records }: Recorded & { readonly change?: 'created' | 'restored' },
): Promise<void> =>
  recordEntries(session, records, {
    key: change,
    sql: (dialect, where) => {
      const { resource } = records
      const entry = [...entryCells(dialect, 1), textOf(change), 'b."version"', 'b."pk"']
      return `${insertInto(resource, ['pk'])} SELECT ${entry.join(', ')} FROM ${quote(resource.name)} AS b WHERE ${where}`
    },
  })

interface Recorded {
  readonly resource: Resource
  readonly pks: readonly string[]
}

interface EntryKind {
  readonly key: string
  /** The statement, with a condition on the rows of the table, as `b`. The cells of the recorder are the first. */
  readonly sql: (dialect: Dialect, where: string) => string
}

const recordEntries = async (
  session: SqlSession,
  { resource, pks }: Recorded,
  { key, sql }: EntryKind,
): Promise<void> => {
  const recorder = recorderFor(session, resource)
  if (!recorder || pks.length === 0) return
  const { statements, connection } = session
  const which = somePks(pks, statements.dialect)
  const statement = statements.of<Statement>(`record ${which.key} ${key} ${resource.name}`, () => ({
    sql: sql(statements.dialect, which.condition(cellCount + 1)),
    constants: [],
  }))
  await run(connection, statement, [...recorder.cells(), which.cell])
}
