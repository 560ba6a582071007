// A list that grows by pages: its outline while it comes, what hinders it, its rows and its end.

import { Box } from '@mantine/core'
import { Loading, MorePages, ProblemAlert } from '@plinth/web'
import type { ReactNode } from 'react'
import { type RowColumn, RowTable } from './row-table.tsx'
import type { useMorePages } from './use-more-pages.ts'

interface PagedTableProps<T extends { readonly pk: string }> {
  readonly list: ReturnType<typeof useMorePages<T>>
  readonly label: string
  readonly columns: readonly RowColumn<T>[]
  /** What is shown in place of no rows. */
  readonly empty: ReactNode
}

export const PagedTable = <T extends { readonly pk: string }>({ list, label, columns, empty }: PagedTableProps<T>) => {
  const { data, error, refetch } = list
  if (!data)
    return (
      <Box p="md">{error ? <ProblemAlert error={error} onRetry={() => void refetch()} /> : <Loading rows={7} />}</Box>
    )
  const rows = data.pages.flatMap(({ items }) => items)
  return (
    <>
      {rows.length === 0 ? empty : <RowTable label={label} columns={columns} rows={rows} keyOf={({ pk }) => pk} />}
      <MorePages list={list} />
    </>
  )
}
