// Imports of files by the service: the preview of a file, the check of its rows, and the import itself with its progress.

import type { ProblemFault } from '@plinth/client'
import { request } from '../../api/client.ts'

export interface ImportPreview {
  readonly columns: readonly { readonly header: string; readonly field: string | null }[]
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[]
}

type RefusedFault = ProblemFault & {
  /** The field; null when the row as a whole is refused. */
  readonly member: string | null
}

export interface RefusedRow {
  readonly line: number
  readonly message: string
  readonly errors: readonly (RefusedFault & {
    /** The column of the file. */
    readonly column: string | null
  })[]
  /** The cells by column. */
  readonly cells: Readonly<Record<string, unknown>>
}

export type RefusalReason = RefusedFault & {
  readonly count: number
  readonly line: number
  readonly values: readonly string[]
}

export interface ImportResult {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
  readonly dryRun: boolean
  readonly resumedBehind: number | null
  readonly uncheckedBehind: number | null
  readonly reasons: readonly RefusalReason[]
  readonly rows: readonly RefusedRow[]
}

export interface ImportOptions {
  readonly resource: string
  readonly file: File
  /** Columns of the file to fields; empty for those that are left out. */
  readonly mapping: Readonly<Record<string, string>>
  /** The field that identifies the record of a row; null makes each row a new record. */
  readonly key: string | null
  readonly allOrNothing: boolean
}

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export const acceptedFiles = Object.keys(types)
  .map(ending => `.${ending}`)
  .join()

const headersFor = ({ name }: File, accept: string): Record<string, string> => ({
  'Content-Type': types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/csv',
  Accept: accept,
})

const pathOf = (resource: string): string => `/api/import/${encodeURIComponent(resource)}`

export const previewImport = async (resource: string, file: File): Promise<ImportPreview> => {
  const headers = headersFor(file, 'application/json')
  return (await request<ImportPreview>(`${pathOf(resource)}/preview`, { method: 'POST', body: file, headers })).body
}

const queryOf = ({ mapping, key, allOrNothing }: ImportOptions, dryRun: boolean): URLSearchParams => {
  const query = new URLSearchParams({ dryRun: String(dryRun), allOrNothing: String(allOrNothing) })
  if (key !== null) query.set('key', key)
  for (const [header, field] of Object.entries(mapping)) query.append('map', `${header}=${field}`)
  return query
}

export interface ImportProgress {
  readonly step: 'check' | 'write'
  readonly rows: number
  /** The number of rows in the whole file; null while it is not known. */
  readonly of: number | null
}

interface ImportLine extends Partial<Omit<ImportProgress, 'rows'>> {
  readonly progress?: number
  readonly refused?: RefusedRow
  readonly result?: ImportResult
  readonly error?: { readonly status: number; readonly code: string; readonly message: string }
}

const maxRows = 1000

/** Reads the lines as they come, and gives the last one as the answer. */
const reading =
  (onProgress: (progress: ImportProgress) => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.ok || !response.body) return response
    const rows: RefusedRow[] = []
    let [last, rest]: [ImportLine, string] = [{}, '']
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + piece.value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        last = JSON.parse(line) as ImportLine
        const { progress, step = 'write', of = null } = last
        if (progress !== undefined) onProgress({ rows: progress, step, of })
        if (last.refused && rows.length < maxRows) rows.push(last.refused)
      }
    }
    const { error, result } = last
    const [type, body] = error
      ? ['application/problem+json', { ...error, title: error.message, detail: error.message, type: 'about:blank' }]
      : ['application/json', { ...result, rows }]
    return new Response(JSON.stringify(body), { status: error?.status ?? 200, headers: { 'Content-Type': type } })
  }

interface RunOptions {
  /** Checks the rows and writes nothing. */
  readonly dryRun: boolean
  readonly signal: AbortSignal
  readonly onProgress: (progress: ImportProgress) => void
}

export const runImport = async (
  options: ImportOptions,
  { dryRun, signal, onProgress }: RunOptions,
): Promise<ImportResult> => {
  const headers = headersFor(options.file, 'application/x-ndjson')
  const path = `${pathOf(options.resource)}?${queryOf(options, dryRun)}`
  const sent = { method: 'POST', body: options.file, headers, signal, fetch: reading(onProgress) } as const
  return (await request<ImportResult>(path, sent)).body
}
