// Imports a file: rows in small transactions, each with the progress, so that an import that was cut off can go on.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { FileRow } from '../../core/formats/files/file-format.ts'
import { toFileProblem } from '../../core/formats/files/index.ts'
import { defineResource } from '../../core/model/define.ts'
import { integer } from '../../core/model/fields.ts'
import { assigned } from '../../core/model/identifier.ts'
import { createPause } from '../../core/pauses.ts'
import { inTransaction } from '../../core/records/context.ts'
import { recordsWithin } from '../../core/records/records.ts'
import type { Context } from '../../core/rest/context.ts'
import { checkFile } from './check-file.ts'
import { batchesOf, countResults, reportRefused, tryRows } from './import-batch.ts'
import { createColumns } from './import-columns.ts'
import type { PreparedRow } from './import-row.ts'
import {
  createProgress,
  type FileRun,
  type ImportedCounts,
  type ImportFileTask,
  noCounts,
  rowsIn,
  rowsOf,
} from './import-task.ts'
import { importWhole } from './import-whole.ts'

/** How far an import has come, written with the records themselves: one that was cut off goes on behind the last of them. */
export const unfinishedImports = defineResource('unfinishedImports', {
  about: 'Imports that were begun and not finished.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    /** The line for the message alone: rows may share one. */
    line: integer({ required: true }),
    created: integer({ required: true }),
    changed: integer({ required: true }),
    unchanged: integer({ required: true }),
    refused: integer({ required: true }),
  },
  access: {},
})

/** Imports a file with the permissions of the context. */
export const importFile = async (context: Context, task: ImportFileTask): Promise<ImportedCounts> => {
  try {
    const columnOf = createColumns(context, task, ({ header, field }) =>
      task.report({ kind: 'ignored', column: header, field: field.name }),
    )
    const run: FileRun = { ...task, columnOf, pause: createPause({ isAwaited: true }) }
    for (const name of task.key) columnOf(name)
    if (task.isDryRun) return (await checkFile(context, run)).counts
    return await (task.isAtomic ? importWhole(context, run) : importInBatches(context, run))
  } catch (error) {
    throw toFileProblem(error, task.file)
  }
}

const importInBatches = async (context: Context, task: FileRun): Promise<ImportedCounts> => {
  const { platform } = context
  const key = await importKey(context, task)
  const earlier = await platform.records.first(unfinishedImports, { where: { pk: key } })
  let counts: ImportedCounts = noCounts()
  if (earlier) {
    const { line, created, changed, unchanged, refused } = earlier
    counts = { created, changed, unchanged, refused }
    task.report({ kind: 'resumed', line })
  }
  const reportProgress = createProgress(task, 'write', null)
  for await (const batch of batchesOf(context, task, skipping(rowsIn(counts), task))) {
    counts = await importBatch({ context, task, key, counts }, batch)
    reportProgress(rowsIn(counts))
  }
  await platform.records.removeMany(unfinishedImports, { where: { pk: key } })
  return counts
}

async function* skipping(count: number, task: FileRun): AsyncGenerator<FileRow> {
  let skipped = 0
  for await (const row of rowsOf(task)) {
    if (skipped === count) yield row
    else {
      skipped += 1
      await task.pause()
    }
  }
}

interface BatchRun {
  readonly context: Context
  readonly task: FileRun
  readonly key: string
  readonly counts: ImportedCounts
}

const importBatch = async (run: BatchRun, rows: readonly PreparedRow[]): Promise<ImportedCounts> => {
  const { context, task, key } = run
  const { results, counts } = await inTransaction(context, async transaction => {
    const results = await tryRows(transaction, rows, task)
    const counts = countResults(run.counts, results)
    await recordsWithin(transaction).asService.upsert(unfinishedImports, {
      pk: key,
      line: rows.at(-1)?.row.line ?? 0,
      ...counts,
    })
    return { results, counts }
  })
  reportRefused(task, { rows, results })
  return counts
}

/** The key of the content of the file, of what is done with it, and of who does it. */
const importKey = async ({ caller }: Context, task: ImportFileTask): Promise<string> => {
  const { file, resource, mode, key, mapping } = task
  const hash = createHash('sha256').update(JSON.stringify([resource.name, mode, key, [...mapping], caller.pk]))
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest('hex')
}
