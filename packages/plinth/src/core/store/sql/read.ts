// Reading: get, find, stream, count; on the shared connection or within a transaction.

import type { Filter, LinkFilters, PageWindow, Query } from '../../model/query.ts'
import type { StoredRecord } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import type {
  Along,
  CountOptions,
  FoundPage,
  KeptRecord,
  PairOptions,
  Reader,
  ReadOptions,
} from '../../model/transaction.ts'
import { withPastLinks } from '../history/past-links.ts'
import { readHistory } from '../history/read-history.ts'
import { isInTrash } from '../trash/purge.ts'
import { sourceOf } from './columns.ts'
import type { RowLock } from './dialect.ts'
import { readPairs } from './links.ts'
import {
  alongStatement,
  type CountKind,
  type CountParts,
  countOf,
  countStatement,
  type PageStatement,
  pageStatement,
  windowOf,
} from './page.ts'
import {
  noLinkFilters,
  oneStatement,
  QueryShape,
  run,
  type SelectStatement,
  type SqlSession,
  type Statements,
} from './statements.ts'

export const createReader = (session: SqlSession): Omit<Reader, 'resource' | 'published'> => ({
  get: (resource, pk, options) => readOne(session, { resource, pk }, options),
  changed: (resource, kept) => changed(session, resource, kept),
  find: (resource, query) => find(session, resource, query),
  history: (resource, selection, options) => readHistory(session, { resource, ...selection }, options),
  stream: (resource, query) => stream(session, resource, query),
  count: (resource, filter, options) => count(session, { resource, filter, ...options }),
  countAlong: (resource, along, options) => countAlong(session, { resource, ...along }, options),
  isInTrash: (resource, pk) => isInTrash(session, resource, pk),
  pairs: (relation, owners, options) => readPairs(session, { relation, owners }, options),
})

interface PointRead {
  readonly resource: Resource
  readonly pk: string
  readonly lock?: RowLock
}

export const readOne = async (
  session: SqlSession,
  wanted: PointRead,
  { visible = null, linkFilters = noLinkFilters, requester, source }: ReadOptions = {},
): Promise<StoredRecord | null> => {
  const { statements } = session
  const { resource, pk, lock } = wanted
  // No text in a database holds the character NUL, and PostgreSQL fails when it is asked for one.
  if (pk.includes('\0')) return null
  const plain = !lock && !visible && !source && linkFilters.size === 0
  const shape = new QueryShape(statements.dialect, source)
  shape.cells.push(pk)
  const known = plain ? statements.one.get(resource) : undefined
  const statement = known ?? oneOf(statements, { ...wanted, shape, visible, linkFilters })
  if (plain && !known) statements.one.set(resource, statement)
  const [row] = await run(session.connection, statement, shape.cells, statement.quick ? undefined : { requester })
  const record = row ? statement.decode(row) : null
  if (!record || source?.kind !== 'asOf') return record
  const [past] = await withPastLinks(session, { resource, records: [record], source, linkFilters, find })
  return past ?? record
}

interface OneParts extends PointRead {
  readonly shape: QueryShape
  readonly visible: Filter | null
  readonly linkFilters: LinkFilters
}

const oneOf = (statements: Statements, { resource, lock, shape, visible, linkFilters }: OneParts): SelectStatement => {
  const shown = statements.shown(resource)
  const seen = visible ? shape.filter(visible) : ''
  const key = `${lock ?? 'get'} ${shape.key} ${resource.name} ${seen} ${shape.linkFilters(linkFilters, shown.filtered)}`
  return statements.of(key, () => oneStatement({ resource, shown, shape, linkFilters }, visible, lock))
}

/** Which of them are gone, or are not what they were. */
const changed = (session: SqlSession, resource: Resource, kept: readonly KeptRecord[]) => {
  const [first, ...others] = kept
  return first && others.length === 0 ? changedOne(session, resource, first) : changedOnes(session, resource, kept)
}

/** Without a list, for which PostgreSQL makes a plan each time as long as the lists are short. */
const changedOne = async (
  { statements, connection }: SqlSession,
  resource: Resource,
  { pk, version }: KeptRecord,
): Promise<ReadonlySet<string>> => {
  const { dialect } = statements
  const statement = statements.of(`changed one ${resource.name}`, () => ({
    sql: `SELECT 1 FROM ${sourceOf(resource)} AS b WHERE b."pk" = ${dialect.placeholder(1)} AND b."version" = ${dialect.placeholder(2)}`,
    constants: [],
    quick: true,
  }))
  const rows = await run(connection, statement, [pk, version])
  return rows.length === 1 ? none : new Set([pk])
}

/** Nothing comes back for those that are the same, which are nearly all of them. */
const changedOnes = async (
  { statements, connection }: SqlSession,
  resource: Resource,
  kept: readonly KeptRecord[],
): Promise<ReadonlySet<string>> => {
  const { dialect } = statements
  const statement = statements.of(`changed ${resource.name}`, () => ({
    sql:
      `SELECT kept.pk FROM ${dialect.keptRows(dialect.placeholder(1), dialect.placeholder(2))} WHERE NOT EXISTS ` +
      `(SELECT 1 FROM ${sourceOf(resource)} AS b WHERE b."pk" = kept.pk AND b."version" = kept.version)`,
    constants: [],
    quick: true,
  }))
  const pks = dialect.list(
    kept.map(({ pk }) => pk),
    'text',
  )
  const versions = dialect.list(
    kept.map(({ version }) => version),
    'integer',
  )
  const rows = await run(connection, statement, [pks, versions])
  return rows.length === 0 ? none : new Set(rows.map(([pk]) => String(pk)))
}

const none: ReadonlySet<string> = new Set()

/** Fewer records than these are skipped sooner than they are counted. */
const farOffset = 1000

/** A search whose matches may have been counted already. */
interface CountedQuery extends Query {
  readonly counted?: Total
}

const find = (session: SqlSession, resource: Resource, query: Query): Promise<FoundPage> => {
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
  const shown = Math.min(limit, left)
  const fromEnd: PageWindow = { kind: 'offset', offset: left - shown, limit: shown }
  return findBackward(session, resource, { ...query, counted, window: fromEnd })
}

const findForward = async (session: SqlSession, resource: Resource, query: CountedQuery): Promise<FoundPage> => {
  const { window, counted } = query
  const offset = window.kind === 'offset' ? window.offset : 0
  const positions = offset >= farOffset ? session.positions?.of(session.statements, resource, query) : null
  const position = positions?.get(offset)
  // The record before the page tells where it begins.
  const lead = positions && !position ? 1 : 0
  const begun: PageWindow = position
    ? { kind: 'after', values: position.after, limit: window.limit }
    : { ...window, limit: window.limit + lead, ...(window.kind === 'offset' && { offset: offset - lead }) }
  const { statement, parts } = preparePage(session.statements, resource, { ...query, window: begun })
  const skips = begun.kind === 'offset' ? begun.offset : 0
  // The past and the trash have conditions of their own, which may reject any number of rows.
  const walks = statement.isInOrder && !query.source ? skips + begun.limit + 1 : undefined
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
  const records = page.map(statement.decode)
  const { source, linkFilters } = query
  return {
    records:
      source?.kind === 'asOf'
        ? await withPastLinks(session, { resource, records, source, linkFilters, find })
        : records,
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
  const shown = statements.shown(resource)
  const { key: windowKey, slots } = windowOf(shape, query)
  const key = `find ${shape.key} ${resource.name} ${filterKey} ${shape.sort(query.sort)} ${shape.linkFilters(linkFilters, shown.filtered)} ${windowKey}`
  const statement = statements.of(key, () => pageStatement({ resource, shown, shape, linkFilters }, query, slots))
  return { statement, parts: { resource, filter, filterKey, shape, cellCount } }
}

type Total = Pick<FoundPage, 'total' | 'estimated'>

/** The last page shows the total by itself. */
const knownTotal = ({ total, window }: Query, found: number): Total =>
  exactly(total === 'none' ? null : (window.kind === 'offset' ? window.offset : 0) + found)

const exactly = (total: number | null): Total => ({ total, estimated: false })

const total = async (session: SqlSession, parts: CountParts, query: Query): Promise<Total> => {
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

/** Nothing estimates how many records there were. */
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

const counted = async ({ statements, connection }: SqlSession, parts: CountParts, how: Counting): Promise<number> => {
  const { kind, atMost, requester } = how
  const key = `${kind} ${parts.shape.key} ${atMost ?? ''} ${parts.resource.name} ${parts.filterKey}`
  const statement = statements.of(key, () => countStatement(parts, how))
  const rows = await run(connection, statement, parts.shape.cells.slice(0, parts.cellCount), { requester })
  return kind === 'estimated' ? statements.dialect.estimate.read(rows) : countOf(rows)
}

const countParts = (
  { statements }: SqlSession,
  { resource, filter, source }: Pick<CountParts, 'resource' | 'filter'> & Pick<Query, 'source'>,
): CountParts => {
  const shape = new QueryShape(statements.dialect, source)
  const filterKey = filter ? shape.filter(filter) : ''
  return { resource, filter, filterKey, shape, cellCount: shape.cells.length }
}

const count = (
  session: SqlSession,
  { resource, filter, ...options }: Pick<CountParts, 'resource' | 'filter'> & CountOptions,
): Promise<number> =>
  counted(session, countParts(session, { resource, filter, source: options.source }), { kind: 'exact', ...options })

/** How many records a way through relations leads to, from all that match, each as often as it is met. */
const countAlong = async (
  { statements, connection }: SqlSession,
  { resource, filter, steps }: { readonly resource: Resource } & Along,
  { limit, requester }: PairOptions,
): Promise<number> => {
  const shape = new QueryShape(statements.dialect)
  const filterKey = filter ? shape.filter(filter) : ''
  const key = `along ${limit} ${resource.name} ${filterKey} ${shape.path({ steps, member: resource.pk })}`
  const parts = { resource, filter, filterKey, shape, cellCount: shape.cells.length }
  const statement = statements.of(key, () => alongStatement(parts, steps, limit))
  return countOf(await run(connection, statement, shape.cells, { requester }))
}

async function* stream(session: SqlSession, resource: Resource, query: Query): AsyncGenerator<readonly StoredRecord[]> {
  let { window } = query
  for (;;) {
    const { records, next } = await find(session, resource, { ...query, window, total: 'none' })
    if (records.length > 0) yield records
    if (!next) return
    window = { kind: 'after', values: next, limit: window.limit }
  }
}
