// What a search costs, estimated from the model and the sizes of tables before it runs.

import { comparisonWeights, comparisonWork, foldsText } from '../model/comparison-work.ts'
import { equalFields, isInOrder } from '../model/index-order.ts'
import { isIndexed } from '../model/indexes.ts'
import type { RecordsNear } from '../model/near.ts'
import { both, type Comparison, type Filter, type Path, type Query, type SortKey } from '../model/query.ts'
import { type FoundSearch, isByScore } from '../model/search/found-words.ts'
import type { TableSizes } from '../model/transaction.ts'
import type { View } from '../model/view.ts'
import { candidatesOf, fanOut, isToMany, type PathCost, recordCost, wayOf } from './cost-units.ts'
import type { IncludeNode } from './include-paths.ts'
import { toName } from './query-path.ts'
import type { ItemOptions, Search } from './read-query.ts'
import { entriesVisited, entryWork, mostMatches } from './word-cost.ts'

export interface CostPart {
  readonly part:
    | 'records'
    | 'export'
    | 'history'
    | 'trash'
    | 'words'
    | 'near'
    | 'scan'
    | 'filter'
    | 'permissions'
    | 'sort'
    | 'offset'
    | 'total'
    | 'include'
    | 'group'
    | 'groups'
    | 'compute'
  /** What the caller can change to pay less. */
  readonly parameter?: string
  readonly member?: string
  readonly cost: number
  /** The rows visited or records written, about. */
  readonly rows: number
}

export interface CostEstimate {
  readonly cost: number
  readonly parts: readonly CostPart[]
}

/** A search with what the service itself adds to it. */
export interface PricedSearch {
  readonly search: Search
  /** What the address and the read rule restrict. */
  readonly added: Filter | null
  /** How many records the answer holds at most. */
  readonly most: number
  /** The source of records as they were, or of deleted ones, for which no index of the table serves. */
  readonly source?: 'asOf' | 'trash' | 'found' | 'near' | undefined
  /** What the words of the search stand for. */
  readonly found?: FoundSearch | undefined
}

/** The work to put a row into order, to pass over it, and to count it without looking at it. */
const [sortWork, skipWork, countWork] = [0.5, 0.2, 0.05]

/** Rows that an estimated total looks at. */
const sampled = 2000

export const estimateSearch = (
  { search, added, most, source, found }: PricedSearch,
  sizes: TableSizes,
): CostEstimate => {
  const { query, view } = search
  const filterWork = workOf(query.filter, sizes)
  const ruled = workOf(added, sizes)
  const filter = both(query.filter, added)
  const left = candidatesOf(filter, view.resource, sizes)
  const candidates = found ? Math.min(left, mostMatches(found)) : left
  const pageRows = Math.max(0, Math.min(most, candidates - passedBy(query)))
  const parts: CostPart[] = [
    { part: 'records', parameter: '_ps', cost: pageRows * recordCost(view, sizes), rows: pageRows },
  ]
  if (source === 'asOf') parts.push(historyPart(view, sizes))
  if (source === 'trash') parts.push(trashPart(view, sizes))
  if (found) parts.push(wordsPart(entriesVisited(found)))
  if (search.near) parts.push(nearPart(search.near, left))
  // Where an index gives the matches in their order, no others are visited than those of the page.
  const isWalk = filter !== null && !source && isInOrder({ filter, sort: query.sort })
  const visited = isWalk ? Math.min(candidates, passedBy(query) + most + 1) : candidates
  if (filter) parts.push({ part: 'scan', parameter: 'filter', cost: visited, rows: visited })
  parts.push(...filterParts({ filter: query.filter, added, visited }, sizes))
  parts.push(...sortParts(query, candidates, sizes), ...offsetParts(query, candidates))
  const countAll = filter
    ? candidates + sumOf(filterWork, candidates) + sumOf(ruled, candidates)
    : candidates * countWork
  const isEach = filter === null || equalFields(filter)?.length === 1
  parts.push(...totalParts(query, { candidates, countAll, isEach }), ...includeParts(search, pageRows, sizes))
  return toEstimate(parts)
}

interface FilteredRows {
  readonly filter: Filter | null
  readonly added: Filter | null
  /** How many rows the conditions are put to. */
  readonly visited: number
}

/** What the conditions of the caller and those of the read rule cost. */
export const filterParts = ({ filter, added, visited }: FilteredRows, sizes: TableSizes): readonly CostPart[] => {
  const parts = [...workOf(filter, sizes)].map(([field, work]): CostPart => {
    const rows = visited * work.visits + work.visitsOnce
    return { part: 'filter', parameter: 'filter', member: field, cost: costOf(work, visited), rows }
  })
  if (added) parts.push({ part: 'permissions', cost: sumOf(workOf(added, sizes), visited), rows: visited })
  return parts
}

/** Each record is looked up in the history, and each entry may be the first after the moment. */
const historyPart = ({ resource }: View, sizes: TableSizes): CostPart => {
  const rows = sizes.records(resource) + sizes.history(resource)
  return { part: 'history', parameter: 'asOf', cost: rows, rows }
}

const wordsPart = (rows: number): CostPart => ({
  part: 'words',
  parameter: 'search',
  cost: rows * entryWork,
  rows,
})

/** The work to read a vector, and to add up each of its numbers. */
const [vectorWork, numberWork] = [2, 0.2]

/** The vectors of all records that the conditions leave are compared. */
const nearPart = ({ field, vector }: RecordsNear, rows: number): CostPart => {
  const cost = rows * (vectorWork + numberWork * vector.length)
  return { part: 'near', parameter: 'near', member: field.name, cost, rows }
}

/** All deleted records are read and put into order. */
const trashPart = ({ resource }: View, sizes: TableSizes): CostPart => {
  const rows = sizes.trash(resource)
  return { part: 'trash', parameter: 'trash', cost: rows * (1 + sortWork), rows }
}

/** Parts that a statement does again when it continues in an order that no index gives. */
const repeated: ReadonlySet<CostPart['part']> = new Set(['scan', 'filter', 'permissions', 'sort'])

/** All records that match, read batch by batch: what it costs to find them, and to write them. */
export const estimateBatches = (
  priced: PricedSearch,
  sizes: TableSizes,
): { readonly finding: CostEstimate; readonly writing: CostEstimate } => {
  const { query } = priced.search
  const { parts } = estimateSearch(priced, sizes)
  const { cost = 0, rows = 0 } = parts.find(({ part }) => part === 'records') ?? {}
  const isOnce = isServed(query.sort) || query.sort.length === 0
  const batches = isOnce ? 1 : Math.max(1, Math.ceil(rows / query.window.limit))
  const finding = parts
    .filter(({ part }) => part !== 'records')
    .map(part => (repeated.has(part.part) ? { ...part, cost: part.cost * batches } : part))
  return { finding: toEstimate(finding), writing: toEstimate([{ part: 'export', parameter: 'filter', cost, rows }]) }
}

/** What `include` adds to a number of records. */
export const estimateInclude = (options: ItemOptions, recordCount: number, sizes: TableSizes): CostEstimate =>
  toEstimate(includeParts(options, recordCount, sizes))

export const toEstimate = (parts: readonly CostPart[]): CostEstimate => ({
  cost: Math.ceil(parts.reduce((total, { cost }) => total + cost, 0)),
  parts,
})

/** The work of comparisons on one path: for each record that the filter looks at, and once for all of them. */
interface FilterWork {
  readonly perRow: number
  readonly once: number
  /** How much of it is related records that are visited. */
  readonly visits: number
  readonly visitsOnce: number
}

type WorkByPath = ReadonlyMap<string, FilterWork>

const none: FilterWork = { perRow: 0, once: 0, visits: 0, visitsOnce: 0 }

const costOf = ({ perRow, once }: FilterWork, rows: number): number => rows * perRow + once

const sumOf = (work: WorkByPath, rows: number): number =>
  [...work.values()].reduce((total, one) => total + costOf(one, rows), 0)

/** Alternatives on one path share the way to it, and so do all comparisons where the way is a join. */
const workOf = (filter: Filter | null, sizes: TableSizes): WorkByPath => {
  const byPath = new Map<string, FilterWork>()
  const isFoldedFirst = createFoldings()
  /** `group`: what the comparison is one part of. */
  const compare = (comparison: Comparison, group: Filter): void => {
    const name = toName(comparison.path)
    const known = byPath.get(name)
    const way = wayFor(comparison.path, sizes)
    const isJoin = !comparison.path.steps.some(step => isToMany(step.relation))
    const isTogether = group.op === 'or' || isJoin
    const goes = known && isTogether ? 0 : 1
    const folds = foldsText(comparison) && (!isTogether || isFoldedFirst(group, name)) ? comparisonWeights.fold : 0
    const compared = Math.max(1, way.rows) * (comparisonWork(comparison) + folds)
    const { perRow, once, visits, visitsOnce } = known ?? none
    byPath.set(name, {
      perRow: perRow + goes * way.perRow + (way.isShared ? 0 : compared),
      once: once + goes * way.once + (way.isShared ? compared : 0),
      visits: visits + goes * way.perRow,
      visitsOnce: visitsOnce + goes * way.once,
    })
  }
  const visit = (part: Filter, group: Filter): void => {
    // Alternatives among alternatives are all of one group.
    if ('parts' in part) for (const one of part.parts) visit(one, part.op === 'or' && group.op === 'or' ? group : part)
    else if ('part' in part) visit(part.part, part)
    else if (part.op !== 'const') compare(part, group)
  }
  if (filter) visit(filter, filter)
  return byPath
}

/** A text is folded once for all comparisons of a group with it. */
const createFoldings = (): ((group: Filter, name: string) => boolean) => {
  const folded = new Map<Filter, Set<string>>()
  return (group, name) => {
    const names = folded.get(group) ?? new Set()
    folded.set(group, names)
    return names.size < names.add(name).size
  }
}

export const wayFor = (path: Path, sizes: TableSizes): PathCost =>
  wayOf(path, { sizes, workOf: linkFilter => sumOf(workOf(linkFilter, sizes), 1) })

/** Does an index give the records in this order? */
const isServed = ([first]: readonly SortKey[]): boolean =>
  first !== undefined && first.path.steps.length === 0 && isIndexed(first.path.field, 'order')

const sortParts = ({ sort, filter }: Query, candidates: number, sizes: TableSizes): CostPart[] => {
  const [first] = sort
  if (!first || isServed(sort)) return []
  if (isByScore(sort))
    return [
      {
        part: 'sort',
        parameter: 'sort',
        member: first.path.field.name,
        cost: candidates * entryWork,
        rows: candidates,
      },
    ]
  const visits = sort.reduce((total, { path }) => total + wayFor(path, sizes).perRow, filter ? 0 : 1)
  const cost = candidates * (visits + sortWork)
  return [{ part: 'sort', parameter: 'sort', member: toName(first.path), cost, rows: candidates }]
}

const passedBy = ({ window }: Query): number => (window.kind === 'offset' ? window.offset : 0)

const offsetParts = (query: Query, candidates: number): CostPart[] => {
  const passed = Math.min(passedBy(query), candidates)
  return passed > 0 ? [{ part: 'offset', parameter: '_pn', cost: passed * skipWork, rows: passed }] : []
}

interface Countable {
  readonly candidates: number
  /** What counting all of them costs. */
  readonly countAll: number
  /** Does each of them match, so that counting can end early? */
  readonly isEach: boolean
}

const totalParts = ({ total, exactUpTo }: Query, { candidates, countAll, isEach }: Countable): CostPart[] => {
  if (total === 'none') return []
  const most = total === 'estimated' ? sampled : isEach ? (exactUpTo ?? candidates) : candidates
  const rows = Math.min(candidates, most)
  return [{ part: 'total', parameter: '_total', cost: (countAll * rows) / Math.max(1, candidates), rows }]
}

const includeParts = ({ include, viewOf }: ItemOptions, recordCount: number, sizes: TableSizes): CostPart[] => {
  const parts: CostPart[] = []
  const visit = (nodes: readonly IncludeNode[], owners: number, prefix: string): void => {
    for (const { relation, target, deeper } of nodes) {
      const rows = owners * fanOut(relation, sizes)
      const field = prefix + relation.name
      const cost = owners + rows * recordCost(viewOf(target), sizes)
      parts.push({ part: 'include', parameter: 'include', member: field, cost, rows })
      visit(deeper, rows, `${field}.`)
    }
  }
  visit(include, recordCount, '')
  return parts
}
