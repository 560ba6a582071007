// Instants as the store's own clock shows them.

/** `2024-03-31T12:30+02:00` */
export const localTime = (instant: string, timeZone: string): string => {
  const part = partsOf(instant, timeZone)
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}${offset}`
}

/** `2024-03-31` */
export const localDate = (instant: string, timeZone: string): string => localTime(instant, timeZone).slice(0, 10)

const partsOf = (instant: string, timeZone: string) => {
  const parts = formatterOf(timeZone).formatToParts(new Date(instant))
  return (type: Intl.DateTimeFormatPartTypes): string => parts.find(part => part.type === type)?.value ?? ''
}

const formatters = new Map<string, Intl.DateTimeFormat>()

const formatterOf = (timeZone: string): Intl.DateTimeFormat => {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'longOffset',
    })
    formatters.set(timeZone, formatter)
  }
  return formatter
}

/** Returns the whole years between two days of the calendar; who was born on 29 February is a year older on 1 March. */
export const ageOn = (date: string, birthDay: string): number => {
  const years = Number(date.slice(0, 4)) - Number(birthDay.slice(0, 4))
  return date.slice(5) < birthDay.slice(5) ? years - 1 : years
}
