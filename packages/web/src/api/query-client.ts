// What was fetched is kept for a while, tried again when the service was out of reach, and refreshed when people return.

import { QueryClient } from '@tanstack/react-query'
import { isTransient } from './problem.ts'

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // A browser that believes to be offline still reaches a service on the same machine.
        networkMode: 'always',
        staleTime: 15_000,
        retry: (count, error) => count < 2 && isTransient(error),
        retryDelay: count => 500 * 2 ** count,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
