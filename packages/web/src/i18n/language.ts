// The language of the pages: chosen here, or the browser's, or English. An application can add languages, whose texts are
// loaded when they are needed.

import { useSyncExternalStore } from 'react'
import { application } from '../application.ts'
import type { Sentences, ShippedLanguage } from './define-dictionary.ts'

/** The code of a language, such as `fr`: one that the client ships, or one that the application adds. */
export type Language = string

const shipped: Readonly<Record<ShippedLanguage, string>> = { en: 'English', de: 'Deutsch' }

const added = application.languages ?? {}

/** The names of the languages, each in its own language. */
export const languages: Readonly<Record<Language, string>> = {
  ...shipped,
  ...Object.fromEntries(Object.entries(added).map(([code, { name }]) => [code, name])),
}

const key = 'plinth.language'

const isLanguage = (text: string | null | undefined): text is Language =>
  text !== null && text !== undefined && Object.hasOwn(languages, text)

/** Finds the language of a locale such as `pt-BR`: itself, or its language alone. */
const toLanguage = (locale: string): Language | null => {
  const codes = Object.keys(languages)
  const [language = ''] = locale.split(/[-_]/)
  const find = (preferred: string) => codes.find(code => code.toLowerCase() === preferred.toLowerCase())
  return find(locale.replace('_', '-')) ?? find(language) ?? null
}

const chosen = localStorage.getItem(key)
let current: Language = isLanguage(chosen)
  ? chosen
  : (navigator.languages.map(toLanguage).find(language => language !== null) ?? 'en')

type AddedTexts = Readonly<Record<string, Partial<Sentences>>>

const loaded = new Map<Language, AddedTexts>()

/** The application's own texts of a language, by the names of dictionaries. */
export const addedTexts = (language: Language): AddedTexts | undefined => loaded.get(language)

/** Loads the texts of a language. Without them the pages are in English, which is better than none. */
const loadTexts = async (language: Language): Promise<void> => {
  const address = added[language]?.texts
  if (address === undefined || loaded.has(language)) return
  const response = await fetch(address).catch(() => null)
  if (response?.ok) loaded.set(language, await response.json())
}

const listeners = new Set<() => void>()

const show = (language: Language): void => {
  current = language
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

/** The last change wins, whichever texts arrive first. */
let latest = current

const change = async (language: Language): Promise<void> => {
  latest = language
  await loadTexts(language)
  if (latest === language) show(language)
}

/** Resolves before the first paint. */
export const firstLanguage = change(current)

export const currentLanguage = (): Language => current

export const chooseLanguage = (language: Language): void => {
  localStorage.setItem(key, language)
  void change(language)
}

/** Accounts have this language until their owners choose another. So it says less than the language of the browser does. */
const defaultLocale = 'en'

/** Suggests the language of the person who signed in, as long as nothing else was chosen in this browser. */
export const suggestLocale = (locale: string | null): void => {
  const language = locale === null || locale === defaultLocale ? null : toLanguage(locale)
  if (language && localStorage.getItem(key) === null) void change(language)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, currentLanguage)
