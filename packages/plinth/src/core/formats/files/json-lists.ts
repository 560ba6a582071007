// A list of JSON objects, and lines of JSON (NDJSON).

import { createReadStream } from 'node:fs'
import type { Json } from '../../model/json.ts'
import type { FileFormat, FileRow } from './file-format.ts'
import { mustBeShort, readJsonRows } from './json-rows.ts'

const toObject = (columns: readonly string[], cells: readonly Json[]): string =>
  JSON.stringify(Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null])))

const toRow = (text: string, line: number): FileRow => {
  try {
    const cells: unknown = JSON.parse(text)
    if (typeof cells === 'object' && cells !== null && !Array.isArray(cells))
      return { line, cells: cells as FileRow['cells'], cellsAre: 'json' }
  } catch {
    // The row below says so.
  }
  return { line, cells: {}, cellsAre: 'json', fault: 'the row is not a JSON object' }
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
  async *write(columns, rows) {
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
  async *write(columns, rows) {
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
