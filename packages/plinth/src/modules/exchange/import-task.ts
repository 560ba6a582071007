// What an import is asked to do, on the command line and over HTTP alike, and what it tells while it runs.

import type { FileFormat, FileRow } from '../../core/formats/files/file-format.ts'
import { Problem } from '../../core/problem.ts'
import type { ImportMode, RowRun, RowTask } from './import-columns.ts'
import type { RowOutcome } from './import-row.ts'

export type ImportedCounts = Readonly<Record<RowOutcome | 'refused', number>>

/** A row that is not imported. */
export interface RowRefusal {
  readonly row: FileRow
  readonly problem: Problem
  /** The column of the file that a field at fault comes from; null when there is none. */
  readonly columnOf: (field: string) => string | null
}

export type ImportEvent =
  | ({ readonly kind: 'refused' } & RowRefusal)
  /** `of`: all rows of the file, where they are known. */
  | {
      readonly kind: 'progress'
      readonly step: 'check' | 'write'
      readonly rows: number
      readonly of: number | null
    }
  /** The warning that only the service writes this field. */
  | { readonly kind: 'ignored'; readonly column: string; readonly field: string }
  /** An earlier import of the file was cut off, and this one goes on behind the line. */
  | { readonly kind: 'resumed'; readonly line: number }
  /** A limit was reached: the rows behind the line were not checked. */
  | { readonly kind: 'unchecked'; readonly line: number; readonly why: string }

export interface ImportFileTask extends RowTask {
  readonly file: string
  readonly format: FileFormat
  /** Every row or none. */
  readonly isAtomic: boolean
  /** Checks every row and writes nothing. */
  readonly isDryRun: boolean
  /** The most rows of an import that is all or nothing; unlimited by default. */
  readonly maxRowsAtOnce?: number | undefined
  /** Likewise, where other writers wait for it: how long it may write, in seconds. */
  readonly maxSecondsAtOnce?: number | undefined
  /**
   * The milliseconds in which another process that serves from the same database gets turns to write. None unless
   * given.
   */
  readonly restMs?: number | undefined
  readonly report: (event: ImportEvent) => void
  /** Ends an import between two batches, and it can be resumed; or between two rows, and nothing is written. */
  readonly signal?: AbortSignal | undefined
}

/** A task under way. */
export type FileRun = ImportFileTask & RowRun

export const rowsOf = (task: FileRun): AsyncIterable<FileRow> =>
  task.format.read(task.file, columns => {
    for (const column of columns) task.columnOf(column)
  })

export const noCounts = (): Record<keyof ImportedCounts, number> => ({
  created: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
})

/** Every row is counted once, so this is also the ordinal of the last row. */
export const rowsIn = (counts: ImportedCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** The rows after which the progress is reported. */
const reportedEvery = 1000

/** Reports the progress each time that another thousand rows are done. */
export const createProgress = (task: FileRun, step: 'check' | 'write', of: number | null) => {
  let reported = 0
  return (rows: number): void => {
    if (rows - reported < reportedEvery) return
    reported = rows - (rows % reportedEvery)
    task.report({ kind: 'progress', step, rows, of })
  }
}

// How an import is asked for.

/** Parts of a text, separated by commas. */
export const listOf = (text = ''): readonly string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** Each `Author=author.name`; a column that is mapped to nothing is left out. */
export const readMapping = (pairs: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    pairs.map(pair => {
      const equals = pair.lastIndexOf('=')
      if (equals < 1) throw new Problem('bad_request', `The mapping takes column=field, but got '${pair}'.`)
      return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
    }),
  )

export const importModes = ['create', 'update', 'upsert'] as const satisfies readonly ImportMode[]

/** Reads the mode; by default `upsert` with a key, and `create` without. */
export const readMode = (modeInput: string | null | undefined, key: readonly string[]): ImportMode => {
  const mode = importModes.find(one => one === (modeInput ?? (key.length > 0 ? 'upsert' : 'create')))
  if (!mode) throw new Problem('bad_request', `The mode is one of: ${importModes.join(', ')}.`)
  if (mode !== 'create' && key.length === 0)
    throw new Problem('bad_request', `The mode ${mode} needs a key: the fields that identify the record of a row.`)
  return mode
}
