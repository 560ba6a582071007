// Dates of spreadsheets: days since the first one, with the time as a fraction. They have no time zone: ours is UTC.

type DateColumn = 'date' | 'timestamp'

const dayMs = 86_400_000
/** The day 0. */
const firstDay = Date.UTC(1899, 11, 30)
/** Spreadsheets know a 29 February 1900, so earlier days are off by one; and no year after 9999. */
const [firstSafe, lastSafe] = [Date.UTC(1900, 2, 1), Date.UTC(10_000, 0, 1)]

/** Returns null for a number that is no date. */
export const fromSerial = (column: DateColumn, serial: number): string | null => {
  const moment = new Date(firstDay + Math.round(serial * dayMs))
  if (Number.isNaN(moment.getTime())) return null
  return column === 'date' ? moment.toISOString().slice(0, 10) : moment.toISOString()
}

/** Returns null for what a spreadsheet cannot hold as a date. */
export const toSerial = (column: DateColumn, text: string): number | null => {
  const time = Date.parse(text)
  if (Number.isNaN(time) || time < firstSafe || time >= lastSafe) return null
  const serial = (time - firstDay) / dayMs
  return fromSerial(column, serial) === text ? serial : null
}
