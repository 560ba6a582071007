import '@mantine/charts/styles.css'
import { BarChart, LineChart } from '@mantine/charts'
import { chartMargin, gridProps, valueAxis } from '../common/axis-props.ts'
import type { ChartProps } from './charts.tsx'

const isAnimationActive = false
const ofWhole = { accessibilityLayer: false, margin: chartMargin } as const

const Chart = ({ kind, data, name, value, height = 220 }: ChartProps & { readonly kind: 'bars' | 'line' }) => {
  const common = {
    h: height,
    data: [...data],
    dataKey: name,
    series: [{ name: value.key, label: value.label, color: 'indigo.6' }],
    valueFormatter: value.format,
    yAxisProps: { ...valueAxis, width: 76, allowDecimals: false },
    gridProps,
    xAxisProps: { minTickGap: 16 },
  }
  return (
    <div aria-hidden>
      {kind === 'bars' ? (
        <BarChart {...common} barProps={{ isAnimationActive, radius: 3 }} barChartProps={ofWhole} />
      ) : (
        <LineChart {...common} curveType="linear" lineProps={{ isAnimationActive }} lineChartProps={ofWhole} />
      )}
    </div>
  )
}

export default Chart
