// A search as data: made by `query/` and by rules, understood by the store.

import type { Requester } from './caller.ts'
import type { RecordsNear } from './near.ts'
import type { Resource, ResourceField } from './resource.ts'
import type { RecordsFound } from './search/found-words.ts'
import { isScalar, type ValueType } from './value-field.ts'

/** One step from a record to a related one. `linkFilter` is the caller's own filter on the target; it is ANDed wherever the step is taken. */
export interface Step {
  readonly relation: ResourceField
  readonly target: Resource
  readonly linkFilter: Filter | null
}

/** A field reached from the searched resource through zero or more relations. */
export interface Path {
  readonly steps: readonly Step[]
  readonly field: ResourceField
  /** The caller's own filter on the records that are counted, of a count; absent when all of them are visible. */
  readonly counting?: Filter
}

/** Can a search compare values of this type? JSON and vectors it cannot, except lists of text. */
export const isSearchableType = (type: ValueType): boolean => isScalar(type) || type.searchesEntries === true

/** Text with wildcards: the literal pieces between them. `Al*` is ['Al', '']; each gap matches any run of characters. */
export type Pattern = readonly string[]

export type Comparison =
  /** Equality; null means "has no value". A to-many path holds when any related record does. */
  | { readonly op: 'eq' | 'ne'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'gt' | 'ge' | 'lt' | 'le'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'in' | 'out'; readonly path: Path; readonly values: readonly unknown[] }
  | { readonly op: 'like' | 'unlike'; readonly path: Path; readonly pattern: Pattern; readonly ignoreCase: boolean }
  | { readonly op: 'null'; readonly path: Path; readonly isNull: boolean }

export type Filter =
  | Comparison
  | { readonly op: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly op: 'not'; readonly part: Filter }
  /** Matches everything or nothing. */
  | { readonly op: 'const'; readonly value: boolean }

/** The conjunction of what is there; null is "no restriction". */
export const both = (left: Filter | null, right: Filter | null): Filter | null => {
  if (!left) return right
  if (!right) return left
  return { op: 'and', parts: [left, right] }
}

/** What a decision leaves to be filtered: nothing, where it is yes to all. */
export const toFilter = (decision: true | Filter): Filter | null => (decision === true ? null : decision)

/** Values that are absent count as smaller than every other, on every database. */
export interface SortKey {
  /** The path, which has to-one steps only. */
  readonly path: Path
  readonly descending: boolean
}

export type PageWindow =
  | { readonly kind: 'offset'; readonly offset: number; readonly limit: number }
  /** Keyset paging: the records next to one whose sort keys have these values, in stored form. */
  | { readonly kind: 'after' | 'before'; readonly values: readonly unknown[]; readonly limit: number }
  /** The last records. */
  | { readonly kind: 'end'; readonly limit: number }

/**
 * The parts of related records that the caller may see, by relation field: absent = all, false = none, a filter =
 * those.
 */
export type LinkFilters = ReadonlyMap<string, Filter | false>

/** Other records of a resource than the present ones: those of a moment. */
export interface RecordsAsOf {
  readonly kind: 'asOf'
  /** The moment in ISO 8601, in UTC with milliseconds. */
  readonly moment: string
}

/** The deleted records. */
export interface RecordsInTrash {
  readonly kind: 'trash'
  /** The pk of the user whose deletions are found; null for all. */
  readonly by: string | null
}

export interface Query {
  readonly filter: Filter | null
  /** The order. Never empty; the last key is always `pk`, which makes the order total. */
  readonly sort: readonly SortKey[]
  readonly window: PageWindow
  readonly total: 'exact' | 'estimated' | 'none'
  /** How many matches an exact total counts at most: of more than these it becomes an estimate. Absent: no limit. */
  readonly exactUpTo?: number | undefined
  readonly linkFilters: LinkFilters
  /** The present records unless given. */
  readonly source?: RecordsAsOf | RecordsInTrash | RecordsFound | RecordsNear | undefined
  /** The user on whose behalf records are read; absent for reads that the service makes for itself. */
  readonly requester?: Requester | undefined
}

/** All matching records in the order of their pks, in batches or pages of `limit`. For the service's own reading. */
export const everything = (resource: Resource, filter: Filter | null = null, limit = 500): Query => ({
  filter,
  sort: [{ path: { steps: [], field: resource.pk }, descending: false }],
  window: { kind: 'offset', offset: 0, limit },
  total: 'none',
  linkFilters: noLinkFilters,
})

const noLinkFilters: LinkFilters = new Map()

/** The field itself equals the value. */
export const equals = (field: ResourceField, value: unknown): Filter => ({
  op: 'eq',
  path: { steps: [], field },
  value,
})

/** A field that the code names itself, so its absence is a mistake in the code. */
export const pathTo = (resource: Resource, name: string): Path => {
  const field = resource.fields.get(name)
  if (!field) throw new Error(`${resource.name} has no field '${name}'`)
  return { steps: [], field }
}

/** Every named field equals its value. */
export const where = (resource: Resource, values: Readonly<Record<string, unknown>>): Filter => ({
  op: 'and',
  parts: Object.entries(values).map(([name, value]) => ({ op: 'eq', path: pathTo(resource, name), value })),
})

/** The records of these pks. */
export const among = ({ pk }: Resource, pks: readonly string[]): Filter => ({
  op: 'in',
  path: { steps: [], field: pk },
  values: pks,
})
