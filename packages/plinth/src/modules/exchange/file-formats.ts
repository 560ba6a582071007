// Records as files: CSV, lines of JSON (NDJSON) and JSON. Reading and writing take one row at a time, so files of any size fit.

import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import type { Json } from '../../core/model/json.ts'
import { Problem } from '../../core/problem.ts'
import { readJsonRows } from './json-rows.ts'

export interface FileRow {
  /** Where the row ends, counted from 1. */
  readonly line: number
  /** Cells by column: text or null in CSV, any JSON in the other formats. */
  readonly cells: Readonly<Record<string, unknown>>
  /** Cells are texts, which the types of fields have to be read from. */
  readonly isText: boolean
  /** Why the row cannot be read. */
  readonly fault?: string
}

export interface FileFormat {
  readonly name: string
  /** `checkColumns` throws when the file has columns that cannot be used; formats without a header do not call it. */
  read(file: string, checkColumns: (columns: readonly string[]) => void): AsyncIterable<FileRow>
  /** The text before the first row, of each row, and after the last one. */
  write(columns: readonly string[]): {
    open: string
    row(cells: readonly Json[], isFirst: boolean): string
    close: string
  }
}

// CSV. Spreadsheets take a text that begins like a formula for one and may run it (OWASP, "CSV Injection"): an apostrophe in front
// makes it text. Reading removes the apostrophe again. Null is an empty cell; an empty text is an empty cell in quotes.

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

const csv: FileFormat = {
  name: 'csv',
  async *read(file, checkColumns) {
    const parser = parse({
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
      cast: (text, { quoting, header }) => (header || text !== '' || quoting ? unguard(text) : null),
      columns: (header: string[]) => {
        checkColumns(header)
        return header
      },
    })
    // A file that cannot be read ends the parser with the reason, and that the loop below.
    pipeline(createReadStream(file), parser, () => {})
    for await (const { record, info } of parser as AsyncIterable<ParsedRow>)
      yield {
        line: info.lines,
        cells: record,
        isText: true,
        ...(info.error && { fault: 'the row has more or fewer cells than there are columns' }),
      }
  },
  write: columns => ({ open: toLine(columns), row: toLine, close: '' }),
}

// JSON

const toObject = (columns: readonly string[], cells: readonly Json[]): string =>
  JSON.stringify(Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null])))

export const toRow = (text: string, line: number): FileRow => {
  try {
    const cells: unknown = JSON.parse(text)
    if (typeof cells === 'object' && cells !== null && !Array.isArray(cells))
      return { line, cells: cells as FileRow['cells'], isText: false }
  } catch {
    // The row below says so.
  }
  return { line, cells: {}, isText: false, fault: 'the row is not a JSON object' }
}

const ndjson: FileFormat = {
  name: 'ndjson',
  async *read(file) {
    let line = 0
    for await (const text of createInterface({
      input: createReadStream(file, 'utf8'),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      line += 1
      if (text.trim() !== '') yield toRow(text, line)
    }
  },
  write: columns => ({ open: '', row: cells => `${toObject(columns, cells)}\n`, close: '' }),
}

const json: FileFormat = {
  name: 'json',
  async *read(file) {
    for await (const { text, line } of readJsonRows(createReadStream(file, 'utf8'))) yield toRow(text, line)
  },
  write: columns => ({
    open: '[',
    row: (cells, isFirst) => `${isFirst ? '' : ','}\n${toObject(columns, cells)}`,
    close: '\n]\n',
  }),
}

// The list

const fileFormats: readonly FileFormat[] = [csv, ndjson, json]

/** By its name, or by the ending of the file; CSV when neither is given. */
export const formatOf = (name: string | undefined, file: string | undefined): FileFormat => {
  const wanted = name ?? (file === undefined ? 'csv' : extname(file).slice(1).toLowerCase())
  const found = fileFormats.find(one => one.name === wanted)
  if (found) return found
  const known = fileFormats.map(one => one.name).join(', ')
  throw new Problem('bad_request', `There is no format '${wanted}'. --format takes one of: ${known}.`)
}

/** What the operating system or the reader of CSV says of a file, in words. */
const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read by this user',
}

export const toFileProblem = (error: unknown, file: string): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof Error && code.startsWith('CSV_')) return new Problem('bad_request', error.message)
  return code in unreadable ? new Problem('bad_request', `${file} ${unreadable[code]}.`) : error
}
