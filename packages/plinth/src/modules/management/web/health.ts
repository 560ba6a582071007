// How well the service is, as it says itself.

import { ApiProblem } from '@plinth/client'
import { get } from '@plinth/web'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'

export type HealthState = 'UP' | 'DOWN' | 'UNKNOWN'

export interface HealthPart {
  readonly status: HealthState
  readonly [detail: string]: unknown
}

interface Health {
  readonly status: HealthState
  readonly [part: string]: unknown
}

export const isPart = (value: unknown): value is HealthPart =>
  typeof value === 'object' && value !== null && 'status' in value

/** A service that is down says so with status 503, and with the same report. */
const fetchHealth = async (signal: AbortSignal): Promise<Health> => {
  try {
    return await get<Health>('/api/management/health', { signal })
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 503 && error.document.status === 'DOWN')
      return error.document as unknown as Health
    throw error
  }
}

export const useHealth = ({ isLive }: { readonly isLive: boolean }): UseQueryResult<Health> =>
  useQuery({
    queryKey: ['management', 'health'],
    queryFn: ({ signal }) => fetchHealth(signal),
    refetchInterval: isLive ? 10_000 : false,
  })
