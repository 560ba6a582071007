// What a filter and an order mean, said a second time in plain JavaScript over records in memory.

import type { Comparison, Filter, Path, SortKey } from '../../src/core/model/query.ts'
import type { Values } from '../../src/core/model/record.ts'
import type { Resource, ResourceField } from '../../src/core/model/resource.ts'

/** The records as they were written, with their pks, by resource. */
export type Tables = ReadonlyMap<string, readonly Values[]>

export const matches = (tables: Tables, filter: Filter, record: Values): boolean => {
  switch (filter.op) {
    case 'const':
      return filter.value
    case 'and':
      return filter.parts.every(part => matches(tables, part, record))
    case 'or':
      return filter.parts.some(part => matches(tables, part, record))
    case 'not':
      return !matches(tables, filter.part, record)
    default:
      return valuesAt(tables, filter.path, record).some(value => holds(filter, value))
  }
}

export const compareBy = (tables: Tables, sort: readonly SortKey[]) => (left: Values, right: Values) => {
  for (const { path, descending } of sort) {
    const [[a], [b]] = [valuesAt(tables, path, left), valuesAt(tables, path, right)]
    const order = compare(a ?? null, b ?? null)
    if (order !== 0) return descending ? -order : order
  }
  return 0
}

/** One value at the end of a way of to-one steps, null when it leads nowhere; one for each record over to-many steps. */
const valuesAt = (tables: Tables, { steps, field }: Path, record: Values): unknown[] => {
  const [step, ...rest] = steps
  if (!step) return [valueIn(tables, field, record)]
  const related = relatedTo(tables, step.relation, record).filter(
    one => !step.linkFilter || matches(tables, step.linkFilter, one),
  )
  if (step.relation.definition.role !== 'one')
    return related.flatMap(one => valuesAt(tables, { steps: rest, field }, one))
  const [one] = related
  if (one) return valuesAt(tables, { steps: rest, field }, one)
  return rest.some(({ relation }) => relation.definition.role !== 'one') ? [] : [null]
}

const valueIn = (tables: Tables, field: ResourceField, record: Values): unknown => {
  const { definition, owner } = field
  if (definition.role !== 'count') return record[field.name] ?? null
  const { where } = definition
  const counted = relatedTo(tables, owner.fields.get(definition.relation) as ResourceField, record)
  return counted.filter(one => !where || (one[where.field] ?? null) === where.equals).length
}

const recordsOf = (tables: Tables, resource: Resource | null) => tables.get(resource?.name ?? '') ?? []

const relatedTo = (
  tables: Tables,
  { name, definition, target, inverseOf }: ResourceField,
  record: Values,
): readonly Values[] => {
  const there = recordsOf(tables, target)
  if (definition.role === 'one') return there.filter(one => one.pk === record[name])
  if (definition.role === 'links') return there.filter(one => listOf(record[name]).includes(one.pk))
  const by = inverseOf?.name ?? ''
  return there.filter(one => [one[by]].flat().includes(record.pk))
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const holds = (comparison: Comparison, value: unknown): boolean => {
  switch (comparison.op) {
    case 'null':
      return (value === null) === comparison.isNull
    case 'eq':
      return isAmong(value, [comparison.value])
    case 'ne':
      return !isAmong(value, [comparison.value])
    case 'in':
      return isAmong(value, comparison.values)
    case 'out':
      return !isAmong(value, comparison.values)
    case 'like':
      return isLike(value, comparison)
    case 'unlike':
      return !isLike(value, comparison)
    default: {
      if (value === null || comparison.value === null || Array.isArray(value)) return false
      const order = compare(value, comparison.value)
      return { gt: order > 0, ge: order >= 0, lt: order < 0, le: order <= 0 }[comparison.op]
    }
  }
}

const isAmong = (value: unknown, values: readonly unknown[]): boolean =>
  Array.isArray(value) ? value.some(entry => values.flat().includes(entry)) : values.flat().includes(value)

const isLike = (value: unknown, { pattern, ignoreCase }: Extract<Comparison, { op: 'like' | 'unlike' }>): boolean => {
  const ascii = pattern.every(piece => /^[\0-\x7f]*$/.test(piece))
  const fold = !ignoreCase ? (text: string) => text : ascii ? foldAscii : foldAll
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const regex = new RegExp(`^${pattern.map(piece => literal(fold(piece))).join('[^]*')}$`, 'u')
  return [value].flat().some(one => typeof one === 'string' && regex.test(fold(one)))
}

const foldAscii = (text: string): string => text.replace(/[A-Z]/g, letter => letter.toLowerCase())
const foldAll = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ')

/** Compares values: absent ones first; text by its code points, which is the order of its UTF-8 bytes. */
const compare = (left: unknown, right: unknown): number => {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
  return Number(left) - Number(right)
}
