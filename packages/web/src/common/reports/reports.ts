// The reports that the user may see. The client knows none of them by name.

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { useLanguage } from '../../i18n/language.ts'
import type { UiField } from '../records/ui-schema.ts'
import type { Period } from './period-text.ts'

export type ReportFunction = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'distinct' | 'median' | 'p90' | 'p95' | 'p99'

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

export const useReports = (): UseQueryResult<readonly ReportEntry[]> =>
  useQuery({
    queryKey: ['reports', useLanguage()],
    queryFn: async ({ signal }) =>
      (await get<{ readonly reports: readonly ReportEntry[] }>('/api/reports', { signal })).reports,
    staleTime: 300_000,
    placeholderData: known => known,
  })
