// Typed conditions and queries of module code → the data that the store understands.

import type { ResourceDefinition } from '../model/define.ts'
import {
  type Comparison,
  everything,
  type Filter,
  type Path,
  pathTo,
  type Query,
  type SortKey,
} from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Registry } from '../model/registry.ts'
import type { Resource } from '../model/resource.ts'
import type { Where } from '../model/row.ts'

/** A typed query, once its types have done their work. */
export interface PlainQuery {
  readonly where?: PlainWhere
  readonly sort?: readonly string[]
  readonly limit?: number
  readonly after?: StoredRecord
}

export type PlainWhere = { readonly [name: string]: unknown }

const batchSize = 500

export const everyRecord: Filter = { op: 'const', value: true }

export const toQuery = (resource: Resource, { where, sort = [], limit = batchSize, after }: PlainQuery): Query => {
  const query = everything(resource, toFilter(resource, where), limit)
  const given = sort.map(key => toSortKey(resource, key))
  const isTotal = given.some(({ path }) => path.member === resource.pk)
  const keys = isTotal ? given : [...given, ...query.sort]
  if (!after) return { ...query, sort: keys }
  return { ...query, sort: keys, window: { kind: 'after', values: keys.map(key => sortValue(after, key)), limit } }
}

/** References are compared by their pks. */
const sortValue = (record: StoredRecord, { path }: SortKey): unknown => {
  const value = record[path.member.name] ?? null
  return typeof value === 'object' && value !== null && 'pk' in value ? value.pk : value
}

const toSortKey = (resource: Resource, key: string): SortKey => {
  const descending = key.startsWith('-')
  return { path: pathTo(resource, descending ? key.slice(1) : key), descending }
}

/** A typed condition as a filter, for searches that callers narrow further. */
export const whereOf = <D extends ResourceDefinition>(registry: Registry, definition: D, where: Where<D>): Filter =>
  toFilter(registry.resource(definition), where as PlainWhere) ?? everyRecord

/** Null when there are no conditions. */
export const toFilter = (resource: Resource, where: PlainWhere = {}): Filter | null => {
  const parts = Object.entries(where).flatMap(([name, condition]): Filter[] => {
    // It would match everything, and is most likely a value that is missing by mistake.
    if (condition === undefined) throw new Error(`${resource.name}: the condition on '${name}' is undefined`)
    if (name === 'or') return [anyOf(resource, condition as readonly PlainWhere[])]
    return comparisons(pathTo(resource, name), condition)
  })
  if (parts.length === 1) return parts[0] ?? null
  return parts.length === 0 ? null : { op: 'and', parts }
}

const anyOf = (resource: Resource, alternatives: readonly PlainWhere[]): Filter => ({
  op: 'or',
  parts: alternatives.map(one => toFilter(resource, one) ?? everyRecord),
})

const comparisons = (path: Path, condition: unknown): Comparison[] => {
  if (typeof condition !== 'object' || condition === null) return [{ op: 'eq', path, value: condition }]
  return Object.entries(condition).flatMap(([op, value]): Comparison[] => {
    switch (op) {
      case 'ne':
      case 'gt':
      case 'ge':
      case 'lt':
      case 'le':
        return [{ op, path, value }]
      case 'in':
        return [{ op: 'in', path, values: value as readonly unknown[] }]
      case 'notIn':
        return [{ op: 'out', path, values: value as readonly unknown[] }]
      default:
        throw new Error(`${path.member.owner.name}.${path.member.name}: there is no comparison '${op}'`)
    }
  })
}
