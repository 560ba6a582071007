// The resources that the user may read. The client knows none of them by name.

import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Language, useLanguage } from '../i18n/language.ts'
import { get } from './client.ts'

export interface DirectoryEntry {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly module: string
  readonly moduleTitle: string
  readonly create: boolean
}

/** The titles come in the language that is asked for. */
const directoryKey = (language: Language) => ['directory', language] as const

/** What people call the records of a resource, as far as it was fetched already. */
export const useKnownTitles = (): ((resource: string) => string | undefined) => {
  const client = useQueryClient()
  const key = directoryKey(useLanguage())
  return resource => client.getQueryData<readonly DirectoryEntry[]>(key)?.find(({ name }) => name === resource)?.title
}

export const useDirectory = (): UseQueryResult<readonly DirectoryEntry[]> =>
  useQuery({
    queryKey: directoryKey(useLanguage()),
    queryFn: ({ signal }) => get<readonly DirectoryEntry[]>('/api/rest', { signal }),
    staleTime: 300_000,
    placeholderData: known => known,
  })
