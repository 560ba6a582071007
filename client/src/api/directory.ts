// The resources that whoever is signed in may read. None of them is known to the client by name.

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { get } from './request.ts'

export interface DirectoryEntry {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly module: string
  readonly create: boolean
}

export const useDirectory = (): UseQueryResult<readonly DirectoryEntry[]> =>
  useQuery({
    queryKey: ['directory'],
    queryFn: ({ signal }) => get<readonly DirectoryEntry[]>('/api/rest', { signal }),
    staleTime: 300_000,
  })
