// Periods that times are grouped by, as people write them.

import type { Formats } from '../../i18n/format.ts'

export type Period = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

const months = new Map<string, Intl.DateTimeFormat>()

const monthFormat = (language: string): Intl.DateTimeFormat => {
  const known = months.get(language)
  if (known) return known
  const format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  months.set(language, format)
  return format
}

/** `start`: the first day of the period, or the moment at which an hour begins. Weeks go by their first day. */
export const periodText = (
  start: string,
  period: Period,
  { language, formats }: { readonly language: string; readonly formats: Formats },
): string => {
  switch (period) {
    case 'hour':
      return formats.dateTime(start)
    case 'month':
      return monthFormat(language).format(new Date(start))
    case 'quarter':
      return `Q${Math.ceil(Number(start.slice(5, 7)) / 3)} ${start.slice(0, 4)}`
    case 'year':
      return start.slice(0, 4)
    default:
      return formats.date(start)
  }
}
