// `plinth import films FILE.csv` imports a catalogue row by row. Running it again changes nothing more.

import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { type Caller, type Command, Problem } from 'plinth'
import { contextFor, errorCode, inTransaction, type Platform, recordsWithin } from 'plinth/module'
import { type FilmRow, filmColumns, importRow } from './import-row.ts'

export type ImportCounts = Record<'created' | 'changed' | 'unchanged' | 'refused', number>

export interface ImportTask {
  readonly file: string
  /** Is called with the progress and with every row that is refused. */
  readonly report: (line: string) => void
}

interface NumberedRow {
  readonly line: number
  readonly row: FilmRow
  /** Says that the row has more or fewer cells than there are columns, so cells cannot be assigned to columns. */
  readonly isUneven: boolean
}

/** The caller of the command, who may do everything and is no user. */
const importer: Caller = { pk: null, username: 'import', roles: new Set(['ROLE_ADMIN']) }

/** Rows that share a transaction: reaching the disk is what costs. */
const batchSize = 100
const reportEvery = 10

export const importFilms = async (platform: Platform, { file, report }: ImportTask): Promise<ImportCounts> => {
  const counts: ImportCounts = { created: 0, changed: 0, unchanged: 0, refused: 0 }
  let batches = 0
  for await (const batch of batchesOf(readRows(file))) {
    await importBatch(platform, batch, { counts, report })
    batches++
    if (batches % reportEvery === 0) report(`${batches * batchSize} rows`)
  }
  return counts
}

interface Progress {
  readonly counts: ImportCounts
  readonly report: (line: string) => void
}

/** All rows at once; when one is invalid, each alone, so that only that one is left out. */
const importBatch = async (platform: Platform, batch: readonly NumberedRow[], progress: Progress): Promise<void> => {
  const together = async (rows: readonly NumberedRow[]) =>
    inTransaction(contextFor(platform, importer), async transaction => {
      const records = recordsWithin(transaction)
      const outcomes: Awaited<ReturnType<typeof importRow>>[] = []
      for (const { row, isUneven } of rows) {
        if (isUneven) throw new Problem('bad_request', 'the row has more or fewer cells than columns')
        outcomes.push(await importRow({ ...transaction, records }, row))
      }
      return outcomes
    })
  const { counts, report } = progress
  try {
    for (const outcome of await together(batch)) counts[outcome]++
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const [only] = batch
    if (batch.length > 1 || !only) {
      for (const one of batch) await importBatch(platform, [one], progress)
      return
    }
    counts.refused++
    report(`line ${only.line}: ${inWords(error)}`)
  }
}

const inWords = ({ message, details }: Problem): string =>
  details.errors?.map(fault => [fault.member, fault.message].filter(Boolean).join(' ')).join('; ') || message

interface RowInfo {
  readonly lines: number
  readonly error?: Error
}

async function* readRows(file: string): AsyncGenerator<NumberedRow> {
  const parser = parse({
    bom: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    info: true,
    columns: checkedColumns,
  })
  // A file that cannot be read ends the parser with the reason, and that the loop below.
  pipeline(createReadStream(file), parser, () => {})
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: FilmRow; info: RowInfo }>)
      yield { line: info.lines, row: record, isUneven: info.error !== undefined }
  } catch (error) {
    // The reader's own faults say what is wrong with the file, and where.
    if (error instanceof Error && errorCode(error).startsWith('CSV_')) throw new Problem('bad_request', error.message)
    const refused = errorCode(error)
    if (refused in unreadable) throw new Problem('bad_request', `${file} ${unreadable[refused]}.`)
    throw error
  }
}

/** What the operating system says of a file, in words. */
const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read: permission denied',
}

const checkedColumns = (header: readonly string[]): string[] => {
  const known: readonly string[] = filmColumns
  const unknown = header.filter(column => !known.includes(column))
  if (unknown.length > 0 || !header.includes('title'))
    throw new Problem(
      'bad_request',
      `The first line must contain the column names, including title. Known: ${filmColumns.join(', ')}.${unknown.length > 0 ? ` Unknown: ${unknown.join(', ')}.` : ''}`,
    )
  return [...header]
}

async function* batchesOf(rows: AsyncIterable<NumberedRow>): AsyncGenerator<readonly NumberedRow[]> {
  let batch: NumberedRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

export const rentalCommands: readonly Command[] = [
  {
    name: 'import films',
    about: 'import films with their actors, categories and copies from a CSV file',
    arguments: [{ name: '<file>' }],
    run: ({ print, printProgress, withPlatform }, file = '') =>
      withPlatform(async platform => {
        if (!platform.registry.has('films'))
          throw new Problem('conflict', 'The rental module is disabled: see app.modules.')
        const { created, changed, unchanged, refused } = await importFilms(platform, { file, report: printProgress })
        print(`${created} films created, ${changed} changed, ${unchanged} unchanged, ${refused} refused.`)
        if (refused > 0) throw new Problem('invalid', 'Not all rows could be imported.')
      }),
  },
]
