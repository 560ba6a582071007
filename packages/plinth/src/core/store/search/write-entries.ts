// Writes what the index of words has of records, in the transaction of their change.

import type { StoredRecord, Values } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import { indexedDocument, searchIndexOf } from '../../model/search/search-index.ts'
import { createPause } from '../../pauses.ts'
import type { DatabaseDialect } from '../driver.ts'
import { quote, tableOf } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { somePks } from '../sql/some-pks.ts'
import { searchTablesOf } from './tables.ts'
import { type Upserted, upsertRows } from './upsert.ts'

/** A record, as far as its texts are concerned. */
export interface TextsOfRecord {
  readonly pk: string
  readonly values: Readonly<Record<string, unknown>>
}

/** Does a change of these values change the index of a resource that is searched? */
export const changesSearch = (resource: Resource, values: Values): boolean =>
  searchIndexOf(resource.holder)?.fields.some(({ field }) => values[field.name] !== undefined) === true

/** The characters of one statement, about: it holds up others on SQLite. */
const charactersAtOnce = 100_000

interface WritingOptions {
  /** Nothing follows in the transaction. */
  readonly isLast?: boolean | undefined
}

/** Replaces what the index has of these records: some at a time, since long texts take their time. */
export const writeEntries = async (
  written: Upserted,
  resource: Resource,
  records: readonly TextsOfRecord[],
  { isLast = false }: WritingOptions = {},
): Promise<void> => {
  const index = searchIndexOf(resource.holder)
  if (!index) return
  const pause = createPause({ isAwaited: true })
  let [rows, size]: [TextRow[], number] = [[], 0]
  for (const [at, { pk, values }] of records.entries()) {
    await pause()
    const { entries, length } = indexedDocument(index, values)
    const text = JSON.stringify(entries)
    rows.push([pk, null, length, text])
    size += text.length
    const isEnd = at === records.length - 1
    if (size < charactersAtOnce && !isEnd) continue
    await writeTexts(written, resource, { rows, isLast: isLast && isEnd })
    rows = []
    size = 0
  }
}

/** A row of `texts`. */
export type TextRow = readonly [pk: string, doc: number | null, length: number, entries: string | null]

/** Writes rows of `texts`. A number that a record had before is forgotten. */
export const writeTexts = (
  written: Upserted,
  resource: Resource,
  rows: { readonly rows: readonly TextRow[]; readonly isLast?: boolean },
): Promise<void> =>
  upsertRows(
    written,
    {
      name: searchTablesOf(resource.holder).texts,
      keys: ['pk'],
      columns: { pk: 'text', doc: 'integer', length: 'integer', entries: 'text' },
    },
    rows,
  )

/** Writes the index of records that lie in their table. */
export const indexStored = async (session: SqlSession, resource: Resource, pks: readonly string[]): Promise<void> => {
  const { statements, connection } = session
  const dialect = statements.dialect
  if (pks.length === 0) return
  const which = somePks(pks, dialect)
  const rows = await connection.rows(textsSql(resource, ` WHERE ${which.condition(1)}`), [which.cell])
  await writeEntries({ connection, dialect }, resource, toTexts(resource, rows, dialect.decode))
}

/** Selects the pks and the searched texts of records, as `b`. */
export const textsSql = (resource: Resource, rest: string): string => {
  const fields = searchIndexOf(resource)?.fields ?? []
  return `SELECT b."pk", ${fields.map(({ field }) => `b.${quote(field.name)}`).join(', ')} FROM ${tableOf(resource)} AS b${rest}`
}

/** The rows of `textsSql`. */
export const toTexts = (
  resource: Resource,
  rows: readonly (readonly unknown[])[],
  { json: readJson = cell => cell }: DatabaseDialect['decode'],
): readonly TextsOfRecord[] => {
  const fields = searchIndexOf(resource)?.fields ?? []
  return rows.map(([pk, ...cells]) => ({
    pk: String(pk),
    values: Object.fromEntries(
      fields.map(({ field: { name, definition } }, at) => {
        const isJson = definition.role === 'value' && definition.type.column === 'json'
        return [name, isJson ? readJson(cells[at]) : cells[at]]
      }),
    ),
  }))
}

/** A written record with its texts: a write returns it as reading would. */
export const textsOf = (record: StoredRecord): TextsOfRecord => ({ pk: record.pk, values: record })
