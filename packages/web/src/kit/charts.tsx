// Charts, which arrive when they are shown: the library is large. The page should show the numbers in a table, too: a chart is for the
// eye alone.

import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'

/** One row of a chart: its name and its values. */
export type ChartRow = Readonly<Record<string, string | number>>

/** What a chart draws. */
export interface ChartProps {
  readonly data: readonly ChartRow[]
  /** The field that names a row. */
  readonly name: string
  /** The field with the value, its name for people, and how it is written. */
  readonly value: { readonly key: string; readonly label: string; readonly format: (value: number) => string }
  /** The height in pixels; 220 unless given. */
  readonly height?: number
}

const Chart = lazy(() => import('./chart.tsx'))

const chartOf = (kind: 'bars' | 'line') => (props: ChartProps) => (
  <Suspense fallback={<Skeleton height={props.height ?? 220} />}>
    <Chart kind={kind} {...props} />
  </Suspense>
)

/** The values as bars. */
export const BarChart = chartOf('bars')

/** The values as a line. */
export const LineChart = chartOf('line')
