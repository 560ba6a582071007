// Which modules of the service are on: an area whose module is off is not offered.

import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { get } from './client.ts'

interface ModuleEntry {
  readonly name: string
  /** Says whether the module has endpoints beyond those of its resources: it may be on and publish none. */
  readonly endpoints: boolean
}

/** The query of the modules, which change when the service is started again, not before. */
export const modulesQuery: UseQueryOptions<readonly ModuleEntry[]> & { readonly queryKey: readonly string[] } = {
  queryKey: ['modules'],
  queryFn: ({ signal }) => get<readonly ModuleEntry[]>('/api/modules', { signal, provesIdentity: true }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
}

/**
 * Returns what says whether a module is on, and publishes endpoints where that is needed: undefined until it is known. A service that does
 * not say is taken at its best.
 */
export const useIsOn = (): ((module: string | undefined, needsEndpoints?: boolean) => boolean | undefined) => {
  const { data, error } = useQuery(modulesQuery)
  return (module, needsEndpoints = true) => {
    if (module === undefined || error !== null) return true
    return data?.some(({ name, endpoints }) => name === module && (endpoints || !needsEndpoints))
  }
}
