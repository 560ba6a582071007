// Records of a resource, page after page, kept current by what the service tells of them.

import type { ResultPage } from '@plinth/client'
import { MorePages, readAgain, useChanges } from '@plinth/web'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client, type ManagedResource } from './service.ts'

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

export const recordsKey = (resource: ManagedResource) => ['management', 'records', resource]

const useRereading = (resource: ManagedResource): void => {
  const queries = useQueryClient()
  const refresh = () => void readAgain(queries, recordsKey(resource))
  useChanges({ resource }, { onMessage: refresh, onReload: refresh })
}

/** How many records there are; undefined until they are counted. */
export const useRecordCount = (resource: ManagedResource): number | undefined => {
  useRereading(resource)
  const { data } = useQuery({
    queryKey: [...recordsKey(resource), 'count'],
    queryFn: async ({ signal }) => client.resource(resource).find({ fields: ['pk'], limit: 1, signal }),
  })
  return data?.total ?? undefined
}

interface Findable<T> {
  find(options: RecordsQuery & { limit: number; after: string | null; signal: AbortSignal }): PromiseLike<ResultPage<T>>
}

/** `records`: the calls for the resource. */
export const useRecords = <T,>(
  resource: ManagedResource,
  records: Findable<T>,
  { filter, sort }: RecordsQuery,
): Records<T> => {
  useRereading(resource)
  const query = useInfiniteQuery({
    queryKey: [...recordsKey(resource), filter, sort],
    queryFn: async ({ pageParam: after, signal }) => records.find({ filter, sort, limit: pageSize, after, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
  return {
    rows: query.data?.pages.flatMap(({ items }) => items),
    total: query.data?.pages[0]?.total ?? 0,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
    more: query.data && <MorePages list={query} />,
  }
}
