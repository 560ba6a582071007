// S: search, by page, by identifiers or the whole collection.

import type { Format } from '../formats/format.ts'
import type { Request } from '../http/exchange.ts'
import { both, type Filter, toFilter } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Found } from '../model/transaction.ts'
import type { PageLinks } from '../model/view.ts'
import { Problem } from '../problem.ts'
import { pageLinks, toPaging } from '../query/page-links.ts'
import { readParameters } from '../query/parameters.ts'
import { readSearch, type Search } from '../query/read-query.ts'
import type { Answer, Batch } from './answer.ts'
import { fetchIncluded } from './include.ts'
import type { Context } from './platform.ts'

export interface SearchTask {
  readonly resource: Resource
  readonly request: Request
  /** Of the answer; its links write paging parameters alike. */
  readonly format?: Format
  /** What the address itself restricts, such as the records of a relation. */
  readonly within?: Filter
}

export const search = async (context: Context, task: SearchTask): Promise<Answer> => {
  const { resource, request, within } = task
  const visible = toFilter(context.platform.access.permit(resource, 'read', context.caller))
  const params = readParameters(request.search)
  const asked = readSearch(params, resource, {
    sight: context.sight,
    maxPageSize: context.platform.limits.maxPageSize,
    firstPage: context.platform.limits.firstPage,
    style: task.format?.name === 'json-api' ? 'bracket' : 'plain',
  })
  const filter = both(both(asked.query.filter, within ?? null), visible)
  const wanted: Search = { ...asked, query: { ...asked.query, filter, signal: () => request.signal } }
  const linksOf = (found: Omit<Found, 'records'>) => pageLinks(wanted, params, found, request.path)
  if (wanted.kind === 'all') return wholeCollection(context, wanted, linksOf({ total: null, prev: null, next: null }))
  const reader = context.tx ?? context.platform.store
  const found = await reader.find(resource, wanted.query)
  const records = wanted.kind === 'pks' && !params.get('sort') ? inOrder(found.records, wanted.pks) : found.records
  const included = await fetchIncluded(context, wanted, records)
  return {
    kind: 'page',
    status: 200,
    document: { view: wanted.view, paging: toPaging(wanted, found.total), links: linksOf(found) },
    batch: { records, included },
    ...(found.total !== null && { headers: { 'X-Total-Count': String(found.total) } }),
  }
}

/** Whoever names records gets them in the order in which they were named. */
const inOrder = (records: readonly StoredRecord[], pks: readonly string[]): readonly StoredRecord[] => {
  const byPk = new Map(records.map(record => [record.pk, record]))
  return pks.flatMap(pk => byPk.get(pk) ?? [])
}

const wholeCollection = async (context: Context, wanted: Search, links: PageLinks): Promise<Answer> => {
  const { store, limits } = context.platform
  const { resource } = wanted.view
  const count = await store.count(resource, wanted.query.filter)
  if (count > limits.maxFullCollection) {
    throw new Problem(
      'too_costly',
      `The collection has ${count} records; beyond ${limits.maxFullCollection} it must be read by pages.`,
    )
  }
  const batches = async function* (): AsyncIterable<Batch> {
    for await (const records of store.stream(resource, wanted.query)) {
      yield { records, included: await fetchIncluded(context, wanted, records) }
    }
  }
  return { kind: 'stream', document: { view: wanted.view, paging: null, links }, batches: batches() }
}
