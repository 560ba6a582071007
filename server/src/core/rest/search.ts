// S: search, by page, by identifiers or the whole collection.

import type { Request } from '../http/exchange.ts'
import { both, type Filter } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
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
  /** What the address itself restricts, such as the records of a relation. */
  readonly within?: Filter
}

export const search = async (context: Context, { resource, request, within }: SearchTask): Promise<Answer> => {
  const visible = context.platform.access.permit(resource, 'read', context.caller)
  const params = readParameters(request.search)
  const asked = readSearch(params, resource, { sight: context.sight, maxPageSize: context.platform.limits.maxPageSize })
  const filter = both(both(asked.query.filter, within ?? null), visible === true ? null : visible)
  const wanted: Search = { ...asked, query: { ...asked.query, filter } }
  if (wanted.kind === 'all') return wholeCollection(context, wanted, request)
  const reader = context.tx ?? context.platform.store
  const found = await reader.find(resource, wanted.query)
  const included = await fetchIncluded(context, wanted, found.records)
  const links = pageLinks(wanted, params, found, request.path)
  return {
    kind: 'page',
    status: 200,
    document: { view: wanted.view, paging: wanted.kind === 'page' ? toPaging(wanted, found.total) : null, links },
    batch: { records: found.records, included },
    ...(found.total !== null && { headers: { 'X-Total-Count': String(found.total) } }),
  }
}

const wholeCollection = async (context: Context, wanted: Search, request: Request): Promise<Answer> => {
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
  const self = request.search ? `${request.path}?${request.search}` : request.path
  return { kind: 'stream', document: { view: wanted.view, paging: null, links: { self } }, batches: batches() }
}
