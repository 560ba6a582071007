// A format of files: records for export and import. Reading and writing take one row at a time, so files of any size fit.

import type { Json } from '../../model/json.ts'

export interface FileRow {
  /** The line on which the row ends, counted from 1. In a spreadsheet, the number of the row. */
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
  /** The name of the records for people. */
  readonly title: string
  readonly columns: readonly WrittenColumn[]
  readonly rows: CellRows
  /** CSV begins with a byte order mark, by which some spreadsheets know that it is UTF-8. */
  readonly hasMark?: boolean
}

export interface FileFormat {
  /** The name, which is also the ending of files. */
  readonly name: 'csv' | 'ndjson' | 'json' | 'xlsx'
  readonly mediaType: string
  /** The content type as it is sent, with parameters. */
  readonly contentType: string
  /** Other media types that callers use for it. */
  readonly aliases?: readonly string[]
  /** Files may begin with a byte order mark. */
  readonly canHaveMark?: boolean
  /** `path`: of a file on the disk. */
  read(path: string, checkColumns: CheckColumns): AsyncIterable<FileRow>
  write(file: WrittenFile): AsyncIterable<string | Buffer>
}
