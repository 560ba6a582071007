// Fetches what `include` asks for: one statement for each relation, whatever the number of records; two for those to many.

import { linkFiltersOf } from '../model/link-filters.ts'
import { both, everything, type Filter, type Query, type Step } from '../model/query.ts'
import type { Link, StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Included, View } from '../model/view.ts'
import type { Problem } from '../problem.ts'
import type { IncludeNode } from '../query/include-paths.ts'
import { tooCostly } from '../query/query-faults.ts'
import type { Context } from './context.ts'

/**
 * How many records `include` may add to a document. Of a single record it is written in one go: about 25 microseconds for each, in
 * which nothing else is answered. Each is counted as often as it is written.
 */
const maxIncluded = 2000

/** To a whole collection, which is written in pieces. Relations to one record add as many to a piece as it has records. */
const maxIncludedInAll = 20_000

/** What was asked for, and how the related records are to be shown. */
export interface Wanted {
  readonly include: readonly IncludeNode[]
  readonly viewOf: (resource: Resource) => View
}

/** The related records that answer an `include`, for each of the records. */
export const fetchIncluded = async (
  context: Context,
  wanted: Wanted,
  records: readonly StoredRecord[],
): Promise<readonly Included[]> => {
  if (wanted.include.length === 0 || records.length === 0) return nothing
  const included = await fetchLevel(context, wanted, { records, allowance: { left: maxIncluded } })
  mustBeShort(records, included)
  return included
}

/** For a piece of a whole collection, whose limits have been checked. */
export const fetchIncludedInPiece = (
  context: Context,
  wanted: Wanted,
  records: readonly StoredRecord[],
): Promise<readonly Included[]> => fetchLevel(context, wanted, { records, allowance: { left: maxIncludedInAll } })

/** Counted in the database, before a whole collection is written. */
export const mustIncludeFew = async (
  { platform: { store }, requester }: Context,
  { include }: Wanted,
  base: { readonly resource: Resource; readonly filter: Filter | null; readonly count: number },
): Promise<void> => {
  let left = maxIncludedInAll
  /** One record may have all of these. */
  let leftToMany = maxIncluded
  const visit = async (nodes: readonly IncludeNode[], steps: readonly Step[]): Promise<void> => {
    for (const node of nodes) {
      const further = [...steps, node]
      // Ways to one record lead to as many as they begin at.
      if (further.every(({ relation }) => relation.field.role === 'one')) left -= base.count
      else {
        const along = { filter: base.filter, steps: further }
        leftToMany -= await store.countAlong(base.resource, along, { limit: leftToMany + 1, requester })
      }
      if (left < 0) throw tooMany(maxIncludedInAll)
      if (leftToMany < 0) throw tooMany(maxIncluded)
      await visit(node.deeper, further)
    }
  }
  await visit(include, [])
}

/**
 * Formats that put related records in place write one as often as it is referred to: a shelf with its books below each of
 * those books. What a reader would have to read is counted before it is written.
 */
const mustBeShort = (records: readonly StoredRecord[], included: readonly Included[]): void => {
  let written = 0
  const count = (owner: StoredRecord, level: readonly Included[]): void => {
    for (const { byOwner, deeper } of level) {
      for (const related of byOwner.get(owner.pk) ?? []) {
        if (++written > maxIncluded) throw tooMany(maxIncluded)
        count(related, deeper)
      }
    }
  }
  for (const record of records) count(record, included)
}

/** The records of a level, and how many may still be fetched for all levels together. */
interface Level {
  readonly records: readonly StoredRecord[]
  readonly allowance: { left: number }
}

const fetchLevel = async (
  context: Context,
  { include, viewOf }: Wanted,
  level: Level,
): Promise<readonly Included[]> => {
  if (include.length === 0 || level.records.length === 0) return nothing
  const included: Included[] = []
  for (const node of include) {
    const byOwner = await relatedRecords(context, node, level)
    const related = [...byPk([...byOwner.values()].flat()).values()]
    const deeper = await fetchLevel(context, { include: node.deeper, viewOf }, { ...level, records: related })
    included.push({ relation: node.relation, view: viewOf(node.target), byOwner, deeper })
  }
  return included
}

const nothing: readonly Included[] = []

type ByOwner = ReadonlyMap<string, readonly StoredRecord[]>

const relatedRecords = async (context: Context, node: IncludeNode, { records, allowance }: Level): Promise<ByOwner> => {
  const { relation, target, linkFilter } = node
  const reader = context.tx ?? context.platform.store
  const fetch = async (filter: Filter) =>
    (await reader.find(target, queryFor(both(filter, linkFilter), target, context))).records
  const owners = records.map(record => record.pk)
  const { field } = relation
  if (field.role === 'one') {
    const pkOf = (record: StoredRecord) => (record[relation.name] as Link | null)?.pk
    const pks = [...new Set(records.map(pkOf).filter(pk => pk !== undefined))]
    take(allowance, pks.length)
    const found = byPk(await fetch(pksOf(target, pks)))
    return new Map(records.map(record => [record.pk, some(found.get(pkOf(record) ?? ''))]))
  }
  const pairs = await reader.pairs(relation, owners, { limit: allowance.left + 1, requester: context.requester })
  take(allowance, pairs.length)
  const found = byPk(await fetch(pksOf(target, [...new Set(pairs.map(([, pk]) => pk))])))
  const byOwner = new Map<string, StoredRecord[]>(owners.map(owner => [owner, []]))
  for (const [owner, pk] of pairs) byOwner.get(owner)?.push(...some(found.get(pk)))
  return byOwner
}

const some = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value])

const byPk = (records: readonly StoredRecord[]): ReadonlyMap<string, StoredRecord> =>
  new Map(records.map(record => [record.pk, record]))

const pksOf = (resource: Resource, pks: readonly string[]): Filter => ({
  op: 'in',
  path: { steps: [], member: resource.pk },
  values: pks,
})

const queryFor = (filter: Filter | null, target: Resource, { visibility, requester }: Context): Query => ({
  ...everything(target, filter, maxIncludedInAll),
  linkFilters: linkFiltersOf(visibility.view(target), visibility),
  requester,
})

const take = (allowance: Level['allowance'], count: number): void => {
  allowance.left -= count
  if (allowance.left < 0) throw tooMany(maxIncluded)
}

const tooMany = (limit: number): Problem =>
  tooCostly(
    `'include' adds more than ${limit} records to the response; include fewer relations, or request smaller pages.`,
    {
      parameter: 'include',
    },
  )
