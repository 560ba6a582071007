// A list of JSON objects, and lines of JSON (NDJSON).

import { createReadStream } from 'node:fs'
import type { Json } from '../../model/json.ts'
import { DuplicateJsonKey, JsonTooDeep, maxJsonDepth, parseJson } from '../../model/json-text.ts'
import { Problem } from '../../problem.ts'
import type { FileFormat, FileRow, WrittenColumn } from './file-format.ts'

const toObject = (columns: readonly WrittenColumn[], cells: readonly Json[]): string =>
  JSON.stringify(Object.fromEntries(columns.map(({ header }, at) => [header, cells[at] ?? null])))

const faulty = (line: number, reason: string): FileRow => ({ line, cells: {}, cellsAre: 'json', fault: reason })

const toRow = (text: string, line: number): FileRow => {
  try {
    const cells: unknown = parseJson(text)
    if (typeof cells === 'object' && cells !== null && !Array.isArray(cells))
      return { line, cells: cells as FileRow['cells'], cellsAre: 'json' }
  } catch (error) {
    if (error instanceof DuplicateJsonKey)
      return faulty(line, `the row has a key twice in one object, at ${error.pointer}`)
    if (error instanceof JsonTooDeep) return faulty(line, `the row is nested more than ${maxJsonDepth} levels deep`)
  }
  return faulty(line, 'the row is not a JSON object')
}

export const ndjson: FileFormat = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  contentType: 'application/x-ndjson',
  aliases: ['application/ndjson', 'application/jsonl', 'application/x-jsonlines'],
  async *read(path) {
    let [line, rest] = [0, '']
    for await (const piece of createReadStream(path, 'utf8')) {
      const texts = (rest + piece).split('\n')
      rest = mustBeShort(texts.pop() ?? '')
      for (const text of texts) {
        line += 1
        if (text.trim() !== '') yield toRow(text, line)
      }
    }
    if (rest.trim() !== '') yield toRow(rest, line + 1)
  },
  async *write({ columns, rows }) {
    for await (const batch of rows) yield batch.map(cells => `${toObject(columns, cells)}\n`).join('')
  },
}

export const jsonList: FileFormat = {
  name: 'json',
  mediaType: 'application/json',
  contentType: 'application/json',
  async *read(path) {
    for await (const { text, line } of readJsonRows(createReadStream(path, 'utf8'))) yield toRow(text, line)
  },
  async *write({ columns, rows }) {
    let separator = '['
    for await (const batch of rows) {
      yield batch
        .map(cells => {
          const text = `${separator}\n${toObject(columns, cells)}`
          separator = ','
          return text
        })
        .join('')
    }
    yield separator === '[' ? '[]\n' : '\n]\n'
  },
}

// The entries of a JSON list, one at a time: lists of any length are read without holding them.

interface JsonRow {
  readonly text: string
  /** The line on which the entry ends, counted from 1. */
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

/** The most characters of a row: memory is bounded whatever a file holds. */
const longestRow = 10_000_000

export const mustBeShort = (row: string): string => {
  if (row.length <= longestRow) return row
  throw new Problem('bad_request', `A row of the file has more than ${longestRow} characters.`)
}
