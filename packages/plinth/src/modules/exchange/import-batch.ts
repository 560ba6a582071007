// Rows that share a transaction: those that are refused are left out, and the others are written.

import { setTimeout as sleep } from 'node:timers/promises'
import type { FileRow } from '../../core/formats/files/file-format.ts'
import { Problem } from '../../core/problem.ts'
import type { Context, TransactionContext } from '../../core/rest/context.ts'
import type { RowRun } from './import-columns.ts'
import { importRows, type PreparedRow, prepareRow, type RowOutcome } from './import-row.ts'
import { type FileRun, type ImportEvent, type ImportedCounts, rowsOf } from './import-task.ts'

/** What became of a row: or why it is refused. */
export type RowResult = RowOutcome | Problem

export const isRefusal = (error: unknown): error is Problem => error instanceof Problem && error.status < 500

/** All rows together; when one is refused, each half of them, until only the refused row is left out. */
export const tryRows = async (
  transaction: TransactionContext,
  rows: readonly PreparedRow[],
  task: RowRun,
): Promise<readonly RowResult[]> => {
  if (rows.length === 0) return []
  await task.pause()
  try {
    return await transaction.tx.attempt(() => importRows(transaction, rows, task))
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (rows.length === 1) return [error]
  }
  const middle = rows.length >> 1
  const first = await tryRows(transaction, rows.slice(0, middle), task)
  return [...first, ...(await tryRows(transaction, rows.slice(middle), task))]
}

interface Batch {
  readonly rows: readonly PreparedRow[]
  readonly results: readonly RowResult[]
}

export const countResults = (counts: ImportedCounts, results: readonly RowResult[]): ImportedCounts => {
  const sums = { ...counts }
  for (const result of results) sums[result instanceof Problem ? 'refused' : result] += 1
  return sums
}

/** Reports refused rows once they are final: a transaction may run again. */
export const reportRefused = (task: FileRun, { rows, results }: Batch): void => {
  for (const [at, problem] of results.entries()) {
    const row = rows[at]?.row
    if (row && problem instanceof Problem) task.report(toRefusal(task, row, problem))
  }
}

export const toRefusal = (task: FileRun, row: FileRow, problem: Problem): ImportEvent => ({
  kind: 'refused',
  row,
  problem,
  columnOf: field => {
    const isFor = (header: string): boolean => header === field || task.columnOf(header)?.field.name === field
    return Object.keys(row.cells).find(isFor) ?? null
  },
})

// How many rows share a transaction. A commit takes about as long as the work on fifty rows.

interface BatchSizes {
  readonly least: number
  readonly most: number
  /** A batch that takes longer makes the next one smaller, in milliseconds. */
  readonly tooLong: number
  /** A batch that takes less makes the next one larger, in milliseconds. */
  readonly soShort: number
}

/** Batches of so few rows that those who wait to write hardly notice. */
const whileOthersWait: BatchSizes = { least: 20, most: 100, tooLong: 40, soShort: 15 }
/** Batches beside another process, which may wait to write and gets its turns in between. */
const besideAnother: BatchSizes = { least: 50, most: 500, tooLong: 100, soShort: 50 }
/** Batches where others wait at most for locks on single records. */
const besideLocks: BatchSizes = { least: 100, most: 1000, tooLong: 500, soShort: 200 }

const firstBatch = 100

const sizesFor = ({ platform: { store } }: Context, { restMs }: FileRun): BatchSizes => {
  if (!store.isEmbedded) return besideLocks
  return restMs === undefined ? whileOthersWait : besideAnother
}

/** Batches of rows, whose size follows from how long the work on those before took. */
export async function* batchesOf(
  context: Context,
  task: FileRun,
  rows: AsyncIterable<FileRow> = rowsOf(task),
): AsyncGenerator<readonly PreparedRow[]> {
  const { least, most, tooLong, soShort } = sizesFor(context, task)
  let [size, batch]: [number, PreparedRow[]] = [firstBatch, []]
  for await (const row of rows) {
    await task.pause()
    task.signal?.throwIfAborted()
    batch.push(await prepareRow(context, row, task))
    if (batch.length < size) continue
    const began = performance.now()
    yield batch
    const took = performance.now() - began
    if (took > tooLong) size = Math.max(least, size >> 1)
    else if (took < soShort) size = Math.min(most, 2 * size)
    batch = []
    if (task.restMs !== undefined) await sleep(task.restMs)
  }
  if (batch.length > 0) yield batch
}
