// Records of a resource, page after page, kept current by what the service tells of them.

import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readAgain } from '../../api/read-again.ts'
import { fetchPage, type Item, nextCursor, recordPath } from '../../api/records.ts'
import { MorePages } from '../../common/show-more.tsx'
import { useChanges } from '../../live/use-live.ts'

interface Records<T> {
  /** Is undefined until the first page is there. */
  readonly rows: readonly T[] | undefined
  readonly total: number
  /** Why nothing is there. */
  readonly error: unknown
  readonly retry: () => void
  /** A button, as long as there is more, or what hinders it. */
  readonly more: ReactNode
}

interface RecordsQuery {
  readonly filter?: string | undefined
  readonly sort: string
}

const pageSize = 50

export const recordsKey = (resource: string) => ['management', 'records', resource]

const useRereading = (resource: string): void => {
  const client = useQueryClient()
  const refresh = () => void readAgain(client, recordsKey(resource))
  useChanges({ resource }, { onMessage: refresh, onReload: refresh })
}

/** How many records there are; undefined until they are counted. */
export const useRecordCount = (resource: string): number | undefined => {
  useRereading(resource)
  const { data } = useQuery({
    queryKey: [...recordsKey(resource), 'count'],
    queryFn: ({ signal }) => fetchPage(recordPath(resource), { fields: 'pk', _ps: 1 }, signal),
  })
  return data?.page.totalElements ?? undefined
}

export const useRecords = <T extends Item>(resource: string, { filter, sort }: RecordsQuery): Records<T> => {
  useRereading(resource)
  const query = useInfiniteQuery({
    queryKey: [...recordsKey(resource), filter, sort],
    queryFn: ({ pageParam, signal }) =>
      fetchPage<T>(recordPath(resource), { filter, sort, _ps: pageSize, _after: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: page => nextCursor(page) ?? undefined,
    placeholderData: keepPreviousData,
  })
  return {
    rows: query.data?.pages.flatMap(({ content }) => content),
    total: query.data?.pages[0]?.page.totalElements ?? 0,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
    more: query.data && <MorePages list={query} />,
  }
}
