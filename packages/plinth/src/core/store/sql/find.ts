// Finds a page of records, and how many match.

import type { PageWindow, Query } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import type { FoundPage } from '../../model/transaction.ts'
import { type CountKind, type CountParts, countOf, countStatement } from './count.ts'
import { type PageStatement, pageStatement, windowOf } from './page.ts'
import type { SqlSession } from './session.ts'
import { QueryShape } from './shape.ts'
import { run } from './statement.ts'
import type { Statements } from './statements.ts'

/** The offset from which records are counted: fewer are skipped sooner. */
const farOffset = 1000

/** A search whose matches may have been counted already. */
interface CountedQuery extends Query {
  readonly counted?: Total
}

export const find = (session: SqlSession, resource: Resource, query: Query): Promise<FoundPage> => {
  const { window, total } = query
  if (window.kind === 'before' || window.kind === 'end') return findBackward(session, resource, query)
  if (window.kind === 'offset' && window.offset >= farOffset && total === 'exact')
    return findFar(session, resource, { ...query, window })
  return findForward(session, resource, query)
}

/** The last records are the first ones in the opposite order. */
export const reversed = <Q extends Query>(query: Q): Q => ({
  ...query,
  sort: query.sort.map(key => ({ ...key, descending: !key.descending })),
  ...(query.window.kind === 'end' && { window: { kind: 'offset', offset: 0, limit: query.window.limit } }),
})

/** The page before a record is the page after it in the opposite order, turned around. */
const findBackward = async (session: SqlSession, resource: Resource, query: CountedQuery): Promise<FoundPage> => {
  const { records, prev, next, ...counted } = await findForward(session, resource, reversed(query))
  return { ...counted, records: records.toReversed(), prev: next, next: prev }
}

/** A page far from the start: counted first, so that it is found from the end that is nearer. */
const findFar = async (
  session: SqlSession,
  resource: Resource,
  query: Query & { readonly window: Extract<PageWindow, { kind: 'offset' }> },
): Promise<FoundPage> => {
  const { offset, limit } = query.window
  const counted = await total(session, countParts(session, { resource, ...query }), query)
  // The end is known only where the total is exact.
  if (counted.total === null || counted.estimated) return findForward(session, resource, { ...query, counted })
  const left = counted.total - offset
  if (left <= 0) return { ...counted, records: [], prev: null, next: null }
  if (left > offset) return findForward(session, resource, { ...query, counted })
  const count = Math.min(limit, left)
  const fromEnd: PageWindow = { kind: 'offset', offset: left - count, limit: count }
  return findBackward(session, resource, { ...query, counted, window: fromEnd })
}

const findForward = async (session: SqlSession, resource: Resource, query: CountedQuery): Promise<FoundPage> => {
  const { window, counted } = query
  const offset = window.kind === 'offset' ? window.offset : 0
  const positions = offset >= farOffset ? session.positions?.of(session.statements, resource, query) : null
  const position = positions?.get(offset)
  // The record before the page tells where it begins.
  const lead = positions && !position ? 1 : 0
  const pageWindow: PageWindow = position
    ? { kind: 'after', values: position.after, limit: window.limit }
    : { ...window, limit: window.limit + lead, ...(window.kind === 'offset' && { offset: offset - lead }) }
  const { statement, parts } = preparePage(session.statements, resource, { ...query, window: pageWindow })
  const skips = pageWindow.kind === 'offset' ? pageWindow.offset : 0
  // The past and the trash have conditions of their own, which may reject any number of rows.
  const walks = statement.isInOrder && !query.source ? skips + pageWindow.limit + 1 : undefined
  const hint = { walks, skips, requester: query.requester }
  const reading = run(session.connection, statement, parts.shape.cells, hint)
  // A count that is probably needed runs beside the page: one round trip instead of two.
  const counting = session.isRemote && statement.hadNext && !counted ? total(session, parts, query) : undefined
  counting?.catch(() => {})
  const found = await reading
  const rows = lead > 0 ? found.slice(lead) : found
  const page = rows.length > window.limit ? rows.slice(0, window.limit) : rows
  const last = page.length < rows.length ? page[page.length - 1] : undefined
  if (lead > 0 && found[0]) positions?.set(offset, statement.keysOf(found[0]))
  if (last) positions?.set(offset + window.limit, statement.keysOf(last), position?.since)
  statement.hadNext = last !== undefined
  const first = window.kind !== 'offset' || window.offset > 0 ? page[0] : undefined
  const whole = window.kind === 'offset' && !last && (page.length > 0 || window.offset === 0)
  const known = counted?.estimated === false || !whole ? counted : knownTotal(query, page.length)
  return {
    records: page.map(statement.decode),
    ...(known ?? (await (counting ?? total(session, parts, query)))),
    prev: first ? statement.keysOf(first) : null,
    next: last ? statement.keysOf(last) : null,
  }
}

/** The statement of a page with its cells, and what a count of all matches is made from. */
export const preparePage = (
  statements: Statements,
  resource: Resource,
  query: Query,
): { readonly statement: PageStatement; readonly parts: CountParts } => {
  const { filter, linkFilters } = query
  const shape = new QueryShape(statements.dialect, query.source)
  const filterKey = filter ? shape.filter(filter) : ''
  const cellCount = shape.cells.length
  const fields = statements.selectedOf(resource)
  const { key: windowKey, slots } = windowOf(shape, query)
  const key = `find ${shape.key} ${resource.name} ${filterKey} ${shape.sort(query.sort)} ${shape.linkFilters(linkFilters, fields.filtered)} ${windowKey}`
  const statement = statements.of(key, () =>
    pageStatement({ resource, selected: fields, shape, linkFilters }, query, slots),
  )
  return { statement, parts: { resource, filter, filterKey, shape, cellCount } }
}

type Total = Pick<FoundPage, 'total' | 'estimated'>

/** The last page shows the total by itself. */
const knownTotal = ({ total, window }: Query, found: number): Total =>
  exactly(total === 'none' ? null : (window.kind === 'offset' ? window.offset : 0) + found)

const exactly = (total: number | null): Total => ({ total, estimated: false })

export const total = async (session: SqlSession, parts: CountParts, query: Query): Promise<Total> => {
  const { total: kind, exactUpTo, requester } = query
  if (kind === 'none') return exactly(null)
  if (query.source) return countedUpTo(session, parts, query)
  if (kind === 'estimated') return { total: await counted(session, parts, { kind, requester }), estimated: true }
  if (exactUpTo === undefined) return exactly(await counted(session, parts, { kind, requester }))
  const size = parts.filter === null ? session.sizes?.known?.records(parts.resource) : undefined
  // Nothing is counted in a table that is much larger; in one that is smaller, counting it whole is fastest.
  if (size !== undefined && size > surelyBeyond * exactUpTo) return { total: size, estimated: true }
  const isSmall = size !== undefined && size <= exactUpTo
  const found = await counted(session, parts, { kind, requester, ...(!isSmall && { atMost: exactUpTo + 1 }) })
  if (found <= exactUpTo) return exactly(found)
  return { total: Math.max(found, await counted(session, parts, { kind: 'estimated', requester })), estimated: true }
}

/** Counts up to a number; nothing estimates how many records there were. */
const countedUpTo = async (session: SqlSession, parts: CountParts, query: Query): Promise<Total> => {
  const { exactUpTo, requester } = query
  const atMost = exactUpTo === undefined ? undefined : exactUpTo + 1
  const found = await counted(session, parts, { kind: 'exact', requester, atMost })
  return { total: found, estimated: found === atMost }
}

/** Sizes of tables are estimates: only beyond this many times the limit they decide alone. */
const surelyBeyond = 1.25

interface Counting extends CountKind {
  readonly requester?: Query['requester']
}

export const counted = async (
  { statements, connection }: SqlSession,
  parts: CountParts,
  how: Counting,
): Promise<number> => {
  const { kind, atMost, requester } = how
  const key = `${kind} ${parts.shape.key} ${atMost ?? ''} ${parts.resource.name} ${parts.filterKey}`
  const statement = statements.of(key, () => countStatement(parts, how))
  const rows = await run(connection, statement, parts.shape.cells.slice(0, parts.cellCount), { requester })
  return kind === 'estimated' ? statements.dialect.estimate.read(rows) : countOf(rows)
}

export const countParts = (
  { statements }: SqlSession,
  { resource, filter, source }: Pick<CountParts, 'resource' | 'filter'> & Pick<Query, 'source'>,
): CountParts => {
  const shape = new QueryShape(statements.dialect, source)
  const filterKey = filter ? shape.filter(filter) : ''
  return { resource, filter, filterKey, shape, cellCount: shape.cells.length }
}
