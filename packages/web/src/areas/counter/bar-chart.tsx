// The charts arrive on their own: the library is large, and the numbers stand in a table beside them anyway.

import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { chartMargin, gridProps, valueAxis } from '../../common/axis-props.ts'

interface BarsProps {
  readonly data: readonly Readonly<Record<string, string | number>>[]
  /** The field that names a bar, and the one that is its height. */
  readonly name: string
  readonly value: { readonly key: string; readonly label: string; readonly format: (value: number) => string }
}

const Bars = ({ data, name, value }: BarsProps) => (
  <div aria-hidden>
    <BarChart
      h={220}
      data={[...data]}
      dataKey={name}
      series={[{ name: value.key, label: value.label, color: 'indigo.6' }]}
      valueFormatter={value.format}
      barProps={{ isAnimationActive: false, radius: 3 }}
      // Screen readers use the table, so the chart takes no focus.
      barChartProps={{ accessibilityLayer: false, margin: chartMargin }}
      yAxisProps={{ ...valueAxis, width: 76, allowDecimals: false }}
      gridProps={gridProps}
      xAxisProps={{ minTickGap: 16 }}
    />
  </div>
)

export default Bars
