// GET /api/search: the best matches among the records of all resources that are searched by words, as far as the caller may read them.

import { resourceTitle } from '../../core/describe/names.ts'
import type { Request } from '../../core/http/exchange.ts'
import { integer, text } from '../../core/model/fields.ts'
import { both, toFilter } from '../../core/model/query.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Resource } from '../../core/model/resource.ts'
import { searchIndexOf } from '../../core/model/search/search-index.ts'
import { maxSearchLength } from '../../core/model/search/search-text.ts'
import { defineShape, list, object, type ShapeValue } from '../../core/model/shape.ts'
import { type PricedSearch, toEstimate } from '../../core/query/cost.ts'
import { readSearch, type Search } from '../../core/query/read-query.ts'
import type { Context } from '../../core/rest/context.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { languageFor } from '../../core/rest/language.ts'
import { charge, priceOf } from '../../core/rest/query-budget.ts'
import { findByWords, matchesFor } from '../../core/rest/word-search.ts'

const results = defineShape('SearchResults', {
  groups: list(
    object({
      resource: text({ required: true, about: 'The resource, as in `/api/rest/{resource}`.' }),
      title: text({ required: true, about: 'What its records are called.' }),
      records: list(
        object({
          pk: text({ required: true }),
          label: text({ required: true, about: 'The name of the record.' }),
          href: text({ required: true, about: 'The address of the record.' }),
          score: integer({ required: true, about: 'How well the record matches, in millionths.' }),
          snippet: text({ about: 'The part of a text that has the words.' }),
          marks: list(integer({ required: true }), {
            about: 'Where found words begin and end in the snippet, in turn.',
          }),
        }),
        { required: true },
      ),
    }),
    { required: true },
  ),
})

type Results = ShapeValue<typeof results.fields>
type ResultGroup = Results['groups'][number]

const mostOfEach = 20

export const searchEverything = defineEndpoint({
  method: 'GET',
  path: '/api/search',
  id: 'searchEverything',
  summary: 'Search all records by words',
  description:
    'The best matches of each resource that has a full-text search and that the caller may read; the resource with the best match comes first. `q` is as `search` in lists.',
  access: 'true',
  query: {
    q: text({ required: true, max: maxSearchLength, about: 'Words that the records have.' }),
    limit: integer({ min: 1, max: mostOfEach, default: 5, about: 'The most records of each resource.' }),
  },
  answers: { 200: { about: 'The matches, grouped by resource.', value: results } },
  problems: [400, 401, 406, 503],
  run: ({ context, request, query: { q, limit } }) => searchAll(context, request, { q, limit }),
})

interface SearchOfAll {
  readonly q: string
  readonly limit: number
}

const searchAll = async (context: Context, request: Request, sent: SearchOfAll): Promise<Results> => {
  const searches = searchesOf(context, sent)
  const language = languageFor(context, request)
  const exactly = await groupsOf(context, request, { searches, language, forgiving: false })
  // An error is forgiven where nothing else matches, in any resource.
  const groups =
    exactly.length > 0 ? exactly : await groupsOf(context, request, { searches, language, forgiving: true })
  return { groups: groups.toSorted((left, right) => scoreIn(right) - scoreIn(left)) }
}

const scoreIn = ({ records: [best] }: ResultGroup): number => best?.score ?? 0

interface ResourceSearch {
  readonly search: Search
  readonly added: PricedSearch['added']
}

/** The same search of each resource that the caller may read. */
const searchesOf = (context: Context, { q, limit }: SearchOfAll): readonly ResourceSearch[] => {
  const { registry, access, limits } = context.platform
  const parameters = new Map([
    ['search', [q]],
    ['_ps', [`${Math.min(limit, limits.maxPageSize)}`]],
    ['_total', ['none']],
  ])
  return registry.resources
    .filter(
      one =>
        searchIndexOf(one) !== null && !one.definition.internal && access.decide(one, 'read', context.caller) !== false,
    )
    .map(resource => ({
      search: readSearch(parameters, resource, { ...limits, visibility: context.visibility }),
      added: toFilter(access.permit(resource, 'read', context.caller)),
    }))
    .filter(({ search }) => (search.words?.text.words.length ?? 0) > 0)
}

interface GroupsTask {
  readonly searches: readonly ResourceSearch[]
  readonly language: string
  readonly forgiving: boolean
}

const groupsOf = async (
  context: Context,
  request: Request,
  { searches, language, forgiving }: GroupsTask,
): Promise<readonly ResultGroup[]> => {
  const { store } = context.platform
  const prepared = await Promise.all(
    searches.map(async ({ search, added }) => {
      const found = await findByWords(context, search, { added, forgiving })
      const most = search.query.window.limit
      const priced = { search, added, most, source: found?.kind, found: found?.search }
      return { search, added, found, price: await priceOf(context, priced) }
    }),
  )
  const [first] = prepared
  if (!first) return []
  const estimate = toEstimate(prepared.flatMap(({ price }) => price.parts))
  charge(context, request, { estimate, view: first.search.view })
  const groups = await Promise.all(
    prepared.map(async ({ search, added, found }): Promise<readonly ResultGroup[]> => {
      if (!found || found.search.isEmpty) return []
      const { resource } = search.view
      const filter = both(search.query.filter, added)
      const query = { ...search.query, filter, source: found, requester: context.requester }
      const { records } = await store.find(resource, query)
      if (records.length === 0) return []
      const toMatch = await matchesFor(context, { view: search.view, found, records })
      const toResult = (record: StoredRecord) => ({
        ...toMatch(record),
        label: labelOf(resource, record),
        href: `${request.base}/api/rest/${resource.name}/${encodeURIComponent(record.pk)}`,
      })
      return [{ resource: resource.name, title: resourceTitle(resource, language), records: records.map(toResult) }]
    }),
  )
  return groups.flat()
}

const labelOf = ({ label }: Resource, record: StoredRecord): string => {
  const name = label && record[label.name]
  return typeof name === 'string' && name !== '' ? name : record.pk
}
