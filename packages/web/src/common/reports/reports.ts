// The reports that the user may see, and their groups. The client knows none of them by name.

import { type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { useLanguage } from '../../i18n/language.ts'
import type { UiField } from '../records/ui-schema.ts'
import type { Period } from './period-text.ts'

export type ReportFunction = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'distinct'

export interface ReportColumn {
  /** The name in sorts and in the headers of files. */
  readonly name: string
  /** The members that lead to the value in a group. */
  readonly place: readonly string[]
  /** What people call the field; the number of records has none. */
  readonly label?: string
  readonly period?: Period
  /** Is absent for what records are grouped by. */
  readonly function?: ReportFunction
  readonly field: UiField
}

export interface ReportEntry {
  readonly name: string
  readonly title: string
  readonly about?: string
  readonly resource: string
  readonly chart?: 'bar' | 'line' | 'pie'
  /** Does the start page show it? */
  readonly card: boolean
  readonly columns: readonly ReportColumn[]
}

export type Group = Readonly<Record<string, unknown>>

interface GroupPage {
  readonly content: readonly Group[]
  readonly page: { readonly number: number; readonly totalPages: number | null }
}

export const useReports = (): UseQueryResult<readonly ReportEntry[]> =>
  useQuery({
    queryKey: ['reports', useLanguage()],
    queryFn: async ({ signal }) =>
      (await get<{ readonly reports: readonly ReportEntry[] }>('/api/reports', { signal })).reports,
    staleTime: 300_000,
    placeholderData: known => known,
  })

const pageSize = 100

export const reportPath = (name: string): string => `/api/reports/${encodeURIComponent(name)}`

/** The groups of a report, page after page. */
export const useGroups = (name: string, size = pageSize) =>
  useInfiniteQuery({
    queryKey: ['report', name, size],
    queryFn: ({ signal, pageParam }) =>
      get<GroupPage>(reportPath(name), { signal, query: { _ps: size, _pn: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: ({ page: { number, totalPages } }) =>
      totalPages !== null && number + 1 < totalPages ? number + 1 : undefined,
  })

/** The value of a column in a group. */
export const valueIn = (group: Group, { place }: Pick<ReportColumn, 'place'>): unknown =>
  place.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? (value as Group)[part] : undefined),
    group,
  )
