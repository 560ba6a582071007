// What an import over HTTP answers: counts and refused rows, at once or as they come.

import { boolean, integer, json, text } from '../../core/model/fields.ts'
import type { JsonMembers } from '../../core/model/json.ts'
import { defineShape, list, object, optional, type ShapeValue } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import type { ImportEvent, ImportedCounts, RowRefusal } from './import-task.ts'
import { englishWords, faultsOf, type ImportWords, RefusalReasons } from './refusal-reasons.ts'

const must = { required: true } as const

const refusedRow = defineShape('RefusedRow', {
  line: integer(must),
  message: text(must),
  errors: list(
    object({
      member: text({ about: 'The field; null when the row as a whole is refused.' }),
      column: text({ about: 'The column of the file that the field comes from; null when there is none.' }),
      code: text(must),
      message: text(must),
      params: optional(json({ about: 'What the message is made of, beside the code.' })),
    }),
    must,
  ),
  cells: json({ ...must, about: 'The cells of the row, by column.' }),
})

const refusalReason = defineShape('RefusalReason', {
  member: text({ about: 'The field; null when rows as a whole are refused.' }),
  code: text(must),
  message: text(must),
  params: optional(json({ about: 'What the message is made of, beside the code.' })),
  count: integer({ ...must, about: 'How many rows are refused for this reason.' }),
  line: integer({ ...must, about: 'The line of the first of them.' }),
  values: list(text(must), { ...must, about: 'Up to five different values of these rows.' }),
})

export const importResult = defineShape('ImportResult', {
  created: integer(must),
  changed: integer(must),
  unchanged: integer(must),
  refused: integer(must),
  dryRun: boolean({ ...must, about: 'Nothing was written.' }),
  resumedBehind: integer({ about: 'The line behind which an earlier import of the file was continued.' }),
  uncheckedBehind: integer({ about: 'The line behind which rows were not checked, because a limit was reached.' }),
  uncheckedWhy: text({ about: 'The limit that was reached.' }),
  ignoredColumns: list(text(must), { ...must, about: 'Columns of fields that only the service writes.' }),
  reasons: list(object(refusalReason), {
    ...must,
    about: 'Why rows were refused, the most frequent reason first; at most 100 reasons.',
  }),
  rows: list(object(refusedRow), { ...must, about: 'The first 1,000 rows that were refused.' }),
})

type RefusedRow = ShapeValue<typeof refusedRow.fields>
type ImportResult = ShapeValue<typeof importResult.fields>

const maxRows = 1000

/** The most milliseconds between two lines of a stream. */
const heartbeatMs = 15_000

const toRow = (refusal: RowRefusal, words: ImportWords): RefusedRow => ({
  line: refusal.row.line,
  message: words.problem(refusal.problem),
  errors: [...faultsOf(refusal, words)],
  cells: refusal.row.cells as JsonMembers,
})

interface ImportLog {
  add(event: ImportEvent): void
  result(counts: ImportedCounts): ImportResult
  /** Runs the work and gives its events as lines of JSON; `end` is called whatever happens. */
  stream(
    work: (report: (event: ImportEvent) => void) => Promise<ImportedCounts>,
    end: () => Promise<void>,
  ): AsyncIterable<string>
}

export const createImportLog = (dryRun: boolean, words: ImportWords = englishWords): ImportLog => {
  const rows: RefusedRow[] = []
  const reasons = new RefusalReasons(words)
  const ignoredColumns: string[] = []
  let [resumedBehind, uncheckedBehind]: [number | null, number | null] = [null, null]
  let uncheckedWhy: string | null = null
  const add = (event: ImportEvent): void => {
    if (event.kind === 'refused') {
      reasons.add(event)
      if (rows.length < maxRows) rows.push(toRow(event, words))
    }
    if (event.kind === 'ignored') ignoredColumns.push(event.column)
    if (event.kind === 'resumed') resumedBehind = event.line
    if (event.kind === 'unchecked') [uncheckedBehind, uncheckedWhy] = [event.line, event.why]
  }
  const result = (counts: ImportedCounts): ImportResult => ({
    ...counts,
    dryRun,
    resumedBehind,
    uncheckedBehind,
    uncheckedWhy,
    ignoredColumns,
    reasons: reasons.list(),
    rows,
  })
  return {
    add,
    result,
    async *stream(work, end) {
      const lines: object[] = []
      let wake = (): void => {}
      const push = (line: object): void => {
        lines.push(line)
        wake()
      }
      let [isDone, listed] = [false, 0]
      let progress: object = { progress: 0, step: dryRun ? 'check' : 'write', of: null }
      const working = work(event => {
        add(event)
        if (event.kind === 'progress') {
          progress = { progress: event.rows, step: event.step, of: event.of }
          push(progress)
        }
        if (event.kind !== 'refused' || listed === maxRows) return
        listed += 1
        push({ refused: toRow(event, words) })
      })
        .then(
          counts => push({ result: { ...result(counts), rows: [] } }),
          (error: unknown) => push({ error: toError(error, words) }),
        )
        .finally(() => {
          isDone = true
          wake()
        })
      try {
        while (!isDone || lines.length > 0) {
          const some = lines.splice(0)
          if (some.length > 0) yield some.map(line => `${JSON.stringify(line)}\n`).join('')
          else
            await new Promise<void>(resolve => {
              // A connection without a byte for two minutes is closed.
              const late = setTimeout(() => push(progress), heartbeatMs)
              wake = () => {
                clearTimeout(late)
                resolve()
              }
            })
        }
      } finally {
        await working
        await end()
      }
    },
  }
}

/** The status was sent long ago. What is no problem is shown without internals. */
const toError = (error: unknown, words: ImportWords): object => {
  const problem = error instanceof Problem ? error : new Problem('internal')
  return { status: problem.status, code: problem.code, message: words.problem(problem) }
}
