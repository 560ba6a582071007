// Texts in the language of the user. Each area has a dictionary of its own, which arrives together with the area.

import { useMemo } from 'react'
import type { Dictionary, Sentence, Sentences } from './define-dictionary.ts'
import { addedTexts, currentLanguage, type Language, useLanguage } from './language.ts'

type Values = Readonly<Record<string, string | number>>
export type TextOf<K extends string> = (key: K, values?: Values) => string

/** The application's own text, or that of the client, or English. */
const sentenceOf = <K extends string>({ name, texts }: Dictionary<K>, language: Language, key: K): Sentence => {
  const shipped: Partial<Record<Language, Sentences<K>>> = texts
  return addedTexts(language)?.[name]?.[key] ?? (shipped[language] ?? texts.en)[key]
}

const fillIn = (language: Language, sentence: Sentence, values: Values): string => {
  const rule = new Intl.PluralRules(language).select(Number(values.count))
  const form = typeof sentence === 'string' ? sentence : (sentence[rule] ?? sentence.other)
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : (value ?? '')
  })
}

export const toText =
  <K extends string>(dictionary: Dictionary<K>, language: Language): TextOf<K> =>
  (key, values = {}) =>
    fillIn(language, sentenceOf(dictionary, language, key), values)

export const useText = <K extends string>(dictionary: Dictionary<K>): TextOf<K> => {
  const language = useLanguage()
  return useMemo(() => toText(dictionary, language), [dictionary, language])
}

/** Returns texts outside of components. */
export const textOf = <K extends string>(dictionary: Dictionary<K>): TextOf<K> => toText(dictionary, currentLanguage())
