// Imports a file row by row. Invalid rows are reported with their lines and left out; or nothing is imported at all.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { assigned, defineResource } from '../../core/model/define.ts'
import { integer } from '../../core/model/fields.ts'
import { Problem } from '../../core/problem.ts'
import { inTransaction } from '../../core/records/context.ts'
import { recordsIn } from '../../core/records/records.ts'
import { contextFor, type Inside, type Platform } from '../../core/rest/platform.ts'
import { commandLine } from './export-records.ts'
import { type FileFormat, type FileRow, toFileProblem } from './file-formats.ts'
import { columnFor, importRow, type RowOutcome, type RowTask } from './import-row.ts'

export type ImportedCounts = Readonly<Record<RowOutcome | 'refused', number>>

export interface ImportFileTask extends RowTask {
  readonly file: string
  readonly format: FileFormat
  /** Every row or none. */
  readonly isAtomic: boolean
  /** Checks every row and writes nothing. */
  readonly isDryRun: boolean
  /** A line for each row that is refused, and progress. */
  readonly report: (line: string) => void
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

export const importFile = async (platform: Platform, task: ImportFileTask): Promise<ImportedCounts> => {
  try {
    for (const name of task.key) columnFor(task, name)
    return await (task.isAtomic || task.isDryRun ? importAtOnce(platform, task) : importInBatches(platform, task))
  } catch (error) {
    throw toFileProblem(error, task.file)
  }
}

const rowsOf = (task: ImportFileTask): AsyncIterable<FileRow> =>
  task.format.read(task.file, columns => {
    for (const column of columns) columnFor(task, column)
  })

// All rows in one transaction

class Undone extends Error {}

const importAtOnce = async (platform: Platform, task: ImportFileTask): Promise<ImportedCounts> => {
  let progress = noProgress()
  let reported: string[] = []
  try {
    await inTransaction(contextFor(platform, commandLine), async inside => {
      // The database may ask for the work again.
      progress = noProgress()
      reported = []
      for await (const row of rowsOf(task)) {
        if (await tryRow(inside, row, { task, progress, report: line => reported.push(line) })) continue
        reported.push('The rows after this one were not checked: the database has ended the transaction.')
        break
      }
      if (task.isDryRun || progress.counts.refused > 0) throw new Undone()
    })
  } catch (error) {
    if (progress.counts.refused === 0 && !(error instanceof Undone)) throw error
  }
  for (const line of reported) task.report(line)
  const { refused } = progress.counts
  return task.isDryRun || refused === 0 ? progress.counts : { ...noProgress().counts, refused }
}

interface Attempt {
  readonly task: ImportFileTask
  readonly progress: Progress
  readonly report: (line: string) => void
}

/** False when the transaction cannot go on. */
const tryRow = async (inside: Inside, row: FileRow, { task, progress, report }: Attempt): Promise<boolean> => {
  try {
    progress.counts[await importRow(inside, row, task)] += 1
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    progress.counts.refused += 1
    report(`line ${row.line}: ${inWords(error)}`)
    // Refused by a constraint of the database, and not by a check before.
    return error.cause === undefined
  }
}

const isRefusal = (error: unknown): error is Problem => error instanceof Problem && error.status < 500

const inWords = ({ message, details }: Problem): string =>
  details.errors?.map(({ member, message }) => [member, message].filter(Boolean).join(' ')).join('; ') || message

// Rows in small transactions, each with the progress

/** Rows that share a transaction: reaching the disk is what costs. */
const batchSize = 100
const reportedEvery = 5000

const importInBatches = async (platform: Platform, task: ImportFileTask): Promise<ImportedCounts> => {
  const key = await importKey(task)
  const earlier = await platform.records.first(unfinishedImports, { pk: key })
  const progress = noProgress()
  if (earlier) {
    const { line, created, changed, unchanged, refused } = earlier
    Object.assign(progress, { line, counts: { created, changed, unchanged, refused } })
    task.report(`An earlier import of this file was cut off: going on behind line ${line}.`)
  }
  const run: BatchRun = { platform, task, key, progress }
  let [skipped, batch]: [number, FileRow[]] = [rowsIn(progress), []]
  for await (const row of rowsOf(task)) {
    if (skipped > 0) {
      skipped -= 1
      continue
    }
    batch.push(row)
    if (batch.length < batchSize) continue
    await importBatch(run, batch)
    batch = []
    const done = rowsIn(progress)
    if (done % reportedEvery === 0) task.report(`${done} rows`)
  }
  if (batch.length > 0) await importBatch(run, batch)
  await platform.records.removeWhere(unfinishedImports, { pk: key })
  return progress.counts
}

interface BatchRun {
  readonly platform: Platform
  readonly task: ImportFileTask
  readonly key: string
  readonly progress: Progress
}

/** All rows together; when one is refused, each alone, so that only that one is left out. */
const importBatch = async (run: BatchRun, batch: readonly FileRow[]): Promise<void> => {
  const { platform, task, key, progress } = run
  const last = batch.at(-1)
  if (!last) return
  let counts = progress.counts
  try {
    await inTransaction(contextFor(platform, commandLine), async inside => {
      counts = { ...progress.counts }
      for (const row of batch) counts[await importRow(inside, row, task)] += 1
      await recordsIn(inside.tx).put(unfinishedImports, { pk: key, line: last.line, ...counts })
    })
    Object.assign(progress, { counts, line: last.line })
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (batch.length > 1) {
      for (const row of batch) await importBatch(run, [row])
      return
    }
    progress.counts.refused += 1
    task.report(`line ${last.line}: ${inWords(error)}`)
  }
}

/** Of the content of the file and of what is done with it. */
const importKey = async ({ file, resource, mode, key, mapping }: ImportFileTask): Promise<string> => {
  const hash = createHash('sha256').update(JSON.stringify([resource.name, mode, key, [...mapping]]))
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest('hex')
}
