// Wildcards, and the backslash that escapes them.

import type { Pattern } from '../model/query.ts'

interface Escaped {
  /** The text with escapes resolved; wildcards stand for themselves. */
  readonly text: string
  /** The literal pieces between wildcards; one piece when there is none. */
  readonly pattern: Pattern
}

const special = /[*%\\]/

/**
 * Reads a pattern. In a filter a backslash makes any character literal ('all'). In a plain parameter only wildcards and the backslash
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
