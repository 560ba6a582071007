// Fetches what `include` asks for: one statement for each relation, whatever the number of records; two for those to many.

import { guardsOf } from '../model/guards.ts'
import { both, everything, type Filter, type Query } from '../model/query.ts'
import type { Link, StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Reader } from '../model/transaction.ts'
import type { Included, View } from '../model/view.ts'
import { Problem } from '../problem.ts'
import type { IncludeNode } from '../query/include.ts'
import type { Context } from './platform.ts'

/** Beyond this an include would be a way around paging. */
const maxIncluded = 5000
const maxWritten = 20_000

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
  const included = await fetchLevel(context, wanted, records)
  if (included.length > 0) mustBeShort(records, included)
  return included
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
        if (++written > maxWritten)
          throw new Problem('too_costly', `include would write more than ${maxWritten} records.`)
        count(related, deeper)
      }
    }
  }
  for (const record of records) count(record, included)
}

const fetchLevel = async (
  context: Context,
  { include, viewOf }: Wanted,
  records: readonly StoredRecord[],
): Promise<readonly Included[]> => {
  if (include.length === 0 || records.length === 0) return nothing
  const included: Included[] = []
  for (const node of include) {
    const byOwner = await relatedRecords(context, node, records)
    const related = [...byPk([...byOwner.values()].flat()).values()]
    const deeper = await fetchLevel(context, { include: node.deeper, viewOf }, related)
    included.push({ relation: node.relation, view: viewOf(node.target), byOwner, deeper })
  }
  return included
}

const nothing: readonly Included[] = []

type ByOwner = ReadonlyMap<string, readonly StoredRecord[]>

const relatedRecords = async (
  context: Context,
  node: IncludeNode,
  records: readonly StoredRecord[],
): Promise<ByOwner> => {
  const { relation, target, guard } = node
  const reader = context.tx ?? context.platform.store
  const fetch = (filter: Filter) => fetchAll(reader, target, queryFor(both(filter, guard), target, context))
  const owners = records.map(record => record.pk)
  const { field } = relation
  if (field.role === 'one') {
    const pkOf = (record: StoredRecord) => (record[relation.name] as Link | null)?.pk
    const pks = [...new Set(records.map(pkOf).filter(pk => pk !== undefined))]
    const found = byPk(await fetch(pksOf(target, pks)))
    return new Map(records.map(record => [record.pk, some(found.get(pkOf(record) ?? ''))]))
  }
  const pairs = await reader.pairs(relation, owners, maxIncluded + 1)
  if (pairs.length > maxIncluded) throw tooMany(target)
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

const queryFor = (filter: Filter | null, target: Resource, { sight }: Context): Query => ({
  ...everything(target, filter, maxIncluded),
  guards: guardsOf(sight.view(target), sight),
})

const fetchAll = async (reader: Reader, target: Resource, query: Query): Promise<readonly StoredRecord[]> => {
  const found = await reader.find(target, query)
  if (found.next) throw tooMany(target)
  return found.records
}

const tooMany = (target: Resource): Problem =>
  new Problem('too_costly', `include brings more than ${maxIncluded} records of ${target.name}.`)
