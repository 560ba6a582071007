// The groups of a report as a table, with totals where all groups are there.

import { useText } from '../../i18n/dictionary.ts'
import { SimpleTable } from '../simple-table.tsx'
import { reportTexts } from './dictionary.ts'
import { type Group, valueIn } from './groups.ts'
import type { ReportColumn, ReportEntry } from './reports.ts'
import { useReportWords } from './use-report-words.ts'

interface ReportTableProps {
  readonly report: ReportEntry
  readonly groups: readonly Group[]
  /** Are there no further groups? */
  readonly isWhole: boolean
}

interface ReportRow {
  readonly key: string
  readonly cells: readonly string[]
  readonly isTotal: boolean
}

export const ReportTable = ({ report: { title, columns }, groups, isWhole }: ReportTableProps) => {
  const t = useText(reportTexts)
  const { titleOf, textOf, cellOf } = useReportWords()
  const rows: ReportRow[] = groups.map((group, at) => ({
    key: String(at),
    cells: columns.map(column => cellOf(column, group)),
    isTotal: false,
  }))
  const totals = isWhole && groups.length > 1 ? totalsOf(columns, groups) : null
  if (totals)
    rows.push({
      key: 'total',
      cells: columns.map((column, at) => (at === 0 ? t('total') : totalText(totals[at], column, textOf))),
      isTotal: true,
    })
  return (
    <SimpleTable
      caption={title}
      rows={rows}
      rowKey={({ key }) => key}
      columns={columns.map((column, at) => ({
        key: column.name,
        title: titleOf(column),
        render: ({ cells, isTotal }: ReportRow) => (isTotal ? <strong>{cells[at]}</strong> : cells[at]),
        ...(column.function !== undefined && { align: 'right' as const, nowrap: true }),
      }))}
    />
  )
}

const totalText = (
  total: number | null | undefined,
  column: ReportColumn,
  textOf: (column: ReportColumn, value: unknown) => string,
): string => (total === null || total === undefined ? '' : textOf(column, total))

/** Numbers and sums of groups can be added up, unlike averages. Null where no column is of these, or the first one is. */
const totalsOf = (columns: readonly ReportColumn[], groups: readonly Group[]): readonly (number | null)[] | null => {
  if (columns[0]?.function !== undefined) return null
  const totals = columns.map(column =>
    column.function === 'count' || column.function === 'sum' ? sumOf(column, groups) : null,
  )
  return totals.some(total => total !== null) ? totals : null
}

const sumOf = (column: ReportColumn, groups: readonly Group[]): number | null => {
  let sum = 0
  for (const group of groups) {
    const value = valueIn(group, column) ?? 0
    if (typeof value !== 'number') return null
    sum += value
  }
  // Amounts have few decimals; their sum has no more.
  return Math.round(sum * 1e6) / 1e6
}
