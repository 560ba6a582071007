// CSV (RFC 4180). Spreadsheets take a text that begins like a formula for one and may run it (OWASP, "CSV Injection"): an
// apostrophe in front makes it text. Reading removes the apostrophe again. Null is an empty cell; an empty text is an empty cell in
// quotes.

import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import type { Json } from '../../model/json.ts'
import type { FileFormat } from './index.ts'

const formula = /^'*[=+\-@\t\r＝＋－＠]/

const guard = (text: string): string => (formula.test(text) ? `'${text}` : text)

const unguard = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text)

const quoted = (text: string): string =>
  text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

const toCell = (value: Json): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return quoted(typeof value === 'string' ? guard(value) : JSON.stringify(value))
}

const toLine = (cells: readonly Json[]): string => `${cells.map(toCell).join(',')}\n`

interface ParsedRow {
  readonly record: Readonly<Record<string, string | null>>
  readonly info: { readonly lines: number; readonly error?: Error }
}

/** In characters: a quote that is never closed would make the rest of the file one cell. */
const longestRow = 10_000_000

export const csv: FileFormat = {
  name: 'csv',
  mediaType: 'text/csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  async *read(path, checkColumns) {
    const parser = parse({
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
      max_record_size: longestRow,
      cast: (text, { quoting, header }) => (header || text !== '' || quoting ? unguard(text) : null),
      columns: (header: string[]) => {
        checkColumns(header)
        return header
      },
    })
    // A file that cannot be read ends the parser with the reason, and that the loop below.
    pipeline(createReadStream(path), parser, () => {})
    for await (const { record, info } of parser as AsyncIterable<ParsedRow>)
      yield {
        line: info.lines,
        cells: record,
        cellsAre: 'text',
        ...(info.error && { fault: 'the row has more or fewer cells than there are columns' }),
      }
  },
  async *write(columns, rows) {
    yield toLine(columns)
    for await (const batch of rows) yield batch.map(toLine).join('')
  },
}
