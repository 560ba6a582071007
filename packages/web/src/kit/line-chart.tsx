import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { chartMargin, gridProps, valueAxis } from '../common/axis-props.ts'
import type { ChartProps } from './charts.tsx'

const Lines = ({ data, name, value, height = 220 }: ChartProps) => (
  <div aria-hidden>
    <LineChart
      h={height}
      data={[...data]}
      dataKey={name}
      series={[{ name: value.key, label: value.label, color: 'indigo.6' }]}
      valueFormatter={value.format}
      curveType="linear"
      lineProps={{ isAnimationActive: false }}
      lineChartProps={{ accessibilityLayer: false, margin: chartMargin }}
      yAxisProps={{ ...valueAxis, width: 76, allowDecimals: false }}
      gridProps={gridProps}
      xAxisProps={{ minTickGap: 16 }}
    />
  </div>
)

export default Lines
