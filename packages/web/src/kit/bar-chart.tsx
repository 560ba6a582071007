import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { chartMargin, gridProps, valueAxis } from '../common/axis-props.ts'
import type { ChartProps } from './charts.tsx'

const Bars = ({ data, name, value, height = 220 }: ChartProps) => (
  <div aria-hidden>
    <BarChart
      h={height}
      data={[...data]}
      dataKey={name}
      series={[{ name: value.key, label: value.label, color: 'indigo.6' }]}
      valueFormatter={value.format}
      barProps={{ isAnimationActive: false, radius: 3 }}
      barChartProps={{ accessibilityLayer: false, margin: chartMargin }}
      yAxisProps={{ ...valueAxis, width: 76, allowDecimals: false }}
      gridProps={gridProps}
      xAxisProps={{ minTickGap: 16 }}
    />
  </div>
)

export default Bars
