// The records that relations lead to, for many records at a time: one statement for each relation, two for those to many.

import { among, both, everything, type LinkFilters, type Step } from '../model/query.ts'
import { linkIn, type StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Reader, ReadOptions } from '../model/transaction.ts'

export interface RelatedReads extends Pick<ReadOptions, 'requester'> {
  readonly reader: Reader
  /** What the related records show of records that are related to them. */
  linkFilters(target: Resource): LinkFilters | undefined
}

/** How many related records may still be read. */
export interface Allowance {
  left: number
  /** Throws when there are more. */
  take(count: number): void
}

export type ByOwner = ReadonlyMap<string, readonly StoredRecord[]>

/** The related records by the pk of the record that they belong to. */
export const relatedRecords = async (
  reads: RelatedReads,
  { relation, target, linkFilter }: Step,
  { records, allowance }: { readonly records: readonly StoredRecord[]; readonly allowance: Allowance },
): Promise<ByOwner> => {
  const { reader, requester } = reads
  const fetch = async (pks: readonly string[]) => {
    if (pks.length === 0) return noRecords
    const query = everything(target, both(among(target, pks), linkFilter), pks.length)
    const linkFilters = reads.linkFilters(target) ?? query.linkFilters
    return byPk((await reader.find(target, { ...query, linkFilters, requester })).records)
  }
  if (relation.definition.role === 'one') {
    const pkOf = (record: StoredRecord) => linkIn(record, relation.name)?.pk
    const pks = [...new Set(records.map(pkOf).filter(pk => pk !== undefined))]
    allowance.take(pks.length)
    const found = await fetch(pks)
    return new Map(records.map(record => [record.pk, some(found.get(pkOf(record) ?? ''))]))
  }
  const owners = records.map(record => record.pk)
  const pairs = await reader.pairs(relation, owners, { limit: allowance.left + 1, requester })
  allowance.take(pairs.length)
  const found = await fetch([...new Set(pairs.map(([, pk]) => pk))])
  const byOwner = new Map<string, StoredRecord[]>(owners.map(owner => [owner, []]))
  for (const [owner, pk] of pairs) byOwner.get(owner)?.push(...some(found.get(pk)))
  return byOwner
}

const some = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value])

const noRecords: ReadonlyMap<string, StoredRecord> = new Map()

export const byPk = (records: readonly StoredRecord[]): ReadonlyMap<string, StoredRecord> =>
  new Map(records.map(record => [record.pk, record]))
