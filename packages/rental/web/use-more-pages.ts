// Lists that grow by pages, each after the last one seen.

import type { RequestOptions } from '@plinth/client'
import { fetchPage, type Item, nextCursor, type Page } from '@plinth/web'
import { useInfiniteQuery } from '@tanstack/react-query'

export const useMorePages = <T extends Item>(name: string, path: string, query: NonNullable<RequestOptions['query']>) =>
  useInfiniteQuery({
    queryKey: ['counter', name, query],
    queryFn: ({ pageParam, signal }): Promise<Page<T>> =>
      fetchPage<T>(path, { ...query, ...(pageParam && { _after: pageParam, _total: 'none' }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: page => nextCursor(page),
  })
