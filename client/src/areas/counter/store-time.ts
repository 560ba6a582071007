// Times as the clock of the store shows them, wherever the browser is.

import { useLanguage } from '../../i18n/language.ts'

export const useStoreTime = (): ((instant: string, timeZone?: string) => string) => {
  const language = useLanguage()
  return (instant, timeZone) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(instant))
}
