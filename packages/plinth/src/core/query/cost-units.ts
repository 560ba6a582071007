// What single steps of a search cost. One unit is about one row that the database visits, or a microsecond.

import { isIndexed } from '../model/indexes.ts'
import type { Comparison, Filter, Path } from '../model/query.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { TableSizes } from '../model/transaction.ts'
import type { View } from '../model/view.ts'

export const isToMany = ({ field }: Member): boolean =>
  field.role === 'links' || (field.role === 'inverse' && !field.single)

/** How many records a relation leads to, on average. */
export const fanOut = (relation: Member, sizes: TableSizes): number => {
  if (!isToMany(relation)) return 1
  const owners = Math.max(1, sizes.records(relation.owner))
  const links = relation.field.role === 'links' ? relation : relation.inverseOf
  if (!links) return 1
  return (links.field.role === 'links' ? sizes.pairs(links) : sizes.records(links.owner)) / owners
}

const countedBy = ({ field, owner }: Member): Member | undefined =>
  field.role === 'count' ? owner.members.get(field.relation) : undefined

export interface PathCost {
  /** Rows that are visited for each record that the search looks at. */
  readonly perRow: number
  /** Rows that are visited once for the whole search. */
  readonly once: number
  /** Rows at the end of the way: for each record, or in all where `isShared`. */
  readonly rows: number
  readonly isShared: boolean
}

/**
 * What it takes to go to the end of a path. A to-many relation of the record itself is followed for each record. What is behind
 * others, the records share: it is looked through once (`store/sql/crossings.ts`). `workOf` is the work of a filter for each row.
 */
export const wayOf = (
  { steps, member }: Path,
  { sizes, workOf }: { readonly sizes: TableSizes; readonly workOf: (filter: Filter) => number },
): PathCost => {
  let [perRow, once, rows, isShared] = [0, 0, 1, false]
  for (const [at, { relation, target, linkFilter }] of steps.entries()) {
    const isCrossing = isToMany(relation)
    if (isCrossing && at > 0 && !isShared) perRow += 1
    isShared ||= isCrossing && at > 0
    rows = isShared && isCrossing ? sizes.records(target) : rows * fanOut(relation, sizes)
    const visits = (isCrossing ? 1 : 0) + rows * (1 + (linkFilter ? workOf(linkFilter) : 0))
    if (isShared) once += visits
    else perRow += visits
  }
  const counted = countedBy(member)
  const counting = counted ? rows * (1 + fanOut(counted, sizes)) : 0
  return { perRow: perRow + (isShared ? 0 : counting), once: once + (isShared ? counting : 0), rows, isShared }
}

/** How many rows must be looked at to find all that match. */
export const candidatesOf = (filter: Filter | null, resource: Resource, sizes: TableSizes): number => {
  const size = sizes.records(resource)
  if (filter === null) return size
  switch (filter.op) {
    case 'const':
      return filter.value ? size : 0
    case 'and':
      return filter.parts.reduce((least, part) => Math.min(least, candidatesOf(part, resource, sizes)), size)
    case 'or':
      return Math.min(
        size,
        filter.parts.reduce((sum, part) => sum + candidatesOf(part, resource, sizes), 0),
      )
    case 'not':
      return size
    default:
      return Math.min(size, foundByIndex(filter, size, sizes) ?? size)
  }
}

/** Null where no index helps. How many rows have a rare value, or a beginning, is a guess. */
const foundByIndex = (comparison: Comparison, size: number, sizes: TableSizes): number | null => {
  const member = ownMember(comparison.path)
  if (!member) return null
  switch (comparison.op) {
    case 'eq':
      return isIndexed(member, 'equality') ? alike(member, comparison.value, sizes) : null
    case 'in':
      if (!isIndexed(member, 'equality')) return null
      return comparison.values.reduce<number>((sum, value) => sum + alike(member, value, sizes), 0)
    case 'null':
      if (comparison.isNull && member.field.options.required) return 0
      return comparison.isNull && isIndexed(member, 'equality') ? alike(member, null, sizes) : null
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return isIndexed(member, 'range') ? size / 3 : null
    case 'like': {
      const use = comparison.pattern[0] === '' ? 'contains' : 'prefix'
      return isIndexed(member, use, comparison.ignoreCase) ? size / 10 : null
    }
    default:
      return null
  }
}

/** The field of the record itself that the path is about; a reference holds the pk of the record that it leads to. */
const ownMember = ({ steps, member }: Path): Member | null => {
  const [step, further] = steps
  if (!step) return member
  const isReference = !further && !step.linkFilter && step.relation.field.role === 'one' && member === step.target.pk
  return isReference ? step.relation : null
}

/** How many rows have this value of an indexed field. */
const alike = (member: Member, value: unknown, sizes: TableSizes): number => {
  if (member === member.owner.pk || (member.field.options.unique && value !== null)) return 1
  const size = sizes.records(member.owner)
  const share = sizes.share(member, value)
  if (share !== null) return size * share
  if (value === null) return size / 3
  return member.target ? 1 + size / Math.max(1, sizes.records(member.target)) : Math.sqrt(size)
}

/** To read a record, make its text and send it. */
export const recordCost = (view: View, sizes: TableSizes): number => {
  const { bytes, related } = weightOf(view)
  return recordWork + bytes * byteWork + related.reduce((sum, relation) => sum + 1 + fanOut(relation, sizes), 0)
}

const recordWork = 5
const byteWork = 0.01

interface Weight {
  readonly bytes: number
  /** Relations whose records are counted or listed inside each record. */
  readonly related: readonly Member[]
}

const weights = new WeakMap<View, Weight>()

const weightOf = (view: View): Weight => {
  let weight = weights.get(view)
  if (!weight) {
    const members = [...view.members.values()]
    const related = members.flatMap(member => {
      const isListed = member.field.role === 'links' && member.field.embed
      return countedBy(member) ?? (isListed ? member : [])
    })
    weight = { bytes: members.reduce((sum, member) => sum + bytesOf(member), 100), related }
    weights.set(view, weight)
  }
  return weight
}

/** The name, the value and, for a relation, its link. Texts are seldom as long as they may be. */
const bytesOf = ({ name, field, target }: Member): number => {
  if (target) return name.length + 150
  if (field.role !== 'value' || field.type.column !== 'text') return name.length + 25
  const { maxLength } = field.type.schema
  return name.length + (typeof maxLength === 'number' ? Math.min(500, maxLength / 4 + 10) : 50)
}
