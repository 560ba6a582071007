// A search by words and by nearness: two rankings become one by the ranks that a record has in them (reciprocal rank fusion).

import { distanceName, distanceOf, type RecordsNear } from '../../model/near.ts'
import type { Query, SortKey } from '../../model/query.ts'
import type { StoredRecord } from '../../model/record.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { type RecordsFound, scoreName, scoreOf } from '../../model/search/found-words.ts'
import type { FoundPage } from '../../model/transaction.ts'

/** The best of each ranking; what comes behind them in both is not found. */
export const fusedDepth = 200

/** Keeps the very first ranks from deciding alone (Cormack, Clarke and Büttcher, 2009). */
const rankOffset = 60

/** Scores are in millionths, as those by words. */
const scoreUnit = 1_000_000

interface FusedQuery extends Query {
  readonly source: RecordsNear
  readonly words: RecordsFound
}

type Find = (query: Query) => Promise<FoundPage>

/** Both rankings are of the records that the filter leaves, so that no other record changes them. */
export const findFused = async (
  find: Find,
  resource: Resource,
  { words, ...query }: FusedQuery,
): Promise<FoundPage> => {
  const best = (source: Query['source'], first: SortKey) =>
    find({ ...query, source, sort: [first, keyOf(resource.pk, false)], window: firstOnes, total: 'none' })
  const [byWords, byDistance] = await Promise.all([
    best(words, keyOf(scoreOf(resource), true)),
    best(query.source, keyOf(distanceOf(resource), false)),
  ])
  const ranked = fuse([byWords.records, byDistance.records])
  return pageOf(ranked, query)
}

const firstOnes = { kind: 'offset', offset: 0, limit: fusedDepth } as const

const keyOf = (field: ResourceField, descending: boolean): SortKey => ({ path: { steps: [], field }, descending })

const scoreAt = (record: StoredRecord): number => Number(record[scoreName])

const fuse = (rankings: readonly (readonly StoredRecord[])[]): readonly StoredRecord[] => {
  const fused = new Map<string, StoredRecord>()
  for (const ranking of rankings) {
    for (const [rank, record] of ranking.entries()) {
      const before = fused.get(record.pk)
      const score = Math.round(scoreUnit / (rankOffset + rank + 1)) + (before ? scoreAt(before) : 0)
      const distance = record[distanceName] ?? null
      fused.set(record.pk, { ...record, [distanceName]: distance, [scoreName]: score })
    }
  }
  return [...fused.values()].toSorted((left, right) => scoreAt(right) - scoreAt(left) || (left.pk < right.pk ? -1 : 1))
}

/** The ranked records are few, so that a page is cut out of all of them. */
const pageOf = (ranked: readonly StoredRecord[], { window, total }: Query): FoundPage => {
  const [from, to] = rangeOf(ranked, window)
  const [first, last] = [ranked[from], ranked[to - 1]]
  return {
    records: ranked.slice(from, to),
    total: total === 'none' ? null : ranked.length,
    estimated: false,
    prev: first && from > 0 ? cursorOf(first) : null,
    next: last && to < ranked.length ? cursorOf(last) : null,
  }
}

const cursorOf = (record: StoredRecord): readonly unknown[] => [scoreAt(record), record.pk]

const rangeOf = (ranked: readonly StoredRecord[], window: Query['window']): readonly [from: number, to: number] => {
  const { limit } = window
  if (window.kind === 'offset') return within(ranked, window.offset, limit)
  if (window.kind === 'end') return within(ranked, ranked.length - limit, limit)
  const [score, pk] = [Number(window.values[0]), String(window.values[1])]
  const isBehind = (record: StoredRecord) => scoreAt(record) < score || (scoreAt(record) === score && record.pk > pk)
  const behind = ranked.findIndex(isBehind)
  const next = behind < 0 ? ranked.length : behind
  if (window.kind === 'after') return within(ranked, next, limit)
  const at = ranked.findIndex(record => record.pk === pk)
  const end = at < 0 ? next : at
  return [Math.max(0, end - limit), end]
}

const within = ({ length }: readonly StoredRecord[], from: number, limit: number): readonly [number, number] => {
  const start = Math.min(length, Math.max(0, from))
  return [start, Math.min(length, start + limit)]
}
