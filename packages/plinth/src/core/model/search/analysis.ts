// How texts become words that are compared: the same for documents and for searches, on every database.

import { LRUCache } from 'lru-cache'
import { stemEnglish } from './stem-english.ts'
import { stemGerman } from './stem-german.ts'

const stemmers = { en: stemEnglish, de: stemGerman, none: (word: string): string => word } as const

/** The languages whose words are reduced to stems; `none` leaves words as they are. */
export type SearchLanguage = keyof typeof stemmers

export const searchLanguages = Object.keys(stemmers) as readonly SearchLanguage[]

/** Changes with the analysis: indexes of another one are built again. */
export const analysisVersion = 1

/** The number of characters at which longer words are cut. */
const maxWord = 40

const letters = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu

/** Letters that have no accent to remove. */
const replacements: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}

/** A text without case and accents. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøđðłþıς]/g, letter => replacements[letter] ?? letter)

/** The words of a text in their order, folded and not reduced to stems. */
export const wordsOf = (text: string): readonly string[] =>
  (foldText(text).match(letters) ?? []).map(word => {
    const whole = word.replace(/['’]s$/, '').replace(/['’]/g, '')
    return whole.length > maxWord ? [...whole].slice(0, maxWord).join('') : whole
  })

/** Words come again and again, and their stems take longer to find than all else. Few different ones at a time: callers choose them. */
const stems = new LRUCache<string, string>({ max: 50_000 })

export const stemOf = (word: string, language: SearchLanguage): string => {
  const key = `${language} ${word}`
  const known = stems.get(key)
  if (known !== undefined) return known
  const stem = stemmers[language](word)
  stems.set(key, stem)
  return stem
}

/** Ends of words, by which the beginning of one may become a word whose stem is known. */
const usualEndings: Readonly<Record<SearchLanguage, readonly string[]>> = {
  en: [
    's',
    'es',
    'e',
    'ed',
    'd',
    'ing',
    'g',
    'ng',
    'er',
    'r',
    'ly',
    'y',
    'ion',
    'on',
    'n',
    'tion',
    'ation',
    'ness',
    'ment',
    't',
  ],
  de: [
    'e',
    'en',
    'n',
    'er',
    'r',
    's',
    'es',
    'em',
    'm',
    'ern',
    'st',
    't',
    'et',
    'ung',
    'ungen',
    'heit',
    'keit',
    'nd',
    'd',
  ],
  none: [],
}

/** Stems of words that begin like this, and perhaps do not begin so themselves: `runnin` leads to `run`. */
export const stemsBehind = (beginning: string, language: SearchLanguage): readonly string[] => [
  ...new Set([beginning, ...usualEndings[language].map(end => beginning + end)].map(word => stemOf(word, language))),
]
