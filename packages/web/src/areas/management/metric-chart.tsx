import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { chartMargin, gridProps, valueAxis } from '../../common/axis-props.ts'
import { useText } from '../../i18n/dictionary.ts'
import { useFormats } from '../../i18n/format.ts'
import { managementTexts } from './dictionary.ts'
import type { Chart, Point } from './metric-series.ts'

interface MetricChartProps {
  readonly chart: Chart
  readonly points: readonly Point[]
}

/** Draws a chart for the eye; the same numbers stand in the table that the page offers beside. */
const MetricChart = ({ chart, points }: MetricChartProps) => {
  const t = useText(managementTexts)
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
