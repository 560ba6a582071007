// The whole filtered list as a file: fetched page after page, or written by the service.

import type { Item } from '../../api/records.ts'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'
import { saveLink } from '../../common/save-file.ts'
import { findRows, pathOf, type RowList } from './use-rows.ts'

export type ExportFormat = 'csv' | 'json'

/** Writes a plain value, as programs read it; a spreadsheet must not take a text for a formula (CWE-1236). */
const toCell = (value: unknown, column: FieldWithWidget): string => {
  if (value === null || value === undefined) return ''
  const { toCell } = column.widget
  if (toCell) return guarded(toCell(value, column))
  if (typeof value === 'object') return guarded(JSON.stringify(value))
  return typeof value === 'string' ? guarded(value) : `${value}`
}

const guarded = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** RFC 4180, section 2. */
const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const toLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

/** Texts as a line of CSV. */
export const toCsvLine = (texts: readonly string[]): string => toLine(texts.map(guarded))

export const toCsv = (rows: readonly Item[], columns: readonly FieldWithWidget[]): string =>
  rows.map(row => toLine(columns.map(column => toCell(row[column.name], column)))).join('')

interface Progress {
  readonly signal: AbortSignal
  readonly onProgress: (count: number) => void
}

export interface Export {
  readonly listing: RowList
  readonly columns: readonly FieldWithWidget[]
  readonly format: ExportFormat
}

const withoutLinks = ({ links: _, ...fields }: Item): object => fields

export const exportRows = async (
  { listing, columns, format }: Export,
  { signal, onProgress }: Progress,
): Promise<{ readonly file: Blob; readonly count: number }> => {
  const parts: string[] = [format === 'csv' ? toLine(columns.map(({ name }) => name)) : '[']
  let count = 0
  const found = findRows(listing, { sort: listing.sort, limit: 500, total: 'none', signal })
  for await (const { items } of found.pages()) {
    parts.push(
      format === 'csv'
        ? toCsv(items, columns)
        : items.map((row, at) => `${count + at > 0 ? ',' : ''}\n${JSON.stringify(withoutLinks(row))}`).join(''),
    )
    count += items.length
    onProgress(count)
  }
  if (format === 'json') parts.push('\n]\n')
  return { file: new Blob(parts, { type: format === 'csv' ? 'text/csv' : 'application/json' }), count }
}

/** Related records by their labels, as a spreadsheet with them can be imported again. */
const columnOf = ({ name, relation }: FieldWithWidget): string =>
  relation?.kind === 'one' && relation.label ? `${name}.${relation.label}` : name

/** The service writes the spreadsheet. It is asked for one record first: a problem is shown, and the session refreshed. */
export const saveSpreadsheet = async (listing: RowList, columns: readonly FieldWithWidget[]): Promise<void> => {
  const { resource, filter, search = '', sort } = listing
  await findRows(listing, { sort, limit: 1, total: 'none' })
  const query = new URLSearchParams({
    filter,
    ...(search && { search }),
    sort,
    fields: columns.map(columnOf).join(),
    _export: 'xlsx',
  })
  saveLink(`${pathOf(listing)}?${query}`, `${resource}.xlsx`)
}
