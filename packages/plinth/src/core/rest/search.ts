// S: search, by page, by identifiers or the whole collection.

import { fileFormatNamed } from '../formats/files/index.ts'
import type { Format } from '../formats/format.ts'
import type { Request } from '../http/exchange.ts'
import { both, type Filter, type Query, toFilter } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { RecordsFound } from '../model/search/found-words.ts'
import type { FoundPage } from '../model/transaction.ts'
import type { PageLinks } from '../model/view.ts'
import { Problem } from '../problem.ts'
import { readKnownSearch } from '../query/known-searches.ts'
import { pageLinks, toPaging } from '../query/page-links.ts'
import { type Parameters, readParameters } from '../query/parameters.ts'
import { readSearch, type Search } from '../query/read-query.ts'
import type { Answer, Batch } from './answer.ts'
import type { Context } from './context.ts'
import { explainCost } from './explain-cost.ts'
import { exportFile, formatParameter } from './export.ts'
import { readAsOf, stillVisible } from './history.ts'
import { fetchIncluded, fetchIncludedInPiece, mustIncludeFew } from './include.ts'
import { matchesOf } from './matches.ts'
import { administrator } from './permits.ts'
import { charge, priceOf } from './query-budget.ts'
import { latestFirst, readTrash } from './trash.ts'
import { findRanked, forgiveErrors } from './word-search.ts'
import type { Task } from './work.ts'

export interface SearchTask {
  readonly resource: Resource
  readonly request: Request
  /** The format of the answer; its links write paging parameters alike. */
  readonly format?: Format
  /** What the address itself restricts, such as the records of a relation. */
  readonly scope?: Filter
}

export const searchOrExport = (context: Context, task: Task<Resource>): Promise<Answer> => {
  const { request, file } = task
  if (file) return exportFile(context, task, file)
  // Most searches have no such parameter, and are not read twice.
  const name = request.search.includes(formatParameter) && readParameters(request.search).get(formatParameter)?.[0]
  return name ? exportFile(context, task, fileFormatNamed(name)) : search(context, task)
}

export const search = async (context: Context, task: SearchTask): Promise<Answer> => {
  const { request, scope, format } = task
  const { limits } = context.platform
  const parameters = readParameters(request.search)
  const trash = parameters.has('trash') ? readTrash(context, task, parameters) : null
  const params = trash ? latestFirst(parameters) : parameters
  const resource = trash?.resource ?? task.resource
  const visible = trash ? trash.visible : toFilter(context.platform.access.permit(resource, 'read', context.caller))
  if (params.has('explain')) administrator(context, request)
  const reading = { ...limits, visibility: context.visibility, style: format?.pageParameters ?? 'plain' }
  const requested = trash
    ? readSearch(params, resource, reading)
    : readKnownSearch({ text: request.search, parameters: params }, resource, reading)
  const added = both(scope ?? null, visible)
  const past = trash?.source ?? (params.has('asOf') ? await readAsOf(context, resource, params) : undefined)
  const isRanked = requested.words !== null || requested.similar !== null
  const found = isRanked ? await findRanked(context, requested, { added, past }) : null
  const { near } = requested
  const source = near ?? found ?? past
  const most = requested.kind === 'all' ? limits.maxFullCollection : requested.query.window.limit
  const priced = { search: requested, added, most, source: source?.kind, found: found?.search }
  const filter = both(requested.query.filter, added)
  const search: Search = { ...requested, query: { ...requested.query, filter, source, requester: context.requester } }
  const linksOf = (found: Omit<FoundPage, 'records'>) => pageLinks(search, params, found, request.path)
  if (requested.explains) {
    const { self } = linksOf(unread)
    return explainCost(context, {
      priced,
      query: search.query,
      answer: { format, links: { self }, base: request.base },
    })
  }
  charge(context, request, { estimate: await priceOf(context, priced), view: search.view })
  if (search.kind === 'all') return wholeCollection(context, search, linksOf(unread))
  const words = near && found
  const forgive = found && requested.words && !near ? () => forgiveErrors(context, request, { search, priced }) : null
  return onePage(context, { search, params, linksOf, words, forgive })
}

const unread: Omit<FoundPage, 'records'> = { total: null, estimated: false, prev: null, next: null }

interface PageTask {
  readonly search: Search
  readonly params: Parameters
  readonly linksOf: (found: Omit<FoundPage, 'records'>) => PageLinks
  /** What the records are ranked by together with their distance; null for one ranking. */
  readonly words: RecordsFound | null
  /** The query to try when nothing was found: with an error in each word forgiven. */
  readonly forgive: (() => Promise<Query | null>) | null
}

const onePage = async (context: Context, { search, params, linksOf, words, forgive }: PageTask): Promise<Answer> => {
  const reader = context.tx ?? context.platform.store
  const { source: ranked } = search.query
  const exactly =
    words && ranked?.kind === 'near'
      ? await reader.findFused(search.view.resource, { ...search.query, source: ranked }, words)
      : await reader.find(search.view.resource, search.query)
  const forgiving = exactly.records.length === 0 && forgive ? await forgive() : null
  const found = forgiving ? await reader.find(search.view.resource, forgiving) : exactly
  const isPast = search.query.source?.kind === 'asOf'
  const visible = isPast ? await stillVisible(context, search.view.resource, found.records) : found.records
  const records = search.kind === 'pks' && !params.get('sort') ? inOrder(visible, search.pks) : visible
  const included = search.include.length > 0 ? await fetchIncluded(context, search, records) : []
  const source = (forgiving ?? search.query).source
  const matches = search.showsMatches
    ? await matchesOf(context, { view: search.view, near: search.near, words: words ?? foundIn(source) }, records)
    : null
  return {
    kind: 'page',
    status: 200,
    document: {
      ...{ view: search.view, paging: toPaging(search, found), links: linksOf(found) },
      ...(matches && { matches }),
    },
    batch: { records, included },
    ...(found.total !== null && { headers: { 'X-Total-Count': String(found.total) } }),
  }
}

const foundIn = (source: Query['source']): RecordsFound | null => (source?.kind === 'found' ? source : null)

/** Records that were asked for by identifier come in the order of the identifiers. */
const inOrder = (records: readonly StoredRecord[], pks: readonly string[]): readonly StoredRecord[] => {
  const byPk = new Map(records.map(record => [record.pk, record]))
  return pks.flatMap(pk => byPk.get(pk) ?? [])
}

/** All limits are checked before the first byte: afterwards nothing is left but to break off. */
const wholeCollection = async (context: Context, search: Search, links: PageLinks): Promise<Answer> => {
  const { store, limits } = context.platform
  const { resource } = search.view
  const { filter, source, requester } = search.query
  const count = await store.count(resource, filter, { atMost: limits.maxFullCollection + 1, source, requester })
  if (count > limits.maxFullCollection) {
    throw new Problem(
      'too_costly',
      `The collection has ${count} records or more; above ${limits.maxFullCollection}, use pagination.`,
    )
  }
  await mustIncludeFew(context, search, { resource, filter, count })
  const batches = async function* (): AsyncIterable<Batch> {
    for await (const found of store.stream(resource, search.query)) {
      const records = source?.kind === 'asOf' ? await stillVisible(context, resource, found) : found
      yield { records, included: await fetchIncludedInPiece(context, search, records) }
    }
  }
  return { kind: 'stream', document: { view: search.view, paging: null, links }, batches: batches() }
}
