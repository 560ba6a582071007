// Axes whose labels stand at their grid lines, for charts of `@mantine/charts`.

/** The highest label is half a line above the highest grid line; without room it would be moved down. */
export const chartMargin = { top: 12 } as const

/** A label for every grid line, and a grid line for every label. */
export const valueAxis = { interval: 0 } as const
export const gridProps = { syncWithTicks: true } as const
