// Reads the history of a record: its changes, newest first, each with the record before it.

import { type HistorySelection, historyFields, type RecordedChange, type RecordedEntry } from '../../model/history.ts'
import { isColumn } from '../../model/indexes.ts'
import type { Resource } from '../../model/resource.ts'
import type { ReadOptions } from '../../model/transaction.ts'
import type { ResultRow } from '../connection.ts'
import type { Driver } from '../driver.ts'
import { quote } from '../sql/columns.ts'
import { recordScope, StatementDraft } from '../sql/from.ts'
import { noLinkFilters, type SelectedFields, selectionOf } from '../sql/selection.ts'
import type { SqlSession } from '../sql/session.ts'
import { QueryShape } from '../sql/shape.ts'
import { run, type Statement } from '../sql/statement.ts'
import { filterSql } from '../sql/where.ts'
import { entryColumns, historyTableOf, timeOf } from './columns.ts'

interface HistoryRead extends HistorySelection {
  readonly resource: Resource
}

interface EntryStatement extends Statement {
  readonly decode: (row: ResultRow) => RecordedEntry
}

export const readHistory = async (
  { statements, connection }: SqlSession,
  { resource, pk, olderThan, limit }: HistoryRead,
  { visible = null, linkFilters = noLinkFilters, requester }: ReadOptions = {},
): Promise<readonly RecordedEntry[]> => {
  if (pk.includes('\0')) return []
  const shape = new QueryShape(statements.dialect, { kind: 'history' })
  shape.cells.push(pk, limit)
  const isContinued = olderThan !== undefined
  if (isContinued) shape.cells.push(olderThan)
  const fields = columnsIn(resource)
  const seen = visible ? shape.filter(visible) : ''
  const key = `history ${isContinued} ${resource.name} ${seen} ${shape.linkFilters(linkFilters, fields.filtered)}`
  const statement = statements.of<EntryStatement>(key, () => {
    const { dialect } = shape
    const draft = new StatementDraft(shape)
    const scope = recordScope(draft, resource)
    draft.facts.limits(draft.facts.column('b', '"pk"'), '=', { cells: [0] })
    const { columns, decode } = selectionOf(scope, fields, linkFilters)
    const own = entryColumns.map(name => `b.${quote(name)}`)
    const lists = listFields(resource).map(({ name }) => `b.${quote(name)}`)
    const isSeen = visible ? `CASE WHEN ${filterSql(scope, visible)} THEN 1 ELSE 0 END` : '1'
    const older = isContinued ? ` AND b."_entry" < ${dialect.placeholder(3)}` : ''
    const sql =
      `SELECT ${[isSeen, ...own, ...lists, ...columns].join(', ')} FROM ${scope.from.sql} ` +
      `WHERE b."pk" = ${dialect.placeholder(1)}${older} ORDER BY b."_entry" DESC LIMIT ${dialect.placeholder(2)}`
    const toLists = dialect.decode.json ?? (cell => cell)
    return { ...draft.statement(sql), decode: decoderOf(resource, { decode, toLists }) }
  })
  const rows = await run(connection, statement, shape.cells, { requester })
  return rows.map(statement.decode)
}

const known = new WeakMap<Resource, SelectedFields>()

/** Values and references; embedded links are read from their own columns. */
const columnsIn = (resource: Resource): SelectedFields => {
  let visibleFields = known.get(resource)
  if (!visibleFields) {
    const fields = historyFields(resource).filter(isColumn)
    const filtered = fields.filter(({ definition, target }) => definition.role === 'one' && target?.label)
    visibleFields = { fields, filtered: new Set(filtered.map(({ name }) => name)) }
    known.set(resource, visibleFields)
  }
  return visibleFields
}

const listFields = (resource: Resource) => historyFields(resource).filter(field => !isColumn(field))

interface Decoders {
  readonly decode: (row: ResultRow) => NonNullable<RecordedEntry['before']>
  readonly toLists: (cell: unknown) => unknown
}

const decoderOf = (resource: Resource, { decode, toLists }: Decoders): EntryStatement['decode'] => {
  const lists = listFields(resource)
  const from = 1 + entryColumns.length
  return row => {
    const [seen, entry, by, address, requestId, change, version] = row
    const record = decode(row.slice(from + lists.length))
    const isThere = record.version !== null
    const isHidden = isThere && Number(seen) !== 1
    const links = lists.map(({ name }, at) => {
      const pairs = (toLists(row[from + at]) ?? []) as [string, null][]
      return [name, pairs.map(([pk]) => ({ pk, label: null }))] as const
    })
    return {
      entry: entry as string,
      time: timeOf(entry as string),
      change: change as RecordedChange,
      version: Number(version),
      by: by as string | null,
      address: address as string | null,
      requestId: requestId as string | null,
      before: isThere && !isHidden ? { ...record, ...Object.fromEntries(links) } : null,
      isHidden,
    }
  }
}

// Deletes old entries of the history.

/** The number of rows at once that a writer hardly notices. */
const batchSize = 1000

/** Answers how many were deleted. */
export const pruneHistory = (driver: Driver, resource: Resource, before: string): Promise<number> => {
  const table = quote(historyTableOf(resource))
  const old = `SELECT "_entry" FROM ${table} WHERE "_entry" < ${driver.dialect.placeholder(1)} ORDER BY "_entry" LIMIT ${batchSize}`
  const sql = `DELETE FROM ${table} WHERE "_entry" IN (${old}) RETURNING 1`
  return driver.transaction(async connection => (await connection.rows(sql, [before])).length)
}
