// CSV (RFC 4180). Spreadsheets take a text that begins like a formula for one and may run it (OWASP, "CSV Injection"): an
// apostrophe in front makes it text. Reading removes the apostrophe again. Null is an empty cell; an empty text is an empty cell in
// quotes.

import { createReadStream } from 'node:fs'
import type { Json } from '../../model/json.ts'
import { byteOrderMark, readCsvRecords } from './csv-records.ts'
import type { FileFormat } from './file-format.ts'

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

/** Lines end with CRLF (RFC 4180, section 2). */
const toLine = (cells: readonly Json[]): string => `${cells.map(toCell).join(',')}\r\n`

const uneven = 'the row has more or fewer cells than there are columns'

export const csv: FileFormat = {
  name: 'csv',
  mediaType: 'text/csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  canHaveMark: true,
  async *read(path, checkColumns) {
    let columns: readonly string[] | null = null
    for await (const { cells, line } of readCsvRecords(createReadStream(path, 'utf8'))) {
      if (columns === null) {
        columns = cells.map(({ text }) => unguard(text))
        checkColumns(columns)
        continue
      }
      const row: Record<string, string | null> = Object.create(null)
      for (const [at, column] of columns.entries()) {
        const cell = cells[at]
        if (cell) row[column] = cell.text === '' && !cell.isQuoted ? null : unguard(cell.text)
      }
      yield { line, cells: row, cellsAre: 'text', ...(cells.length !== columns.length && { fault: uneven }) }
    }
  },
  async *write({ columns, rows, hasMark = false }) {
    yield (hasMark ? byteOrderMark : '') + toLine(columns.map(({ header }) => header))
    for await (const batch of rows) yield batch.map(toLine).join('')
  },
}
