// The language that the pages speak: chosen here, or the browser's, or English.

import { useSyncExternalStore } from 'react'

export const languages = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof languages

const key = 'plinth.language'

const isLanguage = (text: string | null | undefined): text is Language =>
  text !== null && text !== undefined && Object.hasOwn(languages, text)

/** The language of a locale such as `de-AT`, if it is spoken here. */
const toLanguage = (locale: string): Language | null => {
  const language = locale.split(/[-_]/)[0]?.toLowerCase()
  return isLanguage(language) ? language : null
}

const chosen = localStorage.getItem(key)
let current: Language = isLanguage(chosen)
  ? chosen
  : (navigator.languages.map(toLanguage).find(language => language !== null) ?? 'en')

const listeners = new Set<() => void>()

const apply = (language: Language): void => {
  current = language
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}
apply(current)

export const currentLanguage = (): Language => current

export const chooseLanguage = (language: Language): void => {
  localStorage.setItem(key, language)
  apply(language)
}

/** Of the person who signed in, for as long as nothing else was chosen in this browser. */
export const suggestLocale = (locale: string | null): void => {
  const language = locale === null ? null : toLanguage(locale)
  if (language && localStorage.getItem(key) === null) apply(language)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, currentLanguage)
