// Writes what the index of words has of records, in the transaction of their change.

import type { StoredRecord, Values } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import { indexedDocument, searchIndexOf } from '../../model/search/search-index.ts'
import { createPause } from '../../pauses.ts'
import type { SqlSession } from '../sql/session.ts'
import { somePks } from '../sql/some-pks.ts'
import { searchTablesOf } from './tables.ts'
import { type TextsOfRecord, textsSql, toTexts } from './texts.ts'
import { type Upserted, upsertRows } from './upsert.ts'

/** Does a change of these values change an index: the one of the resource itself, or one that has words of its records, too? */
export const changesSearch = (resource: Resource, values: Values): boolean =>
  changesOwnIndex(resource, values) || resource.searchedThrough.some(({ fields }) => isAnyIn(fields, values))

export const changesOwnIndex = (resource: Resource, values: Values): boolean =>
  searchIndexOf(resource.holder)?.fields.some(({ field, via }) => values[(via ?? field).name] !== undefined) === true

export const isAnyIn = (names: ReadonlySet<string>, values: Values): boolean =>
  Object.entries(values).some(([name, value]) => value !== undefined && names.has(name))

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
  const sql = textsSql(resource, ` WHERE ${which.condition(1)}`, dialect)
  const records = toTexts(resource, await connection.rows(sql, [which.cell]), dialect.decode)
  await writeEntries({ connection, dialect }, resource, records)
}

/** A written record with its texts: a write returns it as reading would. */
export const textsOf = (record: StoredRecord): TextsOfRecord => ({ pk: record.pk, values: record })
