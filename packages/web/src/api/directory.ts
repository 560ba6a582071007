// The resources that the user may read. The client knows none of them by name.

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useLanguage } from '../i18n/language.ts'
import { get } from './client.ts'

export interface DirectoryEntry {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly module: string
  readonly moduleTitle: string
  readonly create: boolean
}

export const useDirectory = (): UseQueryResult<readonly DirectoryEntry[]> =>
  useQuery({
    // The titles come in the language that is asked for.
    queryKey: ['directory', useLanguage()],
    queryFn: ({ signal }) => get<readonly DirectoryEntry[]>('/api/rest', { signal }),
    staleTime: 300_000,
    placeholderData: known => known,
  })
