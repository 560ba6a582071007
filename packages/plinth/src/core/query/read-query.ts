// The one entry: the parameters of a request → what is searched for and how it is shown.

import { fault } from '../fault.ts'
import { linkFiltersOf } from '../model/link-filters.ts'
import type { RecordsNear } from '../model/near.ts'
import type { Filter, PageWindow, Query } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { WordSearch } from '../model/search/word-search.ts'
import type { View } from '../model/view.ts'
import type { Visibility } from '../model/views.ts'
import { readBracketedFilters } from './bracketed-filters.ts'
import { readPlainParameters } from './field-parameters.ts'
import { inLists, readFields } from './field-selection.ts'
import { readFilter } from './filter.ts'
import { type IncludeNode, readInclude } from './include-paths.ts'
import { readNear } from './near.ts'
import { defaultSize, type PageRequest, type PagingLimits, readPaging, readWindow } from './paging.ts'
import { type Parameters, single } from './parameters.ts'
import { badParameter, badValue, note, quoted, refuse, tooCostly } from './query-faults.ts'
import { readValue, typeOf } from './query-value.ts'
import { createScope, type QueryScope } from './scope.ts'
import { readSimilar } from './similar.ts'
import { byDistance, byScore, readSort } from './sort.ts'
import { readShowsMatches, readWords } from './words.ts'

/** How records are shown, one or many. */
export interface ItemOptions {
  readonly include: readonly IncludeNode[]
  /** The fields of the resource itself, narrowed by `fields`. */
  readonly view: View
  /** The same for included resources. */
  viewOf(resource: Resource): View
}

export interface Search extends ItemOptions {
  /** One page, the records of given identifiers, or the whole collection. */
  readonly kind: 'page' | 'pks' | 'all'
  readonly query: Query
  /** The identifiers asked for, in order and each once; empty unless the kind is 'pks'. */
  readonly pks: readonly string[]
  readonly paging: PageRequest
  /** The words that the records are to have; null where none are searched for. */
  readonly words: WordSearch | null
  /** The pk of the record that the records are to be like; null where there is none. */
  readonly similar: string | null
  /** The vector that the records are to be near to; null where there is none. */
  readonly near: RecordsNear | null
  /** Says that the caller asks how well each record matches the words, and where, or how near it is. */
  readonly showsMatches: boolean
  /** Says that the caller asks for the cost of the search instead of the records. */
  readonly explains: boolean
}

export interface SearchContext extends PagingLimits {
  readonly visibility: Visibility
}

const maxPks = 500
const maxCriteria = 100
/** How many records at a time a whole collection is fetched. */
const batchSize = 500

export const readSearch = (parameters: Parameters, resource: Resource, context: SearchContext): Search => {
  const scope = createScope(context.visibility)
  const { faults } = scope
  const kind = readKind(parameters, scope)
  const explains = readExplain(parameters, scope)
  const options = readOptions(parameters, resource, { scope, isList: true })
  const isSearched = kind !== 'all' && resource.definition.search !== undefined
  const words = isSearched ? readWords(parameters, resource, scope) : null
  const similar = isSearched ? readSimilar(parameters, resource, scope) : null
  const sorted = single(parameters, 'sort', faults)
  const near = readNear(parameters, scope.visibility.view(resource), scope)
  const ranking = words || similar !== null ? byScore(resource) : near && byDistance(resource)
  const sort = ranking && !sorted ? ranking : readSort(sorted, resource, scope)
  const showsMatches = ranking !== null && readShowsMatches(parameters, scope)
  const pks = kind === 'pks' ? readPks(parameters, resource, scope) : []
  const filters = kind === 'all' ? [] : readCriteria(parameters, resource, scope)
  if (kind === 'pks') filters.push(toPksFilter(pks, resource))
  const limits = { ...context, usualSize: Math.max(defaultSize, countNamed(filters, resource)) }
  const paging = readPaging(kind === 'page' ? parameters : new Map(), limits, faults)
  const window = kind === 'page' ? readWindow(paging, sort, faults) : wholeWindow(kind, pks)
  if (faults.length > 0) refuse(faults)
  const query: Query = {
    filter: toConjunction(filters),
    sort,
    window,
    total: kind === 'page' ? paging.total : 'none',
    exactUpTo: paging.exactUpTo,
    linkFilters: linkFiltersOf(scope.visibility.view(resource), scope.visibility),
  }
  return { kind, query, pks, paging, words, similar, near, showsMatches, explains, ...options }
}

/** Reads the options of requests about one record; parameters other than `include` and `fields` mean nothing there. */
export const readItemOptions = (parameters: Parameters, resource: Resource, visibility: Visibility): ItemOptions => {
  const scope = createScope(visibility)
  const options = readOptions(parameters, resource, { scope, isList: false })
  if (scope.faults.length > 0) refuse(scope.faults)
  return options
}

interface ShownScope {
  readonly scope: QueryScope
  /** Records of lists are shown without their vectors, unless `fields` names them. */
  readonly isList: boolean
}

const readOptions = (parameters: Parameters, resource: Resource, { scope, isList }: ShownScope): ItemOptions => {
  const include = readInclude(single(parameters, 'include', scope.faults), resource, scope)
  const named = readFields(parameters, resource, scope)
  const viewOf = (one: Resource): View => {
    const whole = scope.visibility.view(one)
    return named.get(one) ?? (isList || one !== resource ? inLists(whole) : whole)
  }
  return { include, view: viewOf(resource), viewOf }
}

const readKind = (parameters: Parameters, { faults }: QueryScope): Search['kind'] => {
  const page = single(parameters, 'page', faults)
  if (page === 'no') return 'all'
  if (page !== undefined) {
    const message = `'page' only accepts the value no, for the whole collection, but got ${quoted(page)}; use _pn or page[number] for page numbers.`
    note(faults, { parameter: 'page', ...badValue(page, fault('choice', { choices: ['no'] }), message) })
  }
  return parameters.has('pks') || parameters.has('pks[]') ? 'pks' : 'page'
}

export const readExplain = (parameters: Parameters, { faults }: QueryScope): boolean => {
  const what = single(parameters, 'explain', faults)
  if (what !== undefined && what !== 'cost') {
    note(faults, badParameter('explain', what, fault('choice', { choices: ['cost'] })))
  }
  return what !== undefined
}

/** `filter` as a text replaces the plain parameters; bracketed filters apply beside either. */
export const readCriteria = (parameters: Parameters, resource: Resource, scope: QueryScope): Filter[] => {
  const filters = readBracketedFilters(parameters, resource, scope)
  const text = single(parameters, 'filter', scope.faults)
  // An empty search field of a form is no filter.
  if (text === undefined || text.trim() === '') filters.push(...readPlainParameters(parameters, resource, scope))
  const comparisons = filters.reduce((sum, filter) => sum + (filter.op === 'or' ? filter.parts.length : 1), 0)
  if (comparisons > maxCriteria) throw tooCostly(`A search may have at most ${maxCriteria} criteria.`)
  const filter = text?.trim() ? readFilter(text, resource, scope) : null
  return filter ? [...filters, filter] : filters
}

const toConjunction = (filters: readonly Filter[]): Filter | null => {
  const [first, second] = filters
  return second ? { op: 'and', parts: filters } : (first ?? null)
}

const readPks = (parameters: Parameters, resource: Resource, { faults }: QueryScope): readonly string[] => {
  const listed = (parameters.get('pks') ?? []).flatMap(text => text.split(',')).map(pk => pk.trim())
  const pks = new Set([...listed, ...(parameters.get('pks[]') ?? [])])
  pks.delete('')
  if (pks.size > maxPks) {
    throw tooCostly(`At most ${maxPks} identifiers can be requested, but got ${pks.size}.`, { parameter: 'pks' })
  }
  const parameter = parameters.has('pks') ? 'pks' : 'pks[]'
  const type = typeOf(resource.pk)
  for (const pk of pks) {
    readValue(pk, type, reason => note(faults, { parameter, ...reason }))
  }
  return [...pks]
}

/** How many records the criteria name by their identifiers: a page holds them all unless its size is given. */
const countNamed = (filters: readonly Filter[], { pk }: Resource): number => {
  const counts = filters.map(filter =>
    filter.op === 'in' && filter.path.steps.length === 0 && filter.path.field === pk ? filter.values.length : 0,
  )
  return Math.max(0, ...counts)
}

const toPksFilter = (pks: readonly string[], resource: Resource): Filter =>
  pks.length > 0 ? { op: 'in', path: { steps: [], field: resource.pk }, values: pks } : { op: 'const', value: false }

const wholeWindow = (kind: 'pks' | 'all', pks: readonly string[]): PageWindow => ({
  kind: 'offset',
  offset: 0,
  limit: kind === 'pks' ? Math.max(1, pks.length) : batchSize,
})
