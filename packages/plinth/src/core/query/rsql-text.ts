// Where the words of an RSQL text end. Each function looks at every character at most once.

import type { Pattern } from '../model/query.ts'

const codesOf = (characters: string): Uint8Array => {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

const reserved = codesOf(`"'();,=!~<> \t\r\n`)
const blanks = codesOf(' \t\r\n')
const operator = /[!<>=]=|[<>]|=[A-Za-z]*=?/y

/** After the last character a delimiter follows, too. */
export const isDelimiter = (text: string, at: number): boolean =>
  at >= text.length || reserved[text.charCodeAt(at)] === 1

export const blanksEnd = (text: string, from: number): number => {
  let at = from
  while (blanks[text.charCodeAt(at)] === 1) at++
  return at
}

export const wordEnd = (text: string, from: number): number => {
  let at = from
  while (!isDelimiter(text, at)) at++
  return at
}

/** A backslash takes the next character along; one at the very end leads beyond the text. */
export const unquotedEnd = (text: string, from: number): number => {
  let at = from
  while (!isDelimiter(text, at)) at += text[at] === '\\' ? 2 : 1
  return at
}

/** Where the closing quote stands; -1 when there is none. */
export const quoteEnd = (text: string, open: number): number => {
  const quote = text[open]
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at
  }
  return -1
}

/** The end of what looks like an operator; `from` itself when nothing does. */
export const operatorEnd = (text: string, from: number): number => {
  operator.lastIndex = from
  return operator.test(text) ? operator.lastIndex : from
}

// Wildcards, and the backslash that escapes them

interface Escaped {
  /** The text with escapes resolved; wildcards stand for themselves. */
  readonly text: string
  /** The literal pieces between wildcards; one piece when there is none. */
  readonly pattern: Pattern
}

const special = /[*%\\]/

/**
 * In a filter a backslash makes any character literal ('all'). In a plain parameter only wildcards and the backslash
 * itself need it ('wildcards'), so that a path such as C:\films can be asked for as it is.
 */
export const toPattern = (raw: string, escapes: 'all' | 'wildcards'): Escaped => {
  if (!special.test(raw)) return { text: raw, pattern: [raw] }
  const pieces: string[] = []
  let text = ''
  let piece = ''
  let afterWildcard = false
  for (let at = 0; at < raw.length; at++) {
    let character = raw.charAt(at)
    const next = raw.charAt(at + 1)
    if (character === '\\' && next !== '' && (escapes === 'all' || special.test(next))) {
      character = next
      at++
    } else if (character === '*' || character === '%') {
      text += character
      // Neighbouring wildcards match what one matches, and would only cost.
      if (!afterWildcard) pieces.push(piece)
      piece = ''
      afterWildcard = true
      continue
    }
    text += character
    piece += character
    afterWildcard = false
  }
  return { text, pattern: [...pieces, piece] }
}
