// What single steps of a search cost. One unit is about one row that the database visits, or a microsecond.

import { isIndexed } from '../model/indexes.ts'
import type { Comparison, Filter, Path } from '../model/query.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import type { TableSizes } from '../model/transaction.ts'
import type { View } from '../model/view.ts'

export const isToMany = ({ definition }: ResourceField): boolean =>
  definition.role === 'links' || (definition.role === 'inverse' && !definition.single)

/** How many records a relation leads to, on average. */
export const fanOut = (relation: ResourceField, sizes: TableSizes): number => {
  if (!isToMany(relation)) return 1
  const owners = Math.max(1, sizes.records(relation.owner))
  const links = relation.definition.role === 'links' ? relation : relation.inverseOf
  if (!links) return 1
  return (links.definition.role === 'links' ? sizes.pairs(links) : sizes.records(links.owner)) / owners
}

const countedBy = ({ definition, owner }: ResourceField): ResourceField | undefined =>
  definition.role === 'count' ? owner.fields.get(definition.relation) : undefined

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
  { steps, field }: Path,
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
  const counted = countedBy(field)
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

/** Returns null where no index helps. How many rows have a rare value, or a beginning, is a guess. */
const foundByIndex = (comparison: Comparison, size: number, sizes: TableSizes): number | null => {
  const field = ownField(comparison.path)
  if (!field) return null
  switch (comparison.op) {
    case 'eq':
      return isIndexed(field, 'equality') ? alike(field, comparison.value, sizes) : null
    case 'in':
      if (!isIndexed(field, 'equality')) return null
      return comparison.values.reduce<number>((sum, value) => sum + alike(field, value, sizes), 0)
    case 'null':
      if (comparison.isNull && field.definition.options.required) return 0
      return comparison.isNull && isIndexed(field, 'equality') ? alike(field, null, sizes) : null
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return isIndexed(field, 'range') ? size / 3 : null
    case 'like': {
      const use = comparison.pattern[0] === '' ? 'contains' : 'prefix'
      return isIndexed(field, use, comparison.ignoreCase) ? size / 10 : null
    }
    default:
      return null
  }
}

/** The field of the record itself that the path is about; a reference holds the pk of the record that it leads to. */
const ownField = ({ steps, field }: Path): ResourceField | null => {
  const [step, further] = steps
  if (!step) return field
  const isReference =
    !further && !step.linkFilter && step.relation.definition.role === 'one' && field === step.target.pk
  return isReference ? step.relation : null
}

/** How many rows have this value of an indexed field. */
const alike = (field: ResourceField, value: unknown, sizes: TableSizes): number => {
  if (field === field.owner.pk || (field.definition.options.unique && value !== null)) return 1
  const size = sizes.records(field.owner)
  const share = sizes.share(field, value)
  if (share !== null) return size * share
  if (value === null) return size / 3
  return field.target ? 1 + size / Math.max(1, sizes.records(field.target)) : Math.sqrt(size)
}

/** The cost to read a record, make its text and send it. */
export const recordCost = (view: View, sizes: TableSizes): number => {
  const { bytes, related } = weightOf(view)
  return recordWork + bytes * byteWork + related.reduce((sum, relation) => sum + 1 + fanOut(relation, sizes), 0)
}

const recordWork = 5
const byteWork = 0.01

interface Weight {
  readonly bytes: number
  /** Relations whose records are counted or listed inside each record. */
  readonly related: readonly ResourceField[]
}

const weights = new WeakMap<View, Weight>()

const weightOf = (view: View): Weight => {
  let weight = weights.get(view)
  if (!weight) {
    const fields = [...view.fields.values()]
    const related = fields.flatMap(field => {
      const isListed = field.definition.role === 'links' && field.definition.embed
      return countedBy(field) ?? (isListed ? field : [])
    })
    weight = { bytes: fields.reduce((sum, field) => sum + bytesOf(field), 100), related }
    weights.set(view, weight)
  }
  return weight
}

/** The name, the value and, for a relation, its link. Texts are seldom as long as they may be. */
const bytesOf = ({ name, definition, target }: ResourceField): number => {
  if (target) return name.length + 150
  if (definition.role !== 'value') return name.length + 25
  const { column, vector, schema } = definition.type
  if (vector) return name.length + vector.size * 11
  if (column !== 'text') return name.length + 25
  const { maxLength } = schema
  return name.length + (typeof maxLength === 'number' ? Math.min(500, maxLength / 4 + 10) : 50)
}
