// The rows of a list of any length: fetched in blocks around what is looked at, and kept right while others change them.

import type { LiveChange } from '@plinth/client'
import { type QueryClient, type QueryKey, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { readAgain } from '../../api/read-again.ts'
import { fetchPage, type Item, nextCursor, type Page } from '../../api/records.ts'
import { useChanges } from '../../live/use-live.ts'

const blockSize = 100

export interface RowList {
  /** The path of the collection, or of a relation. */
  readonly path: string
  /** The resource whose changes concern the list. */
  readonly resource: string
  readonly filter: string
  /** Words that the records have, for resources that are searched by words; the best matches come first unless sorted. */
  readonly search?: string
  readonly sort: string
  readonly fields: readonly string[]
}

export interface Rows {
  readonly rowAt: (index: number) => Item | undefined
  readonly error: unknown
  readonly retry: () => void
}

const rowsKey = ({ path, filter, search = '', sort, fields }: RowList): QueryKey => [
  'rows',
  path,
  filter,
  search,
  sort,
  fields.join(),
]

/** A block whose rows are known to be current. The cursor of another one would skip rows or repeat them. */
const currentBlock = (client: QueryClient, key: QueryKey): Page | undefined => {
  const state = client.getQueryState<Page>(key)
  return state && !state.isInvalidated && state.fetchStatus === 'idle' ? state.data : undefined
}

/** Fetches a block: after a known one by its cursor, which costs the same everywhere; after a jump by number. */
const fetchBlock = (
  client: QueryClient,
  { listing, block }: { readonly listing: RowList; readonly block: number },
  signal: AbortSignal,
) => {
  const { path, filter, search, sort, fields } = listing
  const before = currentBlock(client, [...rowsKey(listing), block - 1])
  const cursor = before ? nextCursor(before) : null
  return fetchPage(
    path,
    {
      filter,
      search,
      sort,
      fields: fields.join(),
      _ps: blockSize,
      _total: 'none',
      ...(cursor === null ? { _pn: block } : { _after: cursor }),
    },
    signal,
  )
}

const patched = (page: Page, { pk, record }: LiveChange): Page => {
  const at = page.content.findIndex(row => row.pk === pk)
  if (at < 0 || !record) return page
  return { ...page, content: page.content.with(at, { ...page.content[at], ...record, pk }) }
}

/** A change of a row is shown at once; where rows come or go, what is looked at is read again, once a second at most. */
const useLiveRows = (listing: RowList): void => {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const refresh = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null
      void readAgain(client, ['rows', listing.path])
      void readAgain(client, ['total', listing.path])
    }, 1000)
  }, [client, listing.path])
  useChanges(listing, {
    onMessage: change => {
      const isReading = client.isFetching({ queryKey: rowsKey(listing) }) > 0
      if (isReading || change.type !== 'updated') refresh()
      client.setQueriesData<Page>({ queryKey: rowsKey(listing) }, page => page && patched(page, change))
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
export const useTotal = ({ path, filter, search = '' }: RowList): Total => {
  const { data, error } = useQuery({
    queryKey: ['total', path, filter, search],
    queryFn: ({ signal }) => fetchPage(path, { filter, search, fields: 'pk', _ps: 1 }, signal),
  })
  const isEstimated = data?.page.estimated ?? false
  const { data: counted } = useQuery({
    queryKey: ['total', path, filter, search, 'exact'],
    queryFn: ({ signal }) => fetchPage(path, { filter, search, fields: 'pk', _ps: 1, _total: 'exact' }, signal),
    enabled: isEstimated,
    retry: false,
  })
  const total = (isEstimated ? counted?.page.totalElements : null) ?? data?.page.totalElements ?? null
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
    rows.push(...(await client.fetchQuery(blockQuery(client, listing, block))).content)
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
    rowAt: index => results[Math.floor(index / blockSize) - from]?.data?.content[index % blockSize],
    error: results.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const kind of ['rows', 'total']) void client.invalidateQueries({ queryKey: [kind, listing.path] })
    },
  }
}
