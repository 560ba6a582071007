// The groups of a report as rows of a chart: one for each value of the column along its axis, with a number for each series.

import { type Group, valueIn } from './groups.ts'
import type { ReportColumn } from './reports.ts'
import type { ReportWords } from './use-report-words.ts'

/** The most series: more colours look alike. */
const maxSeries = 8
/** The names of a row and of what is left over, which no value of a series has. */
const [rowName, leftOver] = ['\u0000row', '\u0000others']

type ChartRow = Readonly<Record<string, string | number>>

interface ChartSeries {
  readonly key: string
  readonly label: string
}

export interface ReportChartData {
  readonly rows: readonly ChartRow[]
  /** The member of a row with its name. */
  readonly name: string
  readonly series: readonly ChartSeries[]
  /** The column with the numbers. */
  readonly measure: ReportColumn
}

interface Texts {
  readonly words: ReportWords
  /** What the series beyond the largest are called together. */
  readonly others: string
}

/** The rows of the chart of a report; null where it has no numbers. */
export const chartDataOf = (
  columns: readonly ReportColumn[],
  groups: readonly Group[],
  { words, others }: Texts,
): ReportChartData | null => {
  const measure = measureOf(columns)
  if (!measure) return null
  const keys = columns.filter(({ function: computed }) => computed === undefined)
  // Time goes along the axis; what records are grouped by besides becomes a series.
  const axis = keys.find(({ period }) => period !== undefined) ?? keys[0]
  const split = keys.find(key => key !== axis)
  const seriesOf = (group: Group): string => (split ? words.cellOf(split, group) : words.titleOf(measure))
  const largest = largestOf(groups, measure, seriesOf)
  const keyOf = (group: Group): string => (largest.includes(seriesOf(group)) ? seriesOf(group) : leftOver)
  const rows = new Map<string, Record<string, string | number>>()
  for (const group of inOrderOfTime(groups, axis)) {
    const name = axis ? words.cellOf(axis, group) : words.titleOf(measure)
    const row = rows.get(name) ?? { [rowName]: name }
    const key = keyOf(group)
    row[key] = Number(row[key] ?? 0) + numberIn(group, measure)
    rows.set(name, row)
  }
  const hasOthers = groups.some(group => keyOf(group) === leftOver)
  const series = largest.map(key => ({ key, label: key }))
  return {
    rows: [...rows.values()],
    name: rowName,
    series: hasOthers ? [...series, { key: leftOver, label: others }] : series,
    measure,
  }
}

/** The first sum, or else the first number. Durations are texts, and cannot be drawn. */
const measureOf = (columns: readonly ReportColumn[]): ReportColumn | undefined => {
  const numbers = columns.filter(
    ({ function: computed, field }) => computed !== undefined && field.widget !== 'duration',
  )
  return numbers.find(({ function: computed }) => computed === 'sum') ?? numbers[0]
}

const numberIn = (group: Group, measure: ReportColumn): number => {
  const value = valueIn(group, measure)
  return typeof value === 'number' ? value : 0
}

const inOrderOfTime = (groups: readonly Group[], axis: ReportColumn | undefined): readonly Group[] =>
  axis?.period === undefined
    ? groups
    : groups.toSorted((one, other) => (startIn(one, axis) < startIn(other, axis) ? -1 : 1))

const startIn = (group: Group, axis: ReportColumn): string => String(valueIn(group, axis) ?? '')

const largestOf = (
  groups: readonly Group[],
  measure: ReportColumn,
  seriesOf: (group: Group) => string,
): readonly string[] => {
  const sums = new Map<string, number>()
  for (const group of groups)
    sums.set(seriesOf(group), (sums.get(seriesOf(group)) ?? 0) + Math.abs(numberIn(group, measure)))
  return [...sums]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, maxSeries)
    .map(([name]) => name)
}
