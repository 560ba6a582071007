// What was fetched is kept for a while and refreshed when people return. The client library tries again by itself.

import { QueryClient } from '@tanstack/react-query'

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // A browser that believes to be offline still reaches a service on the same machine.
        networkMode: 'always',
        staleTime: 15_000,
        retry: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
