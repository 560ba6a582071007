// What aggregates cost, in the unit of searches: the rows that are visited, the groups that they are put into, and what is computed.

import { type Aggregation, type GroupKey, isMeasure } from '../model/aggregation.ts'
import { both, type Filter, type Path } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { BucketUnit } from '../model/time-buckets.ts'
import type { TableSizes } from '../model/transaction.ts'
import { type CostEstimate, type CostPart, filterParts, toEstimate, wayFor } from './cost.ts'
import { candidatesOf } from './cost-units.ts'
import { toName } from './query-path.ts'

export interface PricedGroups {
  readonly resource: Resource
  readonly aggregation: Aggregation
  /** What the read rule restricts. */
  readonly added: Filter | null
}

/** The work to find the group of a row, the period of a time, and to add a value to a number. */
const [groupWork, bucketWork, measureWork] = [0.5, 0.5, 0.1]
/** The work to put a group into order, and to write it. */
const [orderWork, writeWork] = [1, 5]

export const estimateGroups = ({ resource, aggregation, added }: PricedGroups, sizes: TableSizes): CostEstimate => {
  const { group, measures, filter, sort, having, window } = aggregation
  const all = both(filter, added)
  const candidates = candidatesOf(all, resource, sizes)
  const groups = Math.min(candidates, countGroups(group, candidates, sizes))
  const [firstKey] = group
  const parts: CostPart[] = [
    { part: 'scan', parameter: 'filter', cost: candidates, rows: candidates },
    ...filterParts({ filter, added, visited: candidates }, sizes),
  ]
  if (firstKey) {
    const buckets = group.filter(({ bucket }) => bucket).length
    const perRow =
      group.length * groupWork +
      buckets * bucketWork +
      waysTo(
        group.map(({ path }) => path),
        sizes,
      )
    const [cost, member] = [candidates * perRow, toName(firstKey.path)]
    parts.push({ part: 'group', parameter: 'group', member, cost, rows: candidates })
    parts.push({ part: 'groups', parameter: 'group', member, cost: groups * orderWork, rows: groups })
  }
  const computed = [...measures, ...sort.map(({ by }) => by).filter(isMeasure)]
  const paths = computed.flatMap(measure => (measure.kind === 'count' ? [] : [measure.path]))
  const perRow = (computed.length + (having ? 1 : 0)) * measureWork + waysTo(paths, sizes)
  parts.push({ part: 'compute', cost: candidates * perRow, rows: candidates })
  const rows = Math.min(Math.max(1, groups), window.limit)
  parts.push({ part: 'records', parameter: '_ps', cost: rows * writeWork, rows })
  return toEstimate(parts)
}

/** Rows that are visited on the ways to values, for each record; values at the end of one way share it. */
const waysTo = (paths: readonly Path[], sizes: TableSizes): number => {
  const byWay = new Map(paths.map(path => [toName(path), path]))
  return [...byWay.values()].reduce((sum, path) => sum + wayFor(path, sizes).perRow, 0)
}

const countGroups = (keys: readonly GroupKey[], candidates: number, sizes: TableSizes): number =>
  keys.reduce((count, key) => count * countValues(key, candidates, sizes), 1)

/** Periods in ten years, where times are seldom older. */
const periods: Readonly<Record<BucketUnit, number>> = {
  hour: 87_600,
  day: 3650,
  week: 520,
  month: 120,
  quarter: 40,
  year: 10,
}

const countValues = ({ path: { field }, bucket }: GroupKey, candidates: number, sizes: TableSizes): number => {
  if (bucket) return periods[bucket]
  const { definition, target } = field
  if (target) return 1 + sizes.records(target)
  if (definition.role !== 'value') return Math.sqrt(candidates)
  const { column, labels } = definition.type
  if (column === 'boolean') return 3
  if (labels) return 1 + Object.keys(labels).length
  return definition.options.unique ? candidates : Math.sqrt(candidates)
}
