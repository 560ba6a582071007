// An import that is all or nothing. First the whole file is checked, while others write. Then one transaction writes all rows: no one sees
// some of them, and where the database has a single writer, others wait for it no longer than a limit.

import type { FileRow } from '../../core/formats/files/file-format.ts'
import { Problem } from '../../core/problem.ts'
import { inTransaction } from '../../core/records/context.ts'
import type { Context, TransactionContext } from '../../core/rest/context.ts'
import { checkFile } from './check-file.ts'
import { countResults, isRefusal, toRefusal } from './import-batch.ts'
import { importRow, importRows, type PreparedCells, type PreparedRow, type RowOutcome } from './import-row.ts'
import { createProgress, type FileRun, type ImportedCounts, noCounts, rowsOf } from './import-task.ts'

export const importWhole = async (context: Context, task: FileRun): Promise<ImportedCounts> => {
  const { counts, isComplete, total, prepared } = await checkFile(context, task, {
    onTotal: rows => mustBeFew(task, rows),
  })
  if (counts.refused > 0) return { ...noCounts(), refused: counts.refused }
  if (!isComplete) throw new Problem('bad_request', `The file could not be checked as a whole. ${remedy}`)
  const run: WholeRun = { context, task, prepared, total }
  const first = await writeAll(run, null)
  // One row after the other where some were refused together: their faults then name the row.
  const second = first instanceof Refused && !first.row ? await writeAll(run, first.from) : first
  if (!(second instanceof Refused)) return second
  const { row, problem } = second
  task.report(toRefusal(task, row ?? { line: 0, cells: {}, cellsAre: 'text' }, problem))
  return { ...noCounts(), refused: 1 }
}

const remedy =
  'Check the file and import it without all or nothing: an import that was cut off goes on when it is started again.'

const mustBeFew = ({ maxRowsAtOnce = Number.POSITIVE_INFINITY }: FileRun, rows: number): void => {
  if (rows <= maxRowsAtOnce) return
  throw new Problem(
    'bad_request',
    `The file has ${rows} rows; an import that is all or nothing takes at most ${maxRowsAtOnce} (app.exchange.maxRowsAtOnce). ${remedy}`,
  )
}

interface WholeRun {
  readonly context: Context
  readonly task: FileRun
  readonly prepared: readonly PreparedCells[]
  readonly total: number
}

/** Rows that passed the check and were refused now: others have changed records in between, or a hook looks at many rows. */
class Refused extends Error {
  readonly problem: Problem
  /** The ordinal of the first of the rows. */
  readonly from: number
  /** The row itself, where it is known. */
  readonly row: FileRow | null

  constructor(problem: Problem, from: number, row: FileRow | null) {
    super(problem.plainMessage)
    this.problem = problem
    this.from = from
    this.row = row
  }
}

const batchSize = 100

/** `alone`: the ordinal of the first of the rows that are written one by one. */
const writeAll = async (run: WholeRun, alone: number | null): Promise<ImportedCounts | Refused> => {
  try {
    return await inTransaction(run.context, transaction => writeIn(transaction, run, alone), { isLong: true })
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

const writeIn = async (
  transaction: TransactionContext,
  run: WholeRun,
  alone: number | null,
): Promise<ImportedCounts> => {
  const { task, prepared, total } = run
  const reportProgress = createProgress(task, 'write', total)
  const mustBeInTime = createDeadline(run)
  let counts: ImportedCounts = noCounts()
  let [batch, read]: [PreparedRow[], number] = [[], 0]
  const write = async (): Promise<void> => {
    const [rows, from] = [batch, read - batch.length]
    batch = []
    counts = countResults(
      counts,
      await (from === alone ? writeAlone : writeTogether)(transaction, { rows, from, task }),
    )
    reportProgress(read)
  }
  for await (const row of rowsOf(task)) {
    await task.pause()
    task.signal?.throwIfAborted()
    mustBeInTime()
    batch.push({ row, prepared: prepared[read] ?? unprepared })
    read += 1
    if (batch.length === batchSize) await write()
  }
  await write()
  return counts
}

const unprepared: PreparedCells = new Map()

interface WrittenRows {
  readonly rows: readonly PreparedRow[]
  readonly from: number
  readonly task: FileRun
}

const writeTogether = async (
  transaction: TransactionContext,
  { rows, from, task }: WrittenRows,
): Promise<readonly RowOutcome[]> => {
  try {
    return await importRows(transaction, rows, task)
  } catch (error) {
    throw isRefusal(error) ? new Refused(error, from, null) : error
  }
}

const writeAlone = async (
  transaction: TransactionContext,
  { rows, from, task }: WrittenRows,
): Promise<readonly RowOutcome[]> => {
  const outcomes: RowOutcome[] = []
  for (const prepared of rows)
    try {
      outcomes.push(await importRow(transaction, prepared, task))
      await task.pause()
    } catch (error) {
      throw isRefusal(error) ? new Refused(error, from, prepared.row) : error
    }
  return outcomes
}

/** Makes the deadline of an import, since others wait to write from now on where there is one writer. */
const createDeadline = ({ context, task }: WholeRun): (() => void) => {
  const { maxSecondsAtOnce } = task
  if (maxSecondsAtOnce === undefined || !context.platform.store.isEmbedded) return () => {}
  const end = performance.now() + maxSecondsAtOnce * 1000
  return () => {
    if (performance.now() <= end) return
    throw new Problem(
      'bad_request',
      `Writing all rows at once took more than ${maxSecondsAtOnce} seconds (app.exchange.maxSecondsAtOnce), and others cannot write during that time. Nothing was imported. ${remedy}`,
    )
  }
}
