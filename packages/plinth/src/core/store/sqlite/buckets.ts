// Periods of times on SQLite, which knows no time zones: in UTC by the text of the time, in other zones by a function.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { type BucketUnit, bucketOf, bucketUnits } from '../../model/time-buckets.ts'
import type { Dialect } from '../sql/dialect.ts'

/** The SQL function that gives the period of a moment in a time zone. */
const bucketFunction = 'plinth_bucket'

const isUnit = (unit: unknown): unit is BucketUnit => bucketUnits.some(one => one === unit)

export const addBucketFunction = (database: DatabaseSyncInstance): void =>
  database.function(bucketFunction, { deterministic: true }, (moment: unknown, unit: unknown, timeZone: unknown) =>
    typeof moment === 'string' && isUnit(unit) ? bucketOf(moment, unit, String(timeZone)) : null,
  )

const part = (expression: string, from: number, length: number): string => `substr(${expression}, ${from}, ${length})`

export const bucketSql: Dialect['bucket'] = (expression, { unit, isDay, timeZone }) => {
  if (timeZone !== null && !isDay) return `${bucketFunction}(${expression}, '${unit}', ${timeZone})`
  const [year, month] = [part(expression, 1, 4), part(expression, 6, 2)]
  switch (unit) {
    case 'hour':
      return `${part(expression, 1, 13)} || ':00:00.000Z'`
    case 'day':
      return part(expression, 1, 10)
    case 'week':
      return `date(${part(expression, 1, 10)}, '-6 days', 'weekday 1')`
    case 'month':
      return `${part(expression, 1, 7)} || '-01'`
    case 'quarter':
      return (
        `${year} || CASE WHEN ${month} < '04' THEN '-01-01' WHEN ${month} < '07' THEN '-04-01' ` +
        `WHEN ${month} < '10' THEN '-07-01' ELSE '-10-01' END`
      )
    default:
      return `${year} || '-01-01'`
  }
}
