// The periods that moments fall into, in any time zone: hours, days, weeks, months, quarters and years.

/** The periods that times are grouped by. */
export const bucketUnits = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type BucketUnit = (typeof bucketUnits)[number]

/** Names of places. Abbreviations, such as CET, mean other zones on some databases. */
const zoneShape = /^(?:UTC|[A-Za-z][A-Za-z_]*(?:\/[A-Za-z0-9_+-]+){1,2})$/

/** Is it the name of a time zone that this machine knows? */
export const isTimeZone = (name: string): boolean => {
  if (name.length > 64 || !zoneShape.test(name)) return false
  try {
    clockIn(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

const [hourMs, dayMs] = [3_600_000, 86_400_000]

const clocks = new Map<string, Intl.DateTimeFormat>()

const clockIn = (timeZone: string): Intl.DateTimeFormat => {
  const known = clocks.get(timeZone)
  if (known) return known
  const numbers = { month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    ...numbers,
  })
  clocks.set(timeZone, clock)
  return clock
}

/** What clocks there show at a moment, as if they were in UTC; both in milliseconds. */
const localTime = (moment: number, timeZone: string): number => {
  const read = new Map(
    clockIn(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  )
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map(type => Number(read.get(type)))
  const local = new Date(0)
  local.setUTCFullYear(read.get('era') === 'BC' ? 1 - year : year, month - 1, day)
  local.setUTCHours(hour, minute, second)
  return local.getTime() + (((moment % 1000) + 1000) % 1000)
}

const dateOf = (local: number): string => new Date(local).toISOString().slice(0, 10)

/** The first day of the period, of a time on local clocks. */
const firstDay = (local: number, unit: Exclude<BucketUnit, 'hour'>): string => {
  const date = dateOf(local)
  const [year, month] = [date.slice(0, 4), Number(date.slice(5, 7))]
  switch (unit) {
    case 'day':
      return date
    case 'week':
      return dateOf(local - ((new Date(local).getUTCDay() + 6) % 7) * dayMs)
    case 'month':
      return `${date.slice(0, 7)}-01`
    case 'quarter':
      return `${year}-${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`
    default:
      return `${year}-01-01`
  }
}

const compute = (moment: number, unit: BucketUnit, timeZone: string): string => {
  const local = localTime(moment, timeZone)
  if (unit !== 'hour') return firstDay(local, unit)
  const since = ((local % hourMs) + hourMs) % hourMs
  return new Date(moment - since).toISOString()
}

/** Periods by the hours in UTC that lie within one of them; null for the other hours. */
const known = new Map<string, Map<string, string | null>>()
const maxHours = 100_000

const hoursOf = (key: string): Map<string, string | null> => {
  const hours = known.get(key)
  if (hours && hours.size < maxHours) return hours
  const fresh = new Map<string, string | null>()
  known.set(key, fresh)
  return fresh
}

/** The period of a whole hour; null where it is not the same at its beginning and at its end. */
const ofHour = (hour: string, unit: BucketUnit, timeZone: string): string | null => {
  const begin = Date.parse(`${hour}:00:00.000Z`)
  const first = compute(begin, unit, timeZone)
  return first === compute(begin + hourMs - 1, unit, timeZone) ? first : null
}

/**
 * The period of a moment in ISO 8601, as the store has it: the first day of it in this time zone, or for hours the moment at which it
 * begins. Where clocks are set back, an hour that comes twice is two periods.
 */
export const bucketOf = (moment: string, unit: BucketUnit, timeZone: string): string => {
  const hours = hoursOf(`${unit} ${timeZone}`)
  const hour = moment.slice(0, 13)
  let period = hours.get(hour)
  if (period === undefined) {
    period = ofHour(hour, unit, timeZone)
    hours.set(hour, period)
  }
  return period ?? compute(Date.parse(moment), unit, timeZone)
}
