// The entries of a JSON list, one at a time: lists of any length are read without holding them.

import { Problem } from '../../problem.ts'

interface JsonRow {
  readonly text: string
  /** Where the entry ends, counted from 1. */
  readonly line: number
}

/** The text is `[…]`; entries are separated by their brackets alone, and parsed by the caller. */
export async function* readJsonRows(pieces: AsyncIterable<string>): AsyncGenerator<JsonRow> {
  let [line, depth, text] = [1, 0, '']
  let [isText, isEscaped] = [false, false]
  for await (const piece of pieces) {
    let start = 0
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at]
      if (character === '\n') line += 1
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (character === '\\') isEscaped = true
        else if (character === '"') isText = false
        continue
      }
      if (character === '"') isText = true
      else if (character === '[' || character === '{') {
        depth += 1
        if (depth === 1) {
          if (character === '{') throw notAList()
          start = at + 1
        }
      } else if (character === ']' || character === '}') depth -= 1
      if ((character === ',' && depth === 1) || (character === ']' && depth === 0)) {
        text += piece.slice(start, at)
        start = at + 1
        if (text.trim() !== '') yield { text, line }
        text = ''
      }
    }
    if (depth > 0) text = mustBeShort(text + piece.slice(start))
  }
  if (depth !== 0) throw new Problem('bad_request', 'The JSON ends in the middle.')
}

const notAList = (): Problem => new Problem('bad_request', 'The JSON must be a list of objects.')

/** In characters: memory is bounded whatever a file holds. */
const longestRow = 10_000_000

export const mustBeShort = (row: string): string => {
  if (row.length <= longestRow) return row
  throw new Problem('bad_request', `A row of the file has more than ${longestRow} characters.`)
}
