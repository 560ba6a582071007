// The groups of a report, page after page. Apart from the list of reports, which every page needs.

import { useInfiniteQuery } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import type { ReportColumn } from './reports.ts'

export type Group = Readonly<Record<string, unknown>>

interface GroupPage {
  readonly content: readonly Group[]
  readonly page: { readonly number: number; readonly totalPages: number | null }
}

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
