// What an import over HTTP answers: counts and refused rows, at once or as they come.

import { boolean, integer, json, text } from '../../core/model/fields.ts'
import { defineShape, list, object, optional, type ShapeValue } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import type { ImportEvent, ImportedCounts } from './import-records.ts'

const must = { required: true } as const

const refusedRow = defineShape('RefusedRow', {
  line: integer(must),
  message: text(must),
  errors: list(
    object({
      member: text({ about: 'The field or column; null when the row as a whole is refused.' }),
      code: text(must),
      message: text(must),
      params: optional(json({ about: 'What the message is made of, beside the code.' })),
    }),
    must,
  ),
})

export const importResult = defineShape('ImportResult', {
  created: integer(must),
  changed: integer(must),
  unchanged: integer(must),
  refused: integer(must),
  dryRun: boolean({ ...must, about: 'Nothing was written.' }),
  resumedBehind: integer({ about: 'The line behind which an earlier import of the file was continued.' }),
  uncheckedBehind: integer({ about: 'The line behind which rows were not checked.' }),
  ignoredColumns: list(text(must), { ...must, about: 'Columns of fields that only the service writes.' }),
  rows: list(object(refusedRow), { ...must, about: 'The first 1,000 rows that were refused.' }),
})

type RefusedRow = ShapeValue<typeof refusedRow.fields>
type ImportResult = ShapeValue<typeof importResult.fields>

const maxRows = 1000

const toRow = (line: number, { code, message, details }: Problem): RefusedRow => ({
  line,
  message,
  errors: (details.errors ?? []).map(({ member = null, code: faultCode, message: text, params }) => ({
    member,
    code: faultCode ?? code,
    message: text ?? message,
    ...(params && { params }),
  })),
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

export const createImportLog = (dryRun: boolean): ImportLog => {
  const rows: RefusedRow[] = []
  const ignoredColumns: string[] = []
  let [resumedBehind, uncheckedBehind]: [number | null, number | null] = [null, null]
  const add = (event: ImportEvent): void => {
    if (event.kind === 'refused' && rows.length < maxRows) rows.push(toRow(event.line, event.problem))
    if (event.kind === 'ignored') ignoredColumns.push(event.column)
    if (event.kind === 'resumed') resumedBehind = event.line
    if (event.kind === 'unchecked') uncheckedBehind = event.line
  }
  const result = (counts: ImportedCounts): ImportResult => ({
    ...counts,
    dryRun,
    resumedBehind,
    uncheckedBehind,
    ignoredColumns,
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
      const working = work(event => {
        add(event)
        if (event.kind === 'progress') push({ progress: event.rows })
        if (event.kind !== 'refused' || listed === maxRows) return
        listed += 1
        push({ refused: toRow(event.line, event.problem) })
      })
        .then(
          counts => push({ result: { ...result(counts), rows: [] } }),
          (error: unknown) => push({ error: toError(error) }),
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
              wake = resolve
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
const toError = (error: unknown): object => {
  const { code, message, status } = error instanceof Problem ? error : new Problem('internal')
  return { status, code, message }
}
