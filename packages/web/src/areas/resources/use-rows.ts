// The rows of a list of any length: fetched in blocks around what is looked at, and kept right while others change them.

import type { FindResult, LiveChange, ResultPage } from '@plinth/client'
import { type QueryClient, type QueryKey, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { readAgain } from '../../api/read-again.ts'
import { type Item, recordPath, recordsOf } from '../../api/records.ts'
import { useChanges } from '../../live/use-live.ts'

const blockSize = 100

export interface RowList {
  /** The resource of the records, whose changes concern the list. */
  readonly resource: string
  /** The relation of a record that leads to them; all of the resource without it. */
  readonly relation?: { readonly resource: string; readonly pk: string; readonly name: string }
  readonly filter: string
  /** Words that the records have, for resources that are searched by words; the best matches come first unless sorted. */
  readonly search?: string
  /** The pk of a record that they are like, the most similar first unless sorted. */
  readonly similar?: string
  readonly sort: string
  readonly fields: readonly string[]
}

export interface Rows {
  readonly rowAt: (index: number) => Item | undefined
  readonly error: unknown
  readonly retry: () => void
}

/** The address of the list. */
export const pathOf = ({ resource, relation }: RowList): string =>
  relation ? `${recordPath(relation.resource, relation.pk)}/${relation.name}` : recordPath(resource)

interface RowOptions {
  readonly limit: number
  readonly sort?: string
  readonly page?: number
  readonly after?: string
  /** All of the list unless given. */
  readonly fields?: readonly string[]
  readonly total?: 'exact' | 'none'
  readonly signal?: AbortSignal
}

/** Finds records of the list. */
export const findRows = (
  { resource, relation, filter, search = '', similar, ...list }: RowList,
  { fields = list.fields, ...options }: RowOptions,
): FindResult<Item> => {
  const find = { filter, search, ...(similar && { similar }), fields, ...options }
  return relation
    ? recordsOf(relation.resource).relatedMany(relation.pk, relation.name, find)
    : recordsOf(resource).find(find)
}

const rowsKey = (listing: RowList): QueryKey => {
  const { filter, search = '', similar = '', sort, fields } = listing
  return ['rows', pathOf(listing), filter, search, similar, sort, fields.join()]
}

/** A block whose rows are known to be current. The cursor of another one would skip rows or repeat them. */
const currentBlock = (client: QueryClient, key: QueryKey): ResultPage<Item> | undefined => {
  const state = client.getQueryState<ResultPage<Item>>(key)
  return state && !state.isInvalidated && state.fetchStatus === 'idle' ? state.data : undefined
}

/** Fetches a block: after a known one by its cursor, which costs the same everywhere; after a jump by number. */
const fetchBlock = async (
  client: QueryClient,
  { listing, block }: { readonly listing: RowList; readonly block: number },
  signal: AbortSignal,
): Promise<ResultPage<Item>> => {
  const after = currentBlock(client, [...rowsKey(listing), block - 1])?.next ?? null
  const place = after === null ? { page: block } : { after }
  return findRows(listing, { limit: blockSize, sort: listing.sort, total: 'none', ...place, signal })
}

const patched = (page: ResultPage<Item>, { pk, record }: LiveChange): ResultPage<Item> => {
  const at = page.items.findIndex(row => row.pk === pk)
  if (at < 0 || !record) return page
  return { ...page, items: page.items.with(at, { ...page.items[at], ...record, pk }) }
}

/** A change of a row is shown at once; where rows come or go, what is looked at is read again, once a second at most. */
const useLiveRows = (listing: RowList): void => {
  const client = useQueryClient()
  const path = pathOf(listing)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const refresh = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null
      void readAgain(client, ['rows', path])
      void readAgain(client, ['total', path])
    }, 1000)
  }, [client, path])
  useChanges(listing, {
    onMessage: change => {
      const isReading = client.isFetching({ queryKey: rowsKey(listing) }) > 0
      if (isReading || change.type !== 'updated') refresh()
      client.setQueriesData<ResultPage<Item>>({ queryKey: rowsKey(listing) }, page => page && patched(page, change))
    },
    onReload: refresh,
  })
}

export interface Total {
  readonly total: number | null
  readonly isEstimated: boolean
  readonly error: unknown
}

/**
 * Counted apart, since that may take longer than finding the rows in sight. An estimate is shown until the records are counted,
 * and kept where counting them is too costly.
 */
export const useTotal = (listing: RowList): Total => {
  const { filter, search = '', similar = '' } = listing
  const key = ['total', pathOf(listing), filter, search, similar]
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => findRows(listing, { fields: ['pk'], limit: 1, signal }),
  })
  const isEstimated = data?.isEstimate ?? false
  const { data: counted } = useQuery({
    queryKey: [...key, 'exact'],
    queryFn: async ({ signal }) => findRows(listing, { fields: ['pk'], limit: 1, total: 'exact', signal }),
    enabled: isEstimated,
    retry: false,
  })
  const total = (isEstimated ? counted?.total : null) ?? data?.total ?? null
  return { total, isEstimated: isEstimated && !counted, error }
}

const blockQuery = (client: QueryClient, listing: RowList, block: number) => ({
  queryKey: [...rowsKey(listing), block],
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchBlock(client, { listing, block }, signal),
  staleTime: 60_000,
})

/** The rows from the first to the last one, fetched where they are not known. */
export const fetchRows = async (
  client: QueryClient,
  listing: RowList,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<readonly Item[]> => {
  const rows: Item[] = []
  const from = Math.floor(first / blockSize)
  for (let block = from; block <= last / blockSize; block++)
    rows.push(...(await client.fetchQuery(blockQuery(client, listing, block))).items)
  return rows.slice(first - from * blockSize, last + 1 - from * blockSize)
}

export const useRows = (listing: RowList, first: number, last: number): Rows => {
  const client = useQueryClient()
  useLiveRows(listing)
  const from = Math.floor(first / blockSize)
  const to = Math.max(from, Math.floor(last / blockSize))
  const blocks = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  const results = useQueries({
    queries: blocks.map(block => blockQuery(client, listing, block)),
  })
  return {
    rowAt: index => results[Math.floor(index / blockSize) - from]?.data?.items[index % blockSize],
    error: results.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const kind of ['rows', 'total']) void client.invalidateQueries({ queryKey: [kind, pathOf(listing)] })
    },
  }
}
