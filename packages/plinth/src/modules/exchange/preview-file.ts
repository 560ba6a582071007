// The first rows of a file and the fields that its columns can go to: for a person who prepares an import.

import { titleOf } from '../../core/describe/names.ts'
import type { FileFormat, FileRow } from '../../core/formats/files/file-format.ts'
import { isPossiblePk } from '../../core/model/pk.ts'
import { both, everything, type Filter, toFilter } from '../../core/model/query.ts'
import type { Resource, ResourceField } from '../../core/model/resource.ts'
import type { Context } from '../../core/rest/context.ts'
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
  const columns: { header: string; field: string | null }[] = []
  for (const header of headers) {
    const examples = rows.map(({ cells }) => toText(cells[header])).filter(text => text !== '')
    columns.push({
      header,
      field: await withLabel(context, task, { field: fieldFor(context, task, header), examples }),
    })
  }
  return {
    columns,
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
  const fields = [...context.visibility.view(resource).fields.values()]
  const name = normalised(header)
  const same = fields.find(field => normalised(field.name) === name || normalised(titleOf(field, language)) === name)
  const path = same?.name ?? header
  try {
    const mapping = new Map([[header, path]])
    return columnFor(context, { resource, mapping }, header) ? path : null
  } catch {
    return null
  }
}

// References by key or by label. Both can look alike, so the records are asked.

interface Suggestion {
  readonly field: string | null
  /** Some values of the column. */
  readonly examples: readonly string[]
}

/** The label of the related record, where the examples are not its keys. */
const withLabel = async (context: Context, { resource }: PreviewTask, { field: path, examples }: Suggestion) => {
  const field = path === null ? undefined : resource.fields.get(path)
  const { target } = field ?? {}
  const label = target?.label
  if (field?.definition.role !== 'one' || !target || !label || examples.length === 0) return path
  if (!context.visibility.view(target).fields.has(label.name)) return path
  const keys = examples.filter(text => isPossiblePk(target, text))
  if (await isAnyThere(context, target.pk, keys)) return path
  const areLabels = keys.length < examples.length || (await isAnyThere(context, label, examples))
  return areLabels ? `${path}.${label.name}` : path
}

/** Is there a record that the caller may read with one of these values? */
const isAnyThere = async ({ platform, caller }: Context, field: ResourceField, values: readonly string[]) => {
  const { access, store } = platform
  const visible = access.decide(field.owner, 'read', caller)
  const isText = field.definition.role === 'value' && field.definition.type.column === 'text'
  if (values.length === 0 || visible === false || !isText) return false
  const filter: Filter = { op: 'in', path: { steps: [], field }, values: [...values] }
  const found = await store.find(field.owner, everything(field.owner, both(filter, toFilter(visible)), 1))
  return found.records.length > 0
}
