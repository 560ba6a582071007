// Sentences in every language. Each area has a dictionary of its own, which arrives together with the area.

import { useMemo } from 'react'
import { currentLanguage, type Language, useLanguage } from './language.ts'

/** `{name}` stands for a value; a sentence about a number has a form for one. */
type Sentence = string | { readonly one: string; readonly other: string }
type Sentences<K extends string> = Readonly<Record<K, Sentence>>
export type Dictionary<K extends string = string> = Readonly<Record<Language, Sentences<K>>>
type Values = Readonly<Record<string, string | number>>
export type TextOf<K extends string> = (key: K, values?: Values) => string

/** The compiler holds every language to the keys of English. */
export const defineDictionary = <const K extends string>(en: Sentences<K>, de: Sentences<K>): Dictionary<K> => ({
  en,
  de,
})

const speak = (language: Language, sentence: Sentence, values: Values): string => {
  const isOne = new Intl.PluralRules(language).select(Number(values.count)) === 'one'
  const form = typeof sentence === 'string' ? sentence : isOne ? sentence.one : sentence.other
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : (value ?? '')
  })
}

export const toText =
  <K extends string>(dictionary: Dictionary<K>, language: Language): TextOf<K> =>
  (key, values = {}) =>
    speak(language, dictionary[language][key], values)

export const useText = <K extends string>(dictionary: Dictionary<K>): TextOf<K> => {
  const language = useLanguage()
  return useMemo(() => toText(dictionary, language), [dictionary, language])
}

/** Outside of components. */
export const textOf = <K extends string>(dictionary: Dictionary<K>): TextOf<K> => toText(dictionary, currentLanguage())
