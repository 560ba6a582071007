// Lists that grow by pages, each after the last one seen.

import type { ResultPage } from '@plinth/client'
import { useInfiniteQuery } from '@tanstack/react-query'

interface PagePlace {
  /** The cursor of the page before; null for the first one. */
  readonly after: string | null
  readonly signal: AbortSignal
}

export const useMorePages = <T>(key: readonly unknown[], read: (place: PagePlace) => PromiseLike<ResultPage<T>>) =>
  useInfiniteQuery({
    queryKey: ['counter', ...key],
    queryFn: async ({ pageParam: after, signal }) => read({ after, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
