// Pages of the records that refer to others with a name: `parent.name==Greece`, sorted by name. An index has the records of each one in
// their order. A planner without statistics would visit and sort all of them instead.

import { isInOrder, isOwn } from '../../model/index-order.ts'
import { isIndexed } from '../../model/indexes.ts'
import type { Comparison, Filter, Query, Step } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import { quote } from './columns.ts'
import { valueCondition } from './comparisons.ts'
import { baseScope, openScope, recordScope } from './from.ts'
import { type KeysParts, windowSql } from './page-keys.ts'
import { filterSql } from './where.ts'

export interface ReferenceWalk {
  readonly step: Step
  /** The condition on the records at the other end. */
  readonly comparison: Comparison
  /** All other conditions. */
  readonly rest: Filter | null
}

/** Returns null where no index has the records of a reference in the order of the page. */
export const referenceWalkOf = ({ filter, sort, source }: Query): ReferenceWalk | null => {
  if (!filter || source) return null
  const parts = filter.op === 'and' ? filter.parts : [filter]
  for (const part of parts) {
    const step = stepOf(part)
    if (!step || !('path' in part)) continue
    const reference: Filter = { op: 'eq', path: { steps: [], field: step.relation }, value: '' }
    if (!isInOrder({ filter: reference, sort })) continue
    const others = parts.filter(other => other !== part)
    return { step, comparison: part, rest: others.length > 0 ? { op: 'and', parts: others } : null }
  }
  return null
}

/**
 * The step of a comparison that holds for few records, which an index finds, each of which many others may refer to.
 */
const stepOf = (filter: Filter): Step | null => {
  if (filter.op !== 'eq' || filter.value === null || filter.value === undefined || isOwn(filter.path)) return null
  const [step, ...others] = filter.path.steps
  const { field } = filter.path
  if (!step || others.length > 0 || step.relation.definition.role !== 'one' || field.definition.role !== 'value')
    return null
  return isIndexed(field, 'equality') && field !== step.target.pk ? step : null
}

/** Takes as many records of each as the page needs, and puts them in order. */
export const referenceWalkSql = (resource: Resource, query: Query, walk: ReferenceWalk & KeysParts): string => {
  const { draft, slots, step, comparison, rest } = walk
  const target = openScope(draft, step.target)
  const conditions = [
    valueCondition(draft, comparison)(draft.facts.column(target.alias, quote(comparison.path.field.name))),
  ]
  if (step.linkFilter) conditions.push(filterSql(target, step.linkFilter))
  const from = `${draft.shape.sourceOf(resource)} AS b`
  const near = recordScope(draft, resource)
  const each = windowSql(near, { ...query, filter: rest }, { slots: { ...slots, keepsSkipped: true } })
  const reference = `b.${quote(step.relation.name)} = ${target.alias}."pk"`
  const where = each.where === '' ? ` WHERE ${reference}` : `${each.where} AND ${reference}`
  const found = `SELECT b."pk" FROM ${near.from.sql}${where}${each.order}`
  const { order } = windowSql(baseScope(draft, from), { ...query, filter: null }, { slots: { ...slots, cursor: null } })
  // A cross join keeps its order.
  return `SELECT b."pk" FROM ${target.from.sql} CROSS JOIN ${from} WHERE ${conditions.join(' AND ')} AND b."pk" IN (${found})${order}`
}
