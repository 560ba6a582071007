import { LineChart } from '@mantine/charts'
import { chartMargin, gridProps, useFormats, useTexts, valueAxis } from '@plinth/web'
import { managementTexts } from './dictionary.ts'
import type { Chart, Point } from './metric-series.ts'

interface MetricChartProps {
  readonly chart: Chart
  readonly points: readonly Point[]
}

/** Draws a chart for the eye; the same numbers stand in the table that the page offers beside. */
const MetricChart = ({ chart, points }: MetricChartProps) => {
  const t = useTexts(managementTexts)
  const formats = useFormats()
  return (
    <LineChart
      h={250}
      aria-hidden
      data={points.map(({ at, ...values }) => ({ ...values, time: formats.time(new Date(at).toISOString()) }))}
      dataKey="time"
      series={chart.series.map(({ key, colour }) => ({ name: key, label: t(key), color: colour }))}
      unit={chart.unit}
      valueFormatter={formats.number}
      curveType="linear"
      withDots={false}
      withLegend
      legendProps={{ verticalAlign: 'bottom', height: 60 }}
      tickLine="none"
      xAxisProps={{ minTickGap: 60 }}
      yAxisProps={{ ...valueAxis, width: 72, domain: [0, 'auto'] }}
      gridProps={gridProps}
      lineChartProps={{ accessibilityLayer: false, margin: chartMargin }}
      lineProps={{ isAnimationActive: false }}
    />
  )
}

export default MetricChart
