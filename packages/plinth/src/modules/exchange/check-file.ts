// Checks the rows of a file by writing them as an import would, and undoing it, in small transactions: no one waits for the whole file.
// A row finds the rows before it that it builds on, because they are written again before it. Hooks that look at further
// records do not find those of other batches.

import { Problem } from '../../core/problem.ts'
import { inTransaction } from '../../core/records/context.ts'
import type { Context, TransactionContext } from '../../core/rest/context.ts'
import { EarlierRows, type MarkedRow } from './earlier-rows.ts'
import { batchesOf, countResults, type RowResult, reportRefused, tryRows } from './import-batch.ts'
import { needsPreparation, type PreparedCells } from './import-row.ts'
import { createProgress, type FileRun, type ImportedCounts, noCounts, rowsIn } from './import-task.ts'

interface CheckedFile {
  /** What an import would do. */
  readonly counts: ImportedCounts
  /** No limit was reached. */
  readonly isComplete: boolean
  /** All rows of the file. */
  readonly total: number
  /** What slow work made of the rows, in their order; empty where there is none to do. */
  readonly prepared: readonly PreparedCells[]
}

interface CheckOptions {
  /** Throws when the file has so many rows that the work is not worth beginning. */
  readonly onTotal?: (total: number) => void
}

export const checkFile = async (
  context: Context,
  task: FileRun,
  { onTotal }: CheckOptions = {},
): Promise<CheckedFile> => {
  const earlier = await EarlierRows.of(task)
  const { total } = earlier
  onTotal?.(total)
  const reportProgress = createProgress(task, 'check', total)
  const prepared: PreparedCells[] = []
  let counts: ImportedCounts = noCounts()
  let line = 0
  try {
    for await (const batch of batchesOf(context, task)) {
      const results = await checkRows({ context, task, earlier }, earlier.mark(batch))
      reportRefused(task, { rows: batch, results })
      counts = countResults(counts, results)
      if (needsPreparation(task)) prepared.push(...batch.map(one => one.prepared))
      line = batch.at(-1)?.row.line ?? line
      reportProgress(rowsIn(counts))
    }
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
    task.report({ kind: 'unchecked', line, why: error.message })
  }
  return { counts, isComplete: rowsIn(counts) === total, total, prepared }
}

class LimitReached extends Error {}

interface CheckRun {
  readonly context: Context
  readonly task: FileRun
  readonly earlier: EarlierRows
}

const checkRows = async (run: CheckRun, rows: readonly MarkedRow[]): Promise<readonly RowResult[]> => {
  const { context, task, earlier } = run
  const needed = earlier.neededBy(rows)
  if (!needed) {
    if (rows.length === 1) throw new LimitReached('the next row builds on too many rows before it')
    const middle = rows.length >> 1
    const first = await checkRows(run, rows.slice(0, middle))
    return [...first, ...(await checkRows(run, rows.slice(middle)))]
  }
  if (earlier.isFull) throw new LimitReached('too many rows of the file build on one another')
  const results = await undone(context, async transaction => {
    await tryRows(transaction, needed, task)
    return tryRows(transaction, rows, task)
  })
  earlier.keep(rows.filter((_, at) => !(results[at] instanceof Problem)))
  return results
}

/** Carries what the work has found out of a transaction that is rolled back. */
class Undone<T> extends Error {
  readonly found: T

  constructor(found: T) {
    super('rolled back')
    this.found = found
  }
}

const undone = async <T>(context: Context, work: (transaction: TransactionContext) => Promise<T>): Promise<T> => {
  try {
    return await inTransaction(context, async transaction => {
      throw new Undone(await work(transaction))
    })
  } catch (error) {
    if (error instanceof Undone) return error.found
    throw error
  }
}
