// Inserting many records, none of which is read back.

import type { Resource } from '../../model/resource.ts'
import type { NewRecord } from '../../model/transaction.ts'
import type { Cell } from '../connection.ts'
import { createdSql, entryCells, recorderFor, recordNew } from '../history/record-change.ts'
import { publish, publisherFor, publishSql } from '../outbox/publish.ts'
import { partOf, quote, tableOf } from './columns.ts'
import { insertLinks, linksIn } from './links.ts'
import type { RecordWrite } from './record-write.ts'
import { refusedWrite } from './refusals.ts'
import type { SqlSession } from './session.ts'
import { QueryShape } from './shape.ts'
import { run, type Statement } from './statement.ts'
import { mustHaveFields, writtenOf } from './written-columns.ts'

/** Records of one statement that has a list for each column. */
const maxListed = 1000

/**
 * Records of one statement in which each value takes a parameter, and neither database takes more than some ten thousand of them. A few
 * sizes, so that there are few texts to prepare.
 */
const sizes = [100, 50, 20, 10, 5, 2, 1]
const maxSpread = 100

/** Inserts many records, and reads none of them back. */
export const insertRecords = async (
  session: SqlSession,
  resource: Resource,
  records: readonly NewRecord[],
): Promise<void> => {
  for (const { values } of records) mustHaveFields(resource, values)
  const { columnRows } = session.statements.dialect
  const most = columnRows ? maxListed : maxSpread
  for (let from = 0; from < records.length; from += most) {
    const some = records.slice(from, from + most)
    if (columnRows) await insertListed(session, { resource, records: some, columnRows })
    else await insertSpread(session, resource, some)
  }
}

interface ListedRecords {
  readonly resource: Resource
  readonly records: readonly NewRecord[]
  readonly columnRows: NonNullable<SqlSession['statements']['dialect']['columnRows']>
}

/** One statement that inserts, records and publishes, whose text does not depend on the number of records. */
const insertListed = async (session: SqlSession, { resource, records, columnRows }: ListedRecords): Promise<void> => {
  const { statements } = session
  const { dialect } = statements
  const { columns } = writtenOf(resource)
  const listOf = (values: readonly unknown[], type: (typeof columns)[number]['type']): Cell =>
    dialect.list(
      values.map(value => dialect.cell(value, type)),
      type,
    )
  const pks = records.map(({ pk }) => pk)
  const lists = [
    listOf(pks, 'text'),
    ...columns.map(({ read, type }) =>
      listOf(
        records.map(({ values }) => read(values)),
        type,
      ),
    ),
  ]
  const publisher = publisherFor(session, resource)
  publisher?.onPublish()
  const recorder = recorderFor(session, resource)
  const key = `insert listed ${resource.name} ${recorder ? 'recorded' : ''} ${publisher ? 'published' : ''}`
  const statement = statements.of<Statement>(key, () => {
    const part = partOf(resource)
    const rows = columnRows(['text' as const, ...columns.map(({ type }) => type)])
    const select = `SELECT listed.*, 1${part ? `, ${part.value}` : ''} FROM ${rows} AS listed`
    const insert = `INSERT INTO ${tableOf(resource)} (${insertedNames(resource)}) ${select}`
    const following = [
      ...(recorder ? [createdSql(resource, { from: 'b', entry: entryCells(dialect, lists.length + 1) })] : []),
      ...(publisher ? [publishSql(publisher, { resource, type: 'created', from: 'b' })] : []),
    ]
    const last = following.pop()
    const others = following.map(sql => `, recorded AS (${sql})`)
    return { sql: last ? `WITH b AS (${insert} RETURNING *)${others.join('')} ${last}` : insert, constants: [] }
  })
  await runInsertion(session, resource, { records, statement, cells: [...lists, ...(recorder?.cells() ?? [])] })
  await insertAllLinks(session, resource, records)
}

const insertSpread = async (session: SqlSession, resource: Resource, records: readonly NewRecord[]): Promise<void> => {
  for (let from = 0; from < records.length; ) {
    const size = sizes.find(one => one <= records.length - from) ?? 1
    const some = records.slice(from, from + size)
    const shape = new QueryShape(session.statements.dialect)
    for (const record of some) addInserted(shape, { resource, ...record })
    const statement = session.statements.of<Statement>(`insert ${size} ${resource.name}`, () => ({
      sql: insertionSql(resource, shape, size),
      constants: [],
    }))
    await runInsertion(session, resource, { records: some, statement, cells: shape.cells })
    from += size
  }
  await insertAllLinks(session, resource, records)
  const pks = records.map(({ pk }) => pk)
  await recordNew(session, { resource, pks })
  await publish(session, { resource, type: 'created', pks })
}

interface Insertion {
  readonly records: readonly NewRecord[]
  readonly statement: Statement
  readonly cells: readonly Cell[]
}

const runInsertion = async (
  session: SqlSession,
  resource: Resource,
  { records, statement, cells }: Insertion,
): Promise<void> => {
  // Of several records, only the columns of the violation say which is invalid.
  const [first, second] = records
  const values = first && !second ? first.values : {}
  await run(session.connection, statement, cells).catch(async error => {
    throw await refusedWrite(session, { resource, values }, error)
  })
}

const insertAllLinks = async (
  session: SqlSession,
  resource: Resource,
  records: readonly NewRecord[],
): Promise<void> => {
  for (const { pk, values } of records)
    for (const { field, targets } of linksIn({ resource, values }))
      await insertLinks(session, { relation: field, pk }, targets)
}

/** Adds the values of a new record as cells. */
export const addInserted = (shape: QueryShape, { resource, pk, values }: RecordWrite): void => {
  shape.add(pk, 'text')
  for (const { read, type } of writtenOf(resource).columns) shape.add(read(values), type)
}

/** The columns that an insertion gives values to. */
export const insertedNames = (resource: Resource): string => {
  const part = partOf(resource)
  const columns = writtenOf(resource).columns.map(({ name }) => quote(name))
  return ['"pk"', ...columns, '"version"', ...(part ? [part.column] : [])].join(', ')
}

/** The values of so many records are the first cells of the shape, one record after the other. */
export const insertionSql = (resource: Resource, { dialect }: QueryShape, count: number): string => {
  const part = partOf(resource)
  const width = 1 + writtenOf(resource).columns.length
  const rows = Array.from({ length: count }, (_, record) => {
    const places = Array.from({ length: width }, (_, at) => dialect.placeholder(record * width + at + 1))
    return `(${[...places, '1', ...(part ? [part.value] : [])].join(', ')})`
  })
  return `INSERT INTO ${tableOf(resource)} (${insertedNames(resource)}) VALUES ${rows.join(', ')}`
}
