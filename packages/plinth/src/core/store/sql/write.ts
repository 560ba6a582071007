// Writing records: insert, update, remove.

import { changesHistory } from '../../model/history.ts'
import type { StoredRecord } from '../../model/record.ts'
import { createdSql, entryCells, recordBefore, recorderFor, recordNew } from '../history/record-change.ts'
import { imageBefore, publish, publisherFor, publishSql } from '../outbox/publish.ts'
import { partSql, quote, tableOf } from './columns.ts'
import { StatementDraft } from './from.ts'
import { addInserted, insertionSql } from './insertion.ts'
import { insertLinks, linksIn, replaceLinks } from './links.ts'
import { readOne } from './read.ts'
import type { RecordWrite } from './record-write.ts'
import { refusedWrite } from './refusals.ts'
import { noLinkFilters, type SelectSource, selectingWritten, selectionOf } from './selection.ts'
import type { SqlSession } from './session.ts'
import { QueryShape } from './shape.ts'
import { run, type SelectStatement, type Statement } from './statement.ts'
import { updateInOne } from './update-in-one.ts'
import { columnsIn, mustHaveFields, writtenOf } from './written-columns.ts'

export const insertRecord = async (session: SqlSession, write: RecordWrite): Promise<StoredRecord> => {
  const record = await writeRecord(session, write, insertion(session, write))
  if (!record) throw new Error(`${write.resource.name} '${write.pk}' was written and could not be read`)
  return record
}

/** Inserts unless there is a record of this pk; answers whether there was none. */
export const ensureRecord = async (session: SqlSession, write: RecordWrite): Promise<boolean> => {
  const { resource, pk } = write
  const { shape, sql } = insertion(session, write)
  const statement = session.statements.of<Statement>(`ensure ${resource.name}`, () => ({
    sql: `${sql()} ON CONFLICT ("pk") DO NOTHING RETURNING "pk"`,
    constants: [],
  }))
  const rows = await run(session.connection, statement, shape.cells).catch(async error => {
    throw await refusedWrite(session, write, error)
  })
  if (rows.length === 0) return false
  await recordNew(session, { resource, pks: [pk] })
  await publish(session, { resource, type: 'created', pks: [pk] })
  return true
}

const insertion = ({ statements }: SqlSession, write: RecordWrite): WriteParts => {
  const shape = new QueryShape(statements.dialect)
  mustHaveFields(write.resource, write.values)
  addInserted(shape, write)
  return { shape, key: 'insert', type: 'created', sql: () => insertionSql(write.resource, shape, 1) }
}

export const updateRecord = async (
  session: SqlSession,
  write: RecordWrite & { readonly version?: number },
): Promise<StoredRecord | null> => {
  const { resource, pk, values, options, version = null } = write
  if (options?.visible && !(await readOne(session, { resource, pk, lock: 'exclusive' }, { visible: options.visible })))
    return null
  mustHaveFields(resource, values)
  const shape = new QueryShape(session.statements.dialect)
  shape.add(pk, 'text')
  const columns = columnsIn(write)
  for (const { read, type } of columns) shape.add(read(values), type)
  const names = columns.map(({ name }) => name)
  if (writesInOne(session, write)) return updateInOne(session, write, { shape, columns: names, version })
  return writeRecord(session, write, {
    shape,
    key: `update ${names.join()}`,
    type: 'updated',
    sql: () => {
      const sets = names.map((name, index) => `${quote(name)} = ${shape.dialect.placeholder(index + 2)}`)
      const raised = [...sets, '"version" = "version" + 1'].join(', ')
      const which = `"pk" = ${shape.dialect.placeholder(1)} AND ${partSql(resource)}`
      return `UPDATE ${tableOf(resource)} SET ${raised} WHERE ${which}`
    },
  })
}

interface WriteParts {
  readonly shape: QueryShape
  readonly key: string
  readonly type: 'created' | 'updated'
  readonly sql: () => string
}

/** Writes, then gives the record as reading would; null when nothing was there to write to. */
const writeRecord = async (
  session: SqlSession,
  write: RecordWrite,
  writing: WriteParts,
): Promise<StoredRecord | null> => {
  const { resource, pk, options } = write
  const isUpdate = writing.type === 'updated'
  const was = isUpdate ? await imageBefore(session, write) : null
  const isRecorded = resource.keepsHistory && isUpdate && changesHistory(resource, Object.keys(write.values))
  // Sent before the update and not awaited: both take one round trip.
  const recording = isRecorded ? recordBefore(session, { resource, pks: [pk] }) : null
  recording?.catch(() => {})
  const statement = statementFor(session, write, writing)
  const isLast = options?.isLast && statement.publishes
  const [row] = await run(session.connection, statement, writing.shape.cells, { isLast }).catch(async error => {
    throw await refusedWrite(session, write, error)
  })
  await recording
  if (!row) return null
  if (statement.decode && statement.publishes) return statement.decode(row)
  if (resource.keepsHistory && !isUpdate) await recordNew(session, { resource, pks: [pk] })
  const writeLinks = isUpdate ? replaceLinks : insertLinks
  for (const { field, targets } of linksIn(write)) await writeLinks(session, { relation: field, pk }, targets)
  await publish(session, { resource, type: writing.type, pks: [pk], was })
  if (statement.decode) return statement.decode(row)
  return readOne(session, { resource, pk }, { linkFilters: options?.linkFilters ?? noLinkFilters })
}

type WriteStatement = Statement &
  Partial<SelectStatement> & {
    /** It publishes the change, too. */
    readonly publishes?: boolean
  }

const statementFor = (session: SqlSession, write: RecordWrite, writing: WriteParts): WriteStatement => {
  if (!returnsRecord(write)) return plain(session, write, writing)
  return session.statements.dialect.writesInWith
    ? publishing(session, write, writing)
    : returning(session, write, writing)
}

const plain = ({ statements }: SqlSession, { resource }: RecordWrite, { key, sql }: WriteParts): WriteStatement =>
  statements.of<WriteStatement>(`plain ${resource.name} ${key}`, () => ({
    sql: `${sql()} RETURNING "pk"`,
    constants: [],
  }))

/**
 * Does the write itself return the record? What it shows of other records is as before the write, which is wrong only where the record
 * refers to itself or its links are written too.
 */
const returnsRecord = (write: RecordWrite): boolean =>
  linksIn(write).length === 0 && !writtenOf(write.resource).refersToItself

/** May the whole write be one statement? */
export const writesInOne = ({ statements }: SqlSession, write: RecordWrite): boolean =>
  statements.dialect.writesInWith && returnsRecord(write)

/** A statement that writes and returns the record. Its columns go by the name of the table: RETURNING knows no other. */
const returning = ({ statements }: SqlSession, write: RecordWrite, { shape, key, sql }: WriteParts): WriteStatement => {
  const { resource, options } = write
  const linkFilters = options?.linkFilters ?? noLinkFilters
  const selected = statements.selectedOf(resource)
  const linkFiltersKey = shape.linkFilters(linkFilters, selected.filtered)
  return statements.of<WriteStatement>(`returning ${resource.name} ${key} ${linkFiltersKey}`, () => {
    const draft = new StatementDraft(shape)
    const scope = { draft, alias: tableOf(resource), from: null }
    const { columns, decode } = selectionOf(scope, selected, linkFilters)
    return { sql: `${sql()} RETURNING ${columns.join(', ')}`, constants: draft.constants, decode }
  })
}

/** One statement that inserts, publishes the change and returns the record. */
const publishing = (
  session: SqlSession,
  { resource, options }: RecordWrite,
  { shape, sql }: WriteParts,
): WriteStatement => {
  const { statements } = session
  const publisher = publisherFor(session, resource)
  publisher?.onPublish()
  const recorder = recorderFor(session, resource)
  const recorderSlot = shape.cells.length + 1
  if (recorder) shape.cells.push(...recorder.cells())
  const linkFilters = options?.linkFilters ?? noLinkFilters
  const selected = statements.selectedOf(resource)
  const source: SelectSource = { resource, selected: selected, shape, linkFilters }
  const linkFiltersKey = shape.linkFilters(linkFilters, selected.filtered)
  return statements.of<WriteStatement>(
    `publishing ${resource.name} ${recorder ? 'recorded' : ''} ${linkFiltersKey}`,
    () => {
      const select = selectingWritten(source)
      const published = publisher && publishSql(publisher, { resource, type: 'created', from: 'b' })
      const recording = recorder && createdSql(resource, { from: 'b', entry: entryCells(shape.dialect, recorderSlot) })
      const parts = [
        `b AS (${sql()} RETURNING *)`,
        ...(published ? [`published AS (${published})`] : []),
        ...(recording ? [`recorded AS (${recording})`] : []),
      ]
      return { ...select, sql: `WITH ${parts.join(', ')} ${select.sql}`, publishes: true }
    },
  )
}
