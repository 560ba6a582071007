// The store's own currency and clock, which the counter uses wherever the browser is.

import { get, useLanguage } from '@plinth/web'
import { useQuery } from '@tanstack/react-query'

interface Store {
  /** ISO 4217. */
  readonly currency: string
  readonly timeZone: string
}

export const useStore = (): Store | undefined =>
  useQuery({
    // Not below 'counter', which every sale invalidates.
    queryKey: ['store of the counter'],
    queryFn: ({ signal }) => get<Store>('/api/rest/order/store', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data

/** Formats instants by the clock of the store, and names its zone when the clock of the browser shows another time. */
export const useStoreTime = (): ((instant: string) => string) => {
  const language = useLanguage()
  const timeZone = useStore()?.timeZone
  return instant => {
    if (timeZone === undefined) return '…'
    const date = new Date(instant)
    const format = (zone?: string) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(date)
    const local = format(timeZone)
    return local === format() ? local : `${local} ${zoneName(date, timeZone, language)}`
  }
}

/** Returns the name of the zone, such as `CET`, `GMT+2` or `UTC`. */
const zoneName = (date: Date, timeZone: string, language: string): string =>
  new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
