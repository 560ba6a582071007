// The first rows of a file and the fields that its columns can go to: for a person who prepares an import.

import { titleOf } from '../../core/describe/names.ts'
import type { FileFormat, FileRow } from '../../core/formats/files/index.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Context } from '../../core/rest/platform.ts'
import { columnFor } from './import-columns.ts'

export interface FilePreview {
  readonly columns: readonly { readonly header: string; readonly field: string | null }[]
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[]
}

interface PreviewTask {
  readonly path: string
  readonly format: FileFormat
  readonly resource: Resource
  readonly language: string
}

const previewedRows = 10

export const previewFile = async (context: Context, task: PreviewTask): Promise<FilePreview> => {
  const headers = new Set<string>()
  const rows: FileRow[] = []
  const found = task.format.read(task.path, columns => {
    for (const column of columns) headers.add(column)
  })
  for await (const row of found) {
    for (const header of Object.keys(row.cells)) headers.add(header)
    rows.push(row)
    if (rows.length === previewedRows) break
  }
  return {
    columns: [...headers].map(header => ({ header, field: fieldFor(context, task, header) })),
    rows: rows.map(({ line, cells }) => ({ line, cells: [...headers].map(header => toText(cells[header])) })),
  }
}

const toText = (cell: unknown): string => {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

const normalised = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}.]/gu, '')

/** The field of the same name or title; null when there is none. */
const fieldFor = (context: Context, { resource, language }: PreviewTask, header: string): string | null => {
  const members = [...context.visibility.view(resource).members.values()]
  const wanted = normalised(header)
  const same = members.find(
    member => normalised(member.name) === wanted || normalised(titleOf(member, language)) === wanted,
  )
  const field = same?.name ?? header
  try {
    const mapping = new Map([[header, field]])
    return columnFor(context, { resource, mapping }, header) ? field : null
  } catch {
    return null
  }
}
