// Writes of one kind that arrive together, as one statement, which writes, records and publishes all of them and returns the records.

import { changesHistory } from '../../model/history.ts'
import type { StoredRecord } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import type { ColumnType } from '../../model/value-field.ts'
import type { Cell } from '../connection.ts'
import { createdSql, entryTypes, recorderFor, updatedSql } from '../history/record-change.ts'
import type { ChangeRecorder } from '../history/recorder.ts'
import { imageSql, publisherFor, publishSql } from '../outbox/publish.ts'
import { partOf, partSql, quote, tableOf } from './columns.ts'
import { insertedNames } from './insertion.ts'
import { type ListedColumn, listedSql } from './listed-rows.ts'
import type { RecordWrite } from './record-write.ts'
import { refusedWrite } from './refusals.ts'
import { noLinkFilters, selectingWritten } from './selection.ts'
import type { SqlSession } from './session.ts'
import { QueryShape } from './shape.ts'
import { run, type SelectStatement } from './statement.ts'
import { type ColumnWrite, columnsIn, writtenOf } from './written-columns.ts'

/** A write, and who makes it. */
export interface GroupedWrite {
  /** With the version that the record must have, unless it is new. */
  readonly write: RecordWrite & { readonly version?: number }
  /** The cells of its columns: of all for a new record, of those that it gives values to for an update. */
  readonly cells: readonly Cell[]
  /** What is inserted with a new record. */
  readonly following: readonly FollowingCells[]
  readonly recorder: ChangeRecorder
}

/** New records of another resource, their pks first. */
export interface FollowingCells {
  readonly resource: Resource
  readonly rows: readonly (readonly Cell[])[]
}

type Group = readonly GroupedWrite[]

/** The written records, by their pks. */
type Written = ReadonlyMap<string, StoredRecord>

/** Inserts new records, and those that follow from them. */
export const insertGroup = (session: SqlSession, resource: Resource, group: Group): Promise<Written> => {
  const publisher = publisherFor(session, resource)
  publisher?.onPublish()
  const isRecorded = recorderFor(session, resource) !== null
  const values = valuesOf(group, writtenOf(resource).columns)
  return writeGroup(session, resource, {
    group,
    key: ['insert', isRecorded && 'recorded', publisher && 'published'].filter(Boolean).join(' '),
    columns: [...values, ...(isRecorded ? entriesOf(group) : [])],
    following: followingIn(group),
    expressions: () => {
      const part = partOf(resource)
      const given = ['_pk', ...values.map(({ name }) => name), '1', ...(part ? [part.value] : [])]
      const created = { from: 'b JOIN listed AS o ON o._pk = b."pk"', entry: entryNames }
      return [
        `b AS (INSERT INTO ${tableOf(resource)} (${insertedNames(resource)}) SELECT ${given.join(', ')} FROM listed RETURNING *)`,
        ...(publisher ? [`published AS (${publishSql(publisher, { resource, type: 'created', from: 'b' })})`] : []),
        ...(isRecorded ? [`recorded AS (${createdSql(resource, created)})`] : []),
      ]
    },
  })
}

/** Updates the same columns of different records. Those that are gone, that have changed and that others hold stay as they are. */
export const updateGroup = async (session: SqlSession, resource: Resource, group: Group): Promise<Written> => {
  const [first] = group
  if (!first) return new Map()
  const { values: changes } = first.write
  const publisher = publisherFor(session, resource)
  publisher?.onPublish()
  const holder = resource.holder
  const showsChange = publisher?.fields(holder).some(({ name }) => changes[name] !== undefined) ?? false
  const isRecorded = recorderFor(session, resource) !== null && changesHistory(resource, Object.keys(changes))
  const written = columnsIn(first.write)
  const values = valuesOf(group, written)
  const versions = {
    name: '_version',
    type: 'integer' as const,
    cells: group.map(({ write }) => write.version ?? null),
  }
  const parts = [showsChange && 'was', isRecorded && 'recorded', publisher && 'published'].filter(Boolean)
  return writeGroup(session, resource, {
    group,
    key: `update ${written.map(({ name }) => name).join()} ${parts.join()}`,
    columns: [versions, ...values, ...(isRecorded ? entriesOf(group) : [])],
    expressions: dialect => {
      const sets = written.map(({ name }, at) => `${quote(name)} = o.${valueName(at)}`)
      const was = showsChange && publisher ? imageSql(publisher, holder, 'o') : undefined
      const from = 'b JOIN o ON o."pk" = b."pk"'
      return [
        `o AS (SELECT * FROM ${tableOf(resource)} AS r JOIN listed ON r."pk" = _pk AND r."version" = _version ` +
          `WHERE ${partSql(resource)}${dialect.lock('r', 'free')})`,
        `b AS (UPDATE ${tableOf(resource)} AS r SET ${[...sets, '"version" = o."version" + 1'].join(', ')} ` +
          'FROM o WHERE r."pk" = o."pk" RETURNING r.*)',
        ...(publisher
          ? [`published AS (${publishSql(publisher, { resource, type: 'updated', from, ...(was && { was }) })})`]
          : []),
        ...(isRecorded ? [`recorded AS (${updatedSql(resource, dialect, { from, entry: entryNames })})`] : []),
      ]
    },
  })
}

const valueName = (at: number): string => `_value${at}`

/** The values of the columns of all records. No column of a table begins with an underscore. */
const valuesOf = (group: Group, columns: readonly ColumnWrite[]): ListedColumn[] =>
  columns.map(({ type }, at) => ({ name: valueName(at), type, cells: group.map(({ cells }) => cells[at] ?? null) }))

const entryName = (at: number): string => `_entry${at}`

const entryNames = entryTypes.map((_, at) => `o.${entryName(at)}`)

/** The first columns of the entries of all records in the history. */
const entriesOf = (group: Group): ListedColumn[] => {
  const entries = group.map(({ recorder }) => recorder.cells())
  return entryTypes.map((type, at) => ({ name: entryName(at), type, cells: entries.map(cells => cells[at] ?? null) }))
}

interface GroupParts {
  readonly group: Group
  /** What distinguishes its text from those of other groups of the resource. */
  readonly key: string
  /** The columns beside the pk. */
  readonly columns: readonly ListedColumn[]
  readonly following?: readonly FollowingCells[]
  /** The common table expressions that write the rows of `listed`, the written ones as `b`. */
  readonly expressions: (dialect: SqlSession['statements']['dialect']) => readonly string[]
}

/** The records that follow from all of the group, by their resources. */
const followingIn = (group: Group): readonly FollowingCells[] =>
  (group[0]?.following ?? []).map(({ resource }, at) => ({
    resource,
    rows: group.flatMap(({ following }) => following[at]?.rows ?? []),
  }))

/** The expressions that insert rows whose lists begin at a slot. */
const followingSql = (session: SqlSession, { resource }: FollowingCells, slot: number): readonly string[] => {
  const { columnRows } = session.statements.dialect
  const [publisher, part, name] = [publisherFor(session, resource), partOf(resource), `following${slot}`]
  const rows = columnRows?.(followingTypes(resource), slot)
  const select = `SELECT l.*, 1${part ? `, ${part.value}` : ''} FROM ${rows} AS l`
  return [
    `${name} AS (INSERT INTO ${tableOf(resource)} (${insertedNames(resource)}) ${select} RETURNING *)`,
    ...(publisher
      ? [`published${slot} AS (${publishSql(publisher, { resource, type: 'created', from: `${name} AS b` })})`]
      : []),
  ]
}

const followingTypes = (resource: Resource): readonly ColumnType[] => [
  'text',
  ...writtenOf(resource).columns.map(({ type }) => type),
]

const writeGroup = async (
  session: SqlSession,
  resource: Resource,
  { group, key, columns, following = [], expressions }: GroupParts,
): Promise<Written> => {
  const { statements, connection } = session
  const { dialect } = statements
  const all: ListedColumn[] = [{ name: '_pk', type: 'text', cells: group.map(({ write }) => write.pk) }, ...columns]
  const shape = new QueryShape(dialect)
  shape.cells.push(...all.map(({ cells, type }) => dialect.list(cells, type)))
  const slots = following.map(({ resource, rows }) => {
    const slot = shape.cells.length + 1
    const lists = followingTypes(resource).map((type, at) =>
      dialect.list(
        rows.map(row => row[at]),
        type,
      ),
    )
    shape.cells.push(...lists)
    return slot
  })
  const statement = statements.of<SelectStatement>(`group ${resource.name} ${key}`, () => {
    const selected = statements.selectedOf(resource)
    const select = selectingWritten({ resource, selected, shape, linkFilters: noLinkFilters })
    const parts = [
      listedSql(dialect, all),
      ...expressions(dialect),
      ...following.flatMap((rows, at) => followingSql(session, rows, slots[at] ?? 0)),
    ]
    return { ...select, sql: `WITH ${parts.join(', ')} ${select.sql}` }
  })
  const [first, ...others] = group
  const rows = await run(connection, statement, shape.cells).catch(async error => {
    // Of several records, the error does not say which is refused.
    throw first && others.length === 0 ? await refusedWrite(session, first.write, error) : error
  })
  return new Map(rows.map(statement.decode).map(record => [record.pk, record]))
}
