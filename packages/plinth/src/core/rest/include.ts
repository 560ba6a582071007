// Fetches what `include` asks for: one statement for each relation, whatever the number of records; two for those to many.

import { linkFiltersOf } from '../model/link-filters.ts'
import type { Filter, Step } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Included, View } from '../model/view.ts'
import type { Problem } from '../problem.ts'
import type { IncludeNode } from '../query/include-paths.ts'
import { tooCostly } from '../query/query-faults.ts'
import { type Allowance, byPk, type RelatedReads, relatedRecords } from '../records/related.ts'
import type { Context } from './context.ts'

/**
 * How many records `include` may add to a document. Of a single record it is written in one go: about 25 microseconds for each, in
 * which nothing else is answered. Each is counted as often as it is written.
 */
const maxIncluded = 2000

/**
 * The most included records of a whole collection, which is written in pieces. Relations to one record add as many to a
 * piece as it has records.
 */
const maxIncludedInAll = 20_000

/** What was asked for, and how the related records are to be shown. */
export interface IncludeOptions {
  readonly include: readonly IncludeNode[]
  readonly viewOf: (resource: Resource) => View
}

/** The related records that answer an `include`, for each of the records. */
export const fetchIncluded = async (
  context: Context,
  options: IncludeOptions,
  records: readonly StoredRecord[],
): Promise<readonly Included[]> => {
  if (options.include.length === 0 || records.length === 0) return nothing
  const included = await fetchLevel(context, options, { records, allowance: allowanceOf(maxIncluded) })
  mustBeShort(records, included)
  return included
}

/** Fetches included records for a piece of a whole collection, whose limits have been checked. */
export const fetchIncludedInPiece = (
  context: Context,
  options: IncludeOptions,
  records: readonly StoredRecord[],
): Promise<readonly Included[]> => fetchLevel(context, options, { records, allowance: allowanceOf(maxIncludedInAll) })

/** Counts in the database, before a whole collection is written. */
export const mustIncludeFew = async (
  { platform: { store }, requester }: Context,
  { include }: IncludeOptions,
  base: { readonly resource: Resource; readonly filter: Filter | null; readonly count: number },
): Promise<void> => {
  let left = maxIncludedInAll
  /** One record may have all of these. */
  let leftToMany = maxIncluded
  const visit = async (nodes: readonly IncludeNode[], steps: readonly Step[]): Promise<void> => {
    for (const node of nodes) {
      const further = [...steps, node]
      // Ways to one record lead to as many as they begin at.
      if (further.every(({ relation }) => relation.definition.role === 'one')) left -= base.count
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
  readonly allowance: Allowance
}

const fetchLevel = async (
  context: Context,
  { include, viewOf }: IncludeOptions,
  level: Level,
): Promise<readonly Included[]> => {
  if (include.length === 0 || level.records.length === 0) return nothing
  const included: Included[] = []
  const reads = readsOf(context)
  for (const node of include) {
    const byOwner = await relatedRecords(reads, node, level)
    const related = [...byPk([...byOwner.values()].flat()).values()]
    const deeper = await fetchLevel(context, { include: node.deeper, viewOf }, { ...level, records: related })
    included.push({ relation: node.relation, view: viewOf(node.target), byOwner, deeper })
  }
  return included
}

const nothing: readonly Included[] = []

const readsOf = ({ platform, tx, visibility, requester }: Context): RelatedReads => ({
  reader: tx ?? platform.store,
  linkFilters: target => linkFiltersOf(visibility.view(target), visibility),
  requester,
})

const allowanceOf = (limit: number): Allowance => ({
  left: limit,
  take(count) {
    this.left -= count
    if (this.left < 0) throw tooMany(maxIncluded)
  },
})

const tooMany = (limit: number): Problem =>
  tooCostly(
    `'include' adds more than ${limit} records to the response; include fewer relations, or request smaller pages.`,
    {
      parameter: 'include',
    },
  )
