// Imports a file row by row. Invalid rows are reported with their lines and left out; or nothing is imported at all.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileFormat, type FileRow, toFileProblem } from '../../core/formats/files/index.ts'
import { assigned, defineResource } from '../../core/model/define.ts'
import { integer } from '../../core/model/fields.ts'
import { Problem } from '../../core/problem.ts'
import { inTransaction } from '../../core/records/context.ts'
import { recordsIn } from '../../core/records/records.ts'
import type { Context, Inside } from '../../core/rest/platform.ts'
import {
  type ImportMode,
  importRow,
  importRows,
  needsPreparation,
  type PreparedCells,
  type PreparedRow,
  prepareRow,
  type RowOutcome,
  type RowRun,
  type RowTask,
  withColumns,
} from './import-row.ts'

export type ImportedCounts = Readonly<Record<RowOutcome | 'refused', number>>

/** What an import tells while it runs. */
export type ImportEvent =
  | { readonly kind: 'refused'; readonly line: number; readonly problem: Problem }
  | { readonly kind: 'progress'; readonly rows: number }
  /** Only the service writes this field. */
  | { readonly kind: 'ignored'; readonly column: string; readonly field: string }
  /** An earlier import of the file was cut off, and this one goes on behind the line. */
  | { readonly kind: 'resumed'; readonly line: number }
  /** The rows behind the line were not checked. */
  | { readonly kind: 'unchecked'; readonly line: number; readonly why: string }

export interface ImportFileTask extends RowTask {
  readonly file: string
  readonly format: FileFormat
  /** Every row or none. */
  readonly isAtomic: boolean
  /** Checks every row and writes nothing. */
  readonly isDryRun: boolean
  /** Of an import that is all or nothing, or a dry run: other writers may wait for it. Unlimited unless given. */
  readonly maxRowsAtOnce?: number | undefined
  /** Likewise: how long it may take, in seconds. Unlimited unless given. */
  readonly maxSecondsAtOnce?: number | undefined
  readonly report: (event: ImportEvent) => void
  /** Ends an import between two batches, and it can be resumed; or between two rows, and nothing is written. */
  readonly signal?: AbortSignal | undefined
}

/** How far an import has come, written with the records themselves: one that was cut off goes on behind the last of them. */
export const unfinishedImports = defineResource('unfinishedImports', {
  about: 'Imports that were begun and not finished.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    /** For the message alone: rows may share a line. */
    line: integer({ required: true }),
    created: integer({ required: true }),
    changed: integer({ required: true }),
    unchanged: integer({ required: true }),
    refused: integer({ required: true }),
  },
  access: {},
})

interface Progress {
  readonly counts: Record<keyof ImportedCounts, number>
  /** Of the last row that was written. */
  line: number
}

/** Every row is counted once, so this is also the ordinal of the last row. */
const rowsIn = ({ counts }: Progress): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

const noProgress = (): Progress => ({ counts: { created: 0, changed: 0, unchanged: 0, refused: 0 }, line: 0 })

/** With the permissions of the context. */
export const importFile = async (context: Context, task: ImportFileTask): Promise<ImportedCounts> => {
  try {
    const run = withColumns(context, task, ({ header, member }) =>
      task.report({ kind: 'ignored', column: header, field: member.name }),
    )
    for (const name of task.key) run.columnOf(name)
    return await (task.isAtomic || task.isDryRun ? importAtOnce(context, run) : importInBatches(context, run))
  } catch (error) {
    throw toFileProblem(error, task.file)
  }
}

type FileRun = ImportFileTask & RowRun

const rowsOf = (task: FileRun): AsyncIterable<FileRow> =>
  task.format.read(task.file, columns => {
    for (const column of columns) task.columnOf(column)
  })

// All rows in one transaction

class Undone extends Error {}

const importAtOnce = async (context: Context, task: FileRun): Promise<ImportedCounts> => {
  let progress = noProgress()
  let reported: ImportEvent[] = []
  const began = performance.now()
  const isLate = () => performance.now() - began > (task.maxSecondsAtOnce ?? Number.POSITIVE_INFINITY) * 1000
  const prepared = await prepareAll(context, task, isLate)
  try {
    await inTransaction(context, async inside => {
      // The database may ask for the work again.
      progress = noProgress()
      reported = []
      for await (const row of rowsOf(task)) {
        task.signal?.throwIfAborted()
        const late = isLate()
        if (late || rowsIn(progress) === task.maxRowsAtOnce) {
          reported.push(beyondLimit(task, progress, late))
          break
        }
        progress.line = row.line
        const found = { row, prepared: prepared[rowsIn(progress)] ?? unprepared }
        if (await tryRow(inside, found, { task, progress, report: event => reported.push(event) })) continue
        const why = 'the database has ended the transaction'
        reported.push({ kind: 'unchecked', line: row.line, why })
        break
      }
      if (task.isDryRun || progress.counts.refused > 0) throw new Undone()
    })
  } catch (error) {
    if (progress.counts.refused === 0 && !(error instanceof Undone)) throw error
  }
  for (const event of reported) task.report(event)
  const { refused } = progress.counts
  return task.isDryRun || refused === 0 ? progress.counts : { ...noProgress().counts, refused }
}

const unprepared: PreparedCells = new Map()

/** The slow work of each row in turn, before the transaction: other writers may wait for that. */
const prepareAll = async (context: Context, task: FileRun, isLate: () => boolean): Promise<PreparedCells[]> => {
  const all: PreparedCells[] = []
  if (!needsPreparation(task)) return all
  for await (const row of rowsOf(task)) {
    task.signal?.throwIfAborted()
    if (isLate() || all.length === task.maxRowsAtOnce) break
    all.push((await prepareRow(context, row, task)).prepared)
  }
  return all
}

/** A dry run ends here; an import that is all or nothing cannot be begun. */
const beyondLimit = (task: ImportFileTask, { line }: Progress, isLate: boolean): ImportEvent => {
  const { isDryRun, maxRowsAtOnce, maxSecondsAtOnce } = task
  if (isDryRun) {
    const limit = isLate ? `takes at most ${maxSecondsAtOnce} seconds` : `checks at most ${maxRowsAtOnce} rows`
    return { kind: 'unchecked', line, why: `a dry run ${limit}` }
  }
  throw new Problem(
    'bad_request',
    isLate
      ? `The import took more than ${maxSecondsAtOnce} seconds, too long for an import that is all or nothing.`
      : `The file has more than ${maxRowsAtOnce} rows, too many for an import that is all or nothing.`,
  )
}

interface Attempt {
  readonly task: FileRun
  readonly progress: Progress
  readonly report: (event: ImportEvent) => void
}

/** False when the transaction cannot go on. */
const tryRow = async (inside: Inside, found: PreparedRow, { task, progress, report }: Attempt): Promise<boolean> => {
  try {
    progress.counts[await importRow(inside, found, task)] += 1
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    progress.counts.refused += 1
    report({ kind: 'refused', line: found.row.line, problem: error })
    // Refused by a constraint of the database, and not by a check before.
    return error.cause === undefined
  }
}

const isRefusal = (error: unknown): error is Problem => error instanceof Problem && error.status < 500

// Rows in small transactions, each with the progress

/** Rows that share a transaction: reaching the disk is what costs. */
const batchSize = 100
const reportedEvery = 1000

const importInBatches = async (context: Context, task: FileRun): Promise<ImportedCounts> => {
  const { platform } = context
  const key = await importKey(context, task)
  const earlier = await platform.records.first(unfinishedImports, { pk: key })
  const progress = noProgress()
  if (earlier) {
    const { line, created, changed, unchanged, refused } = earlier
    Object.assign(progress, { line, counts: { created, changed, unchanged, refused } })
    task.report({ kind: 'resumed', line })
  }
  const run: BatchRun = { context, task, key, progress }
  let [skipped, batch]: [number, PreparedRow[]] = [rowsIn(progress), []]
  for await (const row of rowsOf(task)) {
    if (skipped > 0) {
      skipped -= 1
      continue
    }
    task.signal?.throwIfAborted()
    batch.push(await prepareRow(context, row, task))
    if (batch.length < batchSize) continue
    await importBatch(run, batch)
    batch = []
    const done = rowsIn(progress)
    if (done % reportedEvery === 0) task.report({ kind: 'progress', rows: done })
  }
  if (batch.length > 0) await importBatch(run, batch)
  await platform.records.removeWhere(unfinishedImports, { pk: key })
  return progress.counts
}

interface BatchRun {
  readonly context: Context
  readonly task: FileRun
  readonly key: string
  readonly progress: Progress
}

/** All rows together; when one is refused, each half of them, until only the refused row is left out. */
const importBatch = async (run: BatchRun, batch: readonly PreparedRow[]): Promise<void> => {
  const { context, task, key, progress } = run
  const last = batch.at(-1)?.row
  if (!last) return
  let counts = progress.counts
  try {
    await inTransaction(context, async inside => {
      counts = { ...progress.counts }
      for (const outcome of await importRows(inside, batch, task)) counts[outcome] += 1
      await recordsIn(inside.tx).put(unfinishedImports, { pk: key, line: last.line, ...counts })
    })
    Object.assign(progress, { counts, line: last.line })
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (batch.length > 1) {
      const middle = batch.length >> 1
      await importBatch(run, batch.slice(0, middle))
      await importBatch(run, batch.slice(middle))
      return
    }
    progress.counts.refused += 1
    task.report({ kind: 'refused', line: last.line, problem: error })
  }
}

/** Of the content of the file, of what is done with it, and of who does it. */
const importKey = async ({ caller }: Context, task: ImportFileTask): Promise<string> => {
  const { file, resource, mode, key, mapping } = task
  const hash = createHash('sha256').update(JSON.stringify([resource.name, mode, key, [...mapping], caller.pk]))
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest('hex')
}

// How an import is asked for, on the command line and over HTTP alike.

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

/** By default `upsert` with a key, and `create` without. */
export const readMode = (given: string | null | undefined, key: readonly string[]): ImportMode => {
  const mode = importModes.find(one => one === (given ?? (key.length > 0 ? 'upsert' : 'create')))
  if (!mode) throw new Problem('bad_request', `The mode is one of: ${importModes.join(', ')}.`)
  if (mode !== 'create' && key.length === 0)
    throw new Problem('bad_request', `The mode ${mode} needs a key: the fields that identify the record of a row.`)
  return mode
}
