// What a search costs, estimated from the model and the sizes of tables before it runs.

import { fault } from '../fault.ts'
import { comparisonWeights, comparisonWork, foldsText } from '../model/comparison-work.ts'
import { isIndexed } from '../model/indexes.ts'
import { both, type Comparison, type Filter, type Path, type Query, type SortKey } from '../model/query.ts'
import type { TableSizes } from '../model/transaction.ts'
import type { View } from '../model/view.ts'
import { type Fault, Problem } from '../problem.ts'
import { candidatesOf, fanOut, isToMany, type PathCost, recordCost, wayOf } from './cost-units.ts'
import { toName } from './parameters.ts'
import type { ItemOptions, Search } from './read-query.ts'
import type { IncludeNode } from './selection.ts'

interface CostPart {
  readonly part:
    | 'records'
    | 'history'
    | 'trash'
    | 'scan'
    | 'filter'
    | 'permissions'
    | 'sort'
    | 'offset'
    | 'total'
    | 'include'
  /** What the caller can change to pay less. */
  readonly parameter?: string
  readonly member?: string
  readonly cost: number
  /** About how many rows are visited or records written. */
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
  /** It asks for records as they were, or for deleted ones: no index of the table serves it. */
  readonly source?: 'asOf' | 'trash' | undefined
}

/** To put a row into order; to pass over it; to count it without looking at it. */
const [sortWork, skipWork, countWork] = [0.5, 0.2, 0.05]

/** Rows that an estimated total looks at. */
const sampled = 2000

export const estimateSearch = ({ search, added, most, source }: PricedSearch, sizes: TableSizes): CostEstimate => {
  const { query, view } = search
  const asked = workOf(query.filter, sizes)
  const ruled = workOf(added, sizes)
  const filter = both(query.filter, added)
  const candidates = candidatesOf(filter, view.resource, sizes)
  const shown = Math.max(0, Math.min(most, candidates - passedBy(query)))
  const parts: CostPart[] = [{ part: 'records', parameter: '_ps', cost: shown * recordCost(view, sizes), rows: shown }]
  if (source === 'asOf') parts.push(historyPart(view, sizes))
  if (source === 'trash') parts.push(trashPart(view, sizes))
  if (filter) parts.push({ part: 'scan', parameter: 'filter', cost: candidates, rows: candidates })
  for (const [member, work] of asked) {
    const rows = candidates * work.visits + work.visitsOnce
    parts.push({ part: 'filter', parameter: 'filter', member, cost: costOf(work, candidates), rows })
  }
  if (added) parts.push({ part: 'permissions', cost: sumOf(ruled, candidates), rows: candidates })
  parts.push(...sortParts(query, candidates, sizes), ...offsetParts(query, candidates))
  const countAll = filter ? candidates + sumOf(asked, candidates) + sumOf(ruled, candidates) : candidates * countWork
  parts.push(...totalParts(query, candidates, countAll), ...includeParts(search, shown, sizes))
  return toEstimate(parts)
}

/** Each record is looked up in the history, and each entry may be the first after the moment. */
const historyPart = ({ resource }: View, sizes: TableSizes): CostPart => {
  const rows = sizes.records(resource) + sizes.history(resource)
  return { part: 'history', parameter: 'asOf', cost: rows, rows }
}

/** All deleted records are read and put into order. */
const trashPart = ({ resource }: View, sizes: TableSizes): CostPart => {
  const rows = sizes.trash(resource)
  return { part: 'trash', parameter: 'trash', cost: rows * (1 + sortWork), rows }
}

/** Parts that a statement does again when it continues in an order that no index gives. */
const repeated: ReadonlySet<CostPart['part']> = new Set(['scan', 'filter', 'permissions', 'sort'])

/** All records that match, read batch by batch. */
export const estimateBatches = (priced: PricedSearch, sizes: TableSizes): CostEstimate => {
  const { query } = priced.search
  const { parts } = estimateSearch(priced, sizes)
  if (isServed(query.sort) || query.sort.length === 0) return toEstimate(parts)
  const shown = parts.find(({ part }) => part === 'records')?.rows ?? 0
  const batches = Math.max(1, Math.ceil(shown / query.window.limit))
  return toEstimate(parts.map(part => (repeated.has(part.part) ? { ...part, cost: part.cost * batches } : part)))
}

/** What `include` adds to a number of records. */
export const estimateInclude = (options: ItemOptions, shown: number, sizes: TableSizes): CostEstimate =>
  toEstimate(includeParts(options, shown, sizes))

const toEstimate = (parts: readonly CostPart[]): CostEstimate => ({
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
  /** The text is folded already, for another comparison with it. */
  readonly isFolded: boolean
}

type WorkByPath = ReadonlyMap<string, FilterWork>

const none: FilterWork = { perRow: 0, once: 0, visits: 0, visitsOnce: 0, isFolded: false }

const costOf = ({ perRow, once }: FilterWork, rows: number): number => rows * perRow + once

const sumOf = (work: WorkByPath, rows: number): number =>
  [...work.values()].reduce((total, one) => total + costOf(one, rows), 0)

/** Alternatives on one path share the way to it, and so do all comparisons where the way is a join. */
const workOf = (filter: Filter | null, sizes: TableSizes): WorkByPath => {
  const byPath = new Map<string, FilterWork>()
  const compare = (comparison: Comparison, isAlternative: boolean): void => {
    const name = toName(comparison.path)
    const known = byPath.get(name)
    const way = wayFor(comparison.path, sizes)
    const isJoin = !comparison.path.steps.some(step => isToMany(step.relation))
    const goes = known && (isAlternative || isJoin) ? 0 : 1
    const folds = foldsText(comparison) && !known?.isFolded ? comparisonWeights.fold : 0
    const compared = Math.max(1, way.rows) * (comparisonWork(comparison) + folds)
    const { perRow, once, visits, visitsOnce } = known ?? none
    byPath.set(name, {
      perRow: perRow + goes * way.perRow + (way.isShared ? 0 : compared),
      once: once + goes * way.once + (way.isShared ? compared : 0),
      visits: visits + goes * way.perRow,
      visitsOnce: visitsOnce + goes * way.once,
      isFolded: known?.isFolded || foldsText(comparison),
    })
  }
  const visit = (part: Filter, isAlternative: boolean): void => {
    if ('parts' in part) for (const one of part.parts) visit(one, part.op === 'or')
    else if ('part' in part) visit(part.part, false)
    else if (part.op !== 'const') compare(part, isAlternative)
  }
  if (filter) visit(filter, false)
  return byPath
}

const wayFor = (path: Path, sizes: TableSizes): PathCost =>
  wayOf(path, { sizes, workOf: linkFilter => sumOf(workOf(linkFilter, sizes), 1) })

/** Does an index give the records in this order? */
const isServed = ([first]: readonly SortKey[]): boolean =>
  first !== undefined && first.path.steps.length === 0 && isIndexed(first.path.member, 'order')

const sortParts = ({ sort, filter }: Query, candidates: number, sizes: TableSizes): CostPart[] => {
  const [first] = sort
  if (!first || isServed(sort)) return []
  const visits = sort.reduce((total, { path }) => total + wayFor(path, sizes).perRow, filter ? 0 : 1)
  const cost = candidates * (visits + sortWork)
  return [{ part: 'sort', parameter: 'sort', member: toName(first.path), cost, rows: candidates }]
}

const passedBy = ({ window }: Query): number => (window.kind === 'offset' ? window.offset : 0)

const offsetParts = (query: Query, candidates: number): CostPart[] => {
  const passed = Math.min(passedBy(query), candidates)
  return passed > 0 ? [{ part: 'offset', parameter: '_pn', cost: passed * skipWork, rows: passed }] : []
}

/** `countAll`: what counting all of them costs. */
const totalParts = ({ total, exactUpTo, filter }: Query, candidates: number, countAll: number): CostPart[] => {
  if (total === 'none') return []
  const most = total === 'estimated' ? sampled : filter ? candidates : (exactUpTo ?? candidates)
  const rows = Math.min(candidates, most)
  return [{ part: 'total', parameter: '_total', cost: (countAll * rows) / Math.max(1, candidates), rows }]
}

const includeParts = ({ include, viewOf }: ItemOptions, shown: number, sizes: TableSizes): CostPart[] => {
  const parts: CostPart[] = []
  const visit = (nodes: readonly IncludeNode[], owners: number, prefix: string): void => {
    for (const { relation, target, deeper } of nodes) {
      const rows = owners * fanOut(relation, sizes)
      const member = prefix + relation.name
      const cost = owners + rows * recordCost(viewOf(target), sizes)
      parts.push({ part: 'include', parameter: 'include', member, cost, rows })
      visit(deeper, rows, `${member}.`)
    }
  }
  visit(include, shown, '')
  return parts
}

// The cost in words: what each part of a query does, and what would be cheaper

/** Of many parts only the largest are worth reading. */
const maxParts = 5

export const overBudget = ({ cost, parts }: CostEstimate, budget: number, view: View): Problem => {
  const largest = parts.toSorted((left, right) => weightOf(right) - weightOf(left)).slice(0, maxParts)
  const errors = largest.map((part): Fault => ({ ...toFault(part, view), cost: rounded(part.cost) }))
  const detail = `The query costs about ${inWords(cost)}; the budget is ${inWords(budget)}. The costliest part: ${errors[0]?.message}`
  return new Problem('too_costly', { detail, errors, extra: { cost: rounded(cost), budget } })
}

/** A total only repeats what its filter costs: to leave it out seldom helps enough. */
const weightOf = ({ part, cost }: CostPart): number => (part === 'total' ? 0 : cost)

const toFault = (part: CostPart, view: View): Fault => ({
  ...fault('cost', { message: `${reasonOf(part)} costs about ${inWords(part.cost)}; ${cheaperThan(part, view)}.` }),
  ...(part.parameter !== undefined && { parameter: part.parameter }),
  ...(part.member !== undefined && { member: part.member }),
})

/** What a part of a query does. */
export const reasonOf = ({ part, member, rows }: CostPart): string => {
  const count = inWords(rows)
  switch (part) {
    case 'records':
      return `writing ${count} records`
    case 'history':
      return `looking up ${count} records in the history`
    case 'trash':
      return `scanning ${count} records of the trash`
    case 'scan':
      return `scanning ${count} records`
    case 'filter':
      return rows > 0 ? `comparing ${member} through ${count} related records` : `comparing ${member}`
    case 'permissions':
      return 'checking permissions'
    case 'sort':
      return `sorting ${count} records by ${member}`
    case 'offset':
      return `skipping ${count} records`
    case 'total':
      return `counting among ${count} records`
    case 'include':
      return `including ${count} records of ${member}`
  }
}

export const cheaperThan = ({ part, rows }: CostPart, view: View): string => {
  switch (part) {
    case 'records':
      return 'request a smaller page (_ps) or fewer fields'
    case 'history':
      return 'read single records with asOf'
    case 'trash':
      return 'read single records of the trash by their pk'
    case 'scan':
    case 'permissions':
      return `add a condition on an indexed field: ${indexedIn(view, 'equality')}`
    case 'filter':
      return rows > 0
        ? 'follow fewer relations, compare fewer values, or search the related records themselves'
        : 'compare with a whole value, or with a prefix and a wildcard after it'
    case 'sort':
      return `sort by an indexed field: ${indexedIn(view, 'order')}`
    case 'offset':
      return 'use cursor pagination: follow the next links instead of page numbers'
    case 'total':
      return 'use _total=estimated or _total=none'
    case 'include':
      return 'include fewer relations, or request a smaller page (_ps)'
  }
}

/** Fields that the caller may see. */
const indexedIn = ({ members }: View, use: 'equality' | 'order'): string =>
  [...members.values()]
    .filter(member => isIndexed(member, use))
    .map(member => member.name)
    .join(', ')

/** Two digits are enough, and say less about the sizes of tables. */
const rounded = (number: number): number => Number(number.toPrecision(2))

const inWords = (number: number): string => rounded(Math.ceil(number)).toLocaleString('en')
