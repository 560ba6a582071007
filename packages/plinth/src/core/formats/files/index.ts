// The formats of files. This list is the only place that names them.

import { extname } from 'node:path'
import type { Json } from '../../model/json.ts'
import { errorCode, Problem } from '../../problem.ts'
import { readMediaType } from '../media-type.ts'
import { csv } from './csv.ts'
import { jsonList, ndjson } from './json-lists.ts'
import { xlsx } from './xlsx.ts'

export const fileFormats: readonly FileFormat[] = [csv, ndjson, jsonList, xlsx]

export const fileFormatNames = fileFormats.map(({ name }) => name)

/** Those whose media types stand for a file wherever a list of records is asked for; JSON stands for a page. */
export const ownFileFormats: readonly FileFormat[] = fileFormats.filter(format => format !== jsonList)

/** By its name; problem `bad_request` when there is none. */
export const fileFormatNamed = (name: string): FileFormat => {
  const found = fileFormats.find(one => one.name === name)
  if (found) return found
  throw new Problem('bad_request', `There is no format '${name}'. The formats are: ${fileFormatNames.join(', ')}.`)
}

/** By its name, or by the ending of the file; CSV when neither is given. */
export const fileFormatOf = (name: string | undefined, file: string | undefined): FileFormat =>
  fileFormatNamed(name ?? (file === undefined ? 'csv' : extname(file).slice(1).toLowerCase()))

/** Of a body with this content type; null for any other. */
export const fileFormatOfBody = (contentType: string | undefined): FileFormat | null => {
  const type = readMediaType((contentType ?? '').trim())?.type
  return fileFormats.find(({ mediaType, aliases = [] }) => type === mediaType || aliases.includes(type ?? '')) ?? null
}

/** What the operating system or a reader says of a file, in words. */
const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read by this user',
}

export const toFileProblem = (error: unknown, file: string): unknown => {
  const code = errorCode(error)
  return code in unreadable ? new Problem('bad_request', `${file} ${unreadable[code]}.`) : error
}

// Records as files, for export and import. Reading and writing take one row at a time, so files of any size fit.

export interface FileRow {
  /** Where the row ends, counted from 1. In a spreadsheet, the number of the row. */
  readonly line: number
  /** Cells by column. */
  readonly cells: Readonly<Record<string, unknown>>
  /** Cells are texts, from which the values of fields are read; JSON otherwise. A spreadsheet also has numbers, which may be dates. */
  readonly cellsAre: 'text' | 'json'
  /** Why the row cannot be read. */
  readonly fault?: string
}

/** Throws when the file has columns that cannot be used. Formats without a header do not call it. */
export type CheckColumns = (columns: readonly string[]) => void

/** Batches of rows; the cells are in the order of the columns. */
export type CellRows = AsyncIterable<readonly (readonly Json[])[]>

export interface WrittenColumn {
  readonly header: string
  /** What its cells are, where a format has a form of its own for them. */
  readonly type: 'date' | 'timestamp' | 'other'
}

export interface WrittenFile {
  /** For people: what the records are called. */
  readonly title: string
  readonly columns: readonly WrittenColumn[]
  readonly rows: CellRows
  /** CSV begins with a byte order mark, by which some spreadsheets know that it is UTF-8. */
  readonly hasMark?: boolean
}

export interface FileFormat {
  /** Also the ending of files. */
  readonly name: 'csv' | 'ndjson' | 'json' | 'xlsx'
  readonly mediaType: string
  /** As it is sent, with parameters. */
  readonly contentType: string
  /** Other media types that callers use for it. */
  readonly aliases?: readonly string[]
  /** Files may begin with a byte order mark. */
  readonly canHaveMark?: boolean
  /** `path`: of a file on the disk. */
  read(path: string, checkColumns: CheckColumns): AsyncIterable<FileRow>
  write(file: WrittenFile): AsyncIterable<string | Buffer>
}
