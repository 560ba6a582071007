// The chart of a report, which arrives when it is shown: the library is large.

import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useText } from '../../i18n/dictionary.ts'
import { chartDataOf } from './chart-data.ts'
import { reportTexts } from './dictionary.ts'
import type { Group } from './groups.ts'
import type { ReportEntry } from './reports.ts'
import { useReportWords } from './use-report-words.ts'

const Chart = lazy(() => import('./report-chart.tsx'))

interface ReportDrawingProps {
  readonly report: ReportEntry
  readonly groups: readonly Group[]
  /** The height in pixels. */
  readonly height: number
}

/** Draws nothing for a report that has no chart. */
export const ReportDrawing = ({ report: { chart, columns }, groups, height }: ReportDrawingProps) => {
  const t = useText(reportTexts)
  const words = useReportWords()
  const data = chart && chartDataOf(columns, groups, { words, others: t('other') })
  if (!chart || !data || groups.length === 0) return null
  return (
    <Suspense fallback={<Skeleton height={height} />}>
      <Chart kind={chart} data={data} height={height} format={value => words.textOf(data.measure, value)} />
    </Suspense>
  )
}
