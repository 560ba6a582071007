// What a caller searches for, read from a text: words, phrases in quotes, words to exclude.

import { foldText, type SearchLanguage, stemOf, stemsBehind, wordsOf } from './analysis.ts'

export interface SearchedWord {
  /** The word as it was sent, folded. */
  readonly word: string
  readonly stem: string
  /** Says that the caller may still be typing it: words that begin like this match as well. */
  readonly isOpen: boolean
}

export interface SearchText {
  /** All of them must be there, in any order; those of phrases are among them. */
  readonly words: readonly SearchedWord[]
  /** The stems of each phrase, in their order. */
  readonly phrases: readonly (readonly string[])[]
  /** What records must not have: a stem, or several in their order. */
  readonly excluded: readonly (readonly string[])[]
}

/** The most characters of a search, and the most words. */
export const maxSearchLength = 300
export const maxSearchWords = 12

/** The fewest letters that stand for words that begin with them. */
const leastOpen = 2

const parts = /(-?)(?:"([^"]*)"?|([^\s"]+))/gu

/** Reads any text: what is no word means nothing. */
export const readSearchText = (text: string, language: SearchLanguage): SearchText => {
  const words: SearchedWord[] = []
  const phrases: (readonly string[])[] = []
  const excluded: (readonly string[])[] = []
  const isTyping = /[\p{L}\p{N}]$/u.test(foldText(text))
  let isLastOpen = false
  for (const [, minus, quoted, plain] of text.matchAll(parts)) {
    const found = wordsOf(quoted ?? plain ?? '')
    const stems = found.map(word => stemOf(word, language))
    isLastOpen = quoted === undefined && minus === '' && found.length > 0
    if (stems.length === 0) continue
    if (minus) excluded.push(stems)
    else {
      words.push(...found.map((word, at) => ({ word, stem: stems[at] ?? word, isOpen: false })))
      // Words that a sign joins, such as `e-mail`, belong together as those in quotes do.
      if (stems.length > 1) phrases.push(stems)
    }
  }
  const last = words.at(-1)
  const isOpen = isTyping && isLastOpen && last !== undefined && last.word.length >= leastOpen
  // The end of a phrase is not known while it is typed.
  const isLastOfPhrase = isOpen && phrases.at(-1)?.at(-1) === last.stem && !text.trimEnd().endsWith('"')
  return {
    words: distinct(isOpen ? [...words.slice(0, -1), { ...last, isOpen }] : words),
    phrases: isLastOfPhrase ? phrases.slice(0, -1) : phrases,
    excluded,
  }
}

/** Each stem once; one that is open stays open. */
const distinct = (words: readonly SearchedWord[]): readonly SearchedWord[] => {
  const byStem = new Map<string, SearchedWord>()
  for (const word of words) byStem.set(`${word.stem} ${word.isOpen}`, word)
  return [...byStem.values()]
}

const alphabet = [...'abcdefghijklmnopqrstuvwxyz']

/** The fewest letters of a word in which an error is forgiven. */
const leastForgiven = 4

/** Words that differ by one letter: one too many, too few, another one, or two in the wrong order. In numbers no error is forgiven. */
export const withOneError = (word: string): readonly string[] => {
  const characters = [...word]
  if (characters.length < leastForgiven || /\p{N}/u.test(word)) return []
  const found = new Set<string>()
  const known = [...new Set([...alphabet, ...characters])]
  for (let at = 0; at <= characters.length; at++) {
    const [before, after] = [characters.slice(0, at).join(''), characters.slice(at + 1).join('')]
    const [here = '', next = ''] = [characters[at], characters[at + 1]]
    if (here !== '') found.add(before + after)
    if (next !== '') found.add(before + next + here + characters.slice(at + 2).join(''))
    for (const letter of known) {
      if (here !== '') found.add(before + letter + after)
      found.add(before + letter + here + after)
    }
  }
  found.delete(word)
  return [...found]
}

/** The stems that a word may stand for beside its own: those of words that begin with it. */
export const openStems = ({ word }: SearchedWord, language: SearchLanguage): readonly string[] =>
  stemsBehind(word, language)
