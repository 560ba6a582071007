// Reading: get, find, stream, count; on the shared connection or within a transaction.

import type { Filter, LinkFilters, Query } from '../../model/query.ts'
import type { StoredRecord } from '../../model/record.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import type {
  Along,
  CountOptions,
  FoundPage,
  KeptRecord,
  PairOptions,
  Reader,
  ReadOptions,
} from '../../model/transaction.ts'
import { findAsOf, withPastLinks } from '../history/past-links.ts'
import { readHistory } from '../history/read-history.ts'
import { findFused } from '../near/fused.ts'
import { countFound } from '../search/count-found.ts'
import { findFound } from '../search/find-found.ts'
import { findSimilar } from '../search/find-similar.ts'
import { findWords } from '../search/find-words.ts'
import { searchedTexts } from '../search/texts.ts'
import { isInTrash } from '../trash/purge.ts'
import { sourceOf } from './columns.ts'
import { alongStatement, type CountParts, countOf } from './count.ts'
import type { RowLock } from './dialect.ts'
import { counted, countParts, find } from './find.ts'
import { findGroups } from './groups.ts'
import { readPairs } from './links.ts'
import { readOwn } from './own-statement.ts'
import { noLinkFilters, oneStatement } from './selection.ts'
import type { SqlSession } from './session.ts'
import { QueryShape } from './shape.ts'
import { run, type SelectStatement } from './statement.ts'
import { byPk, type Statements } from './statements.ts'
import { valuesAlong } from './values-along.ts'

export const createReader = (session: SqlSession): Omit<Reader, 'resource' | 'published'> => {
  const findRecords = (resource: Resource, query: Query): Promise<FoundPage> => {
    const { source } = query
    if (source?.kind === 'found') return findFound(session, resource, { ...query, source })
    return source?.kind === 'asOf' ? findAsOf(session, resource, { ...query, source }) : find(session, resource, query)
  }
  return {
    get: (resource, pk, options) => readOne(session, { resource, pk, by: options?.by }, options),
    changed: (resource, kept) => changed(session, resource, kept),
    readOwn: statement => readOwn({ dialect: session.statements.dialect, connection: session.connection }, statement),
    valuesAlong: (resource, pks, paths) => valuesAlong(session, resource, { pks, paths }),
    find: findRecords,
    findFused: (resource, query, words) => findFused(one => findRecords(resource, one), resource, { ...query, words }),
    history: (resource, selection, options) => readHistory(session, { resource, ...selection }, options),
    stream: (resource, query) => inBatches(query, part => findRecords(resource, part)),
    words: (resource, search) => findWords(session, resource, search),
    similar: (resource, search) => findSimilar(session, resource, search),
    searchedTexts: (resource, pks, fields) => searchedTexts(session, resource, { pks, fields }),
    groups: (resource, aggregation) => findGroups(session, resource, aggregation),
    count: (resource, filter, options) =>
      options?.source?.kind === 'found'
        ? countFound(session, { resource, filter, ...options, source: options.source })
        : count(session, { resource, filter, ...options }),
    countAlong: (resource, along, options) => countAlong(session, { resource, ...along }, options),
    isInTrash: (resource, pk) => isInTrash(session, resource, pk),
    pairs: (relation, owners, options) => readPairs(session, { relation, owners }, options),
  }
}

interface PointRead {
  readonly resource: Resource
  /** Or the value of a unique field, `by`. */
  readonly pk: string
  readonly by?: ResourceField | undefined
  readonly lock?: RowLock
}

export const readOne = async (
  session: SqlSession,
  pointRead: PointRead,
  { visible = null, linkFilters = noLinkFilters, requester, source }: ReadOptions = {},
): Promise<StoredRecord | null> => {
  const { statements } = session
  const { resource, pk, by, lock } = pointRead
  // No text in a database holds the character NUL, and PostgreSQL fails when it is asked for one.
  if (pk.includes('\0')) return null
  const isPlain = !visible && !source && linkFilters.size === 0
  const shape = new QueryShape(statements.dialect, source)
  shape.cells.push(pk)
  const kind = by || lock ? `${by?.name ?? ''} ${lock ?? ''}` : byPk
  const known = isPlain ? statements.one.get(resource)?.get(kind) : undefined
  const statement = known ?? oneOf(statements, { ...pointRead, shape, visible, linkFilters })
  if (isPlain && !known) statements.keepOne(resource, kind, statement)
  const [row] = await run(session.connection, statement, shape.cells, statement.quick ? undefined : { requester })
  const record = row ? statement.decode(row) : null
  if (!record || source?.kind !== 'asOf') return record
  const [past] = await withPastLinks(session, { resource, records: [record], source, linkFilters })
  return past ?? record
}

interface OneParts extends PointRead {
  readonly shape: QueryShape
  readonly visible: Filter | null
  readonly linkFilters: LinkFilters
}

const oneOf = (statements: Statements, { resource, by, lock, shape, visible, linkFilters }: OneParts) => {
  const selected = statements.selectedOf(resource)
  const seen = visible ? shape.filter(visible) : ''
  const key = `${lock ?? 'get'} ${by?.name ?? ''} ${shape.key} ${resource.name} ${seen} ${shape.linkFilters(linkFilters, selected.filtered)}`
  return statements.of<SelectStatement>(key, () =>
    oneStatement({ resource, selected, shape, linkFilters }, { visible, by, lock }),
  )
}

/** Returns the records that are gone, or are not what they were. */
const changed = (session: SqlSession, resource: Resource, kept: readonly KeptRecord[]) => {
  const [first, ...others] = kept
  return first && others.length === 0 ? changedOne(session, resource, first) : changedOnes(session, resource, kept)
}

/** Compares one record without a list: PostgreSQL makes a plan each time as long as the lists are short. */
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

/** Returns the records that changed: nothing comes back for those that are the same, which are nearly all of them. */
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
  const key = `along ${limit} ${resource.name} ${filterKey} ${shape.path({ steps, field: resource.pk })}`
  const parts = { resource, filter, filterKey, shape, cellCount: shape.cells.length }
  const statement = statements.of(key, () => alongStatement(parts, steps, limit))
  return countOf(await run(connection, statement, shape.cells, { requester }))
}

async function* inBatches(
  query: Query,
  find: (query: Query) => Promise<FoundPage>,
): AsyncGenerator<readonly StoredRecord[]> {
  let { window } = query
  for (;;) {
    const { records, next } = await find({ ...query, window, total: 'none' })
    if (records.length > 0) yield records
    if (!next) return
    window = { kind: 'after', values: next, limit: window.limit }
  }
}
