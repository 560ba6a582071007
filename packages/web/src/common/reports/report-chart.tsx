import '@mantine/charts/styles.css'
import { BarChart, LineChart, PieChart } from '@mantine/charts'
import { chartMargin, gridProps, valueAxis } from '../axis-props.ts'
import type { ReportChartData } from './chart-data.ts'
import type { ReportEntry } from './reports.ts'

interface ReportChartProps {
  readonly kind: NonNullable<ReportEntry['chart']>
  readonly data: ReportChartData
  readonly height: number
  readonly format: (value: number) => string
}

const colours = ['indigo.6', 'teal.6', 'orange.6', 'grape.6', 'cyan.6', 'pink.6', 'lime.7', 'violet.4', 'gray.5']

const colourAt = (at: number): string => colours[at % colours.length] ?? 'indigo.6'

/** Draws a report for the eye; the same numbers stand in its table. */
const ReportChart = ({ kind, data, height, format }: ReportChartProps) => {
  const { rows, name, series } = data
  if (kind === 'pie')
    return (
      <div aria-hidden>
        <PieChart
          h={height}
          mx="auto"
          withTooltip
          tooltipDataSource="segment"
          data={slicesOf(data)}
          valueFormatter={format}
        />
      </div>
    )
  const common = {
    h: height,
    data: [...rows],
    dataKey: name,
    series: series.map(({ key, label }, at) => ({ name: key, label, color: colourAt(at) })),
    valueFormatter: format,
    withLegend: series.length > 1,
    yAxisProps: { ...valueAxis, width: 84 },
    xAxisProps: { minTickGap: 16 },
    gridProps,
  }
  return (
    <div aria-hidden>
      {kind === 'bar' ? (
        <BarChart
          {...common}
          type={series.length > 1 ? 'stacked' : 'default'}
          barProps={{ isAnimationActive: false, radius: 2 }}
          barChartProps={{ accessibilityLayer: false, margin: chartMargin }}
        />
      ) : (
        <LineChart
          {...common}
          curveType="linear"
          connectNulls
          lineProps={{ isAnimationActive: false }}
          lineChartProps={{ accessibilityLayer: false, margin: chartMargin }}
        />
      )}
    </div>
  )
}

/** A slice for each row, of all its series. */
const slicesOf = ({ rows, name, series }: ReportChartData) =>
  rows.map((row, at) => ({
    name: String(row[name]),
    value: series.reduce((sum, { key }) => sum + Number(row[key] ?? 0), 0),
    color: colourAt(at),
  }))

export default ReportChart
