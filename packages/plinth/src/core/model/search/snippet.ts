// The part of a text that shows why a record was found, with the places of the words.

import { type SearchLanguage, stemOf, wordsOf } from './analysis.ts'
import { entryOf, type SearchedField } from './search-index.ts'

export interface Snippet {
  readonly text: string
  /** The places of found words in the text. */
  readonly marks: readonly (readonly [from: number, to: number])[]
}

/** The most characters of a snippet, and how many of them come before the first word. */
const maxSnippet = 160
const leadIn = 40
/** The characters of a text that are looked at. */
const maxLooked = 20_000

const tokens = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu

interface SnippetParts {
  /** The fields that the caller may read. */
  readonly fields: readonly SearchedField[]
  readonly language: SearchLanguage
  /** The entries that stand for the words of the search. */
  readonly entries: ReadonlySet<string>
}

/** The best part of the field that has most of the words; null where no text has one of them. */
export const snippetOf = (
  values: Readonly<Record<string, unknown>>,
  { fields, language, entries }: SnippetParts,
): Snippet | null => {
  let best: { readonly text: string; readonly found: readonly Found[]; readonly count: number } | null = null
  for (const { name, part } of fields)
    for (const value of [values[name]].flat(2)) {
      if (typeof value !== 'string') continue
      const text = value.slice(0, maxLooked)
      const found = foundIn(text, word => entries.has(entryOf(stemOf(word, language), part)))
      const count = new Set(found.map(({ word }) => word)).size
      if (count > (best?.count ?? 0)) best = { text, found, count }
    }
  return best && cut(best.text, best.found)
}

interface Found {
  readonly word: string
  readonly from: number
  readonly to: number
}

const foundIn = (text: string, isFound: (word: string) => boolean): readonly Found[] =>
  [...text.matchAll(tokens)].flatMap(({ 0: token, index: from }) => {
    const word = wordsOf(token).find(isFound)
    return word === undefined ? [] : [{ word, from, to: from + token.length }]
  })

/** Begins shortly before the first word, at the beginning of a word. */
const cut = (text: string, found: readonly Found[]): Snippet => {
  const first = found[0]?.from ?? 0
  const near = Math.max(0, first - leadIn)
  const space = near === 0 ? -1 : text.indexOf(' ', near)
  const from = near === 0 ? 0 : space < 0 || space >= first ? first : space + 1
  const end = from + maxSnippet
  const last = end >= text.length ? text.length : Math.max(text.lastIndexOf(' ', end), found[0]?.to ?? 0)
  const piece = text.slice(from, last)
  const [before, after] = [from > 0 ? '…' : '', last < text.length ? '…' : '']
  const shift = before.length - from
  return {
    text: before + piece.replace(/\s/g, ' ') + after,
    marks: found.filter(({ to }) => to <= last).map(one => [one.from + shift, one.to + shift]),
  }
}
