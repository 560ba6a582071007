// Writes what the index of words has of records, in the transaction of their change.

import type { StoredRecord, Values } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import { indexedDocument, type SearchIndex, searchIndexOf } from '../../model/search/search-index.ts'
import { createPause } from '../../pauses.ts'
import type { Connection } from '../connection.ts'
import type { DatabaseDialect } from '../driver.ts'
import { quote, tableOf } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { somePks } from '../sql/some-pks.ts'
import { searchTablesOf } from './tables.ts'

/** A record, as far as its texts are concerned. */
export interface TextsOfRecord {
  readonly pk: string
  readonly values: Readonly<Record<string, unknown>>
}

/** Does a change of these values change the index of a resource that is searched? */
export const changesSearch = (resource: Resource, values: Values): boolean =>
  searchIndexOf(resource.holder)?.fields.some(({ field }) => values[field.name] !== undefined) === true

export interface WrittenEntries {
  readonly connection: Connection
  readonly dialect: Pick<DatabaseDialect, 'search' | 'placeholder'>
}

/** The entries of one statement, about: it holds up others on SQLite. */
const entriesAtOnce = 2000

/** Replaces what the index has of these records: some at a time, since long texts take their time. */
export const writeEntries = async (
  written: WrittenEntries,
  resource: Resource,
  records: readonly TextsOfRecord[],
): Promise<void> => {
  const index = searchIndexOf(resource.holder)
  if (!index) return
  const pause = createPause({ isAwaited: true })
  let [documents, count]: [IndexedRecord[], number] = [[], 0]
  for (const [at, record] of records.entries()) {
    await pause()
    const document = toDocument(index, record)
    documents.push(document)
    count += Object.keys(document.values).length
    if (count < entriesAtOnce && at < records.length - 1) continue
    await writeDocuments(written, resource, documents)
    documents = []
    count = 0
  }
}

const writeDocuments = async (
  { connection, dialect }: WrittenEntries,
  resource: Resource,
  documents: readonly IndexedRecord[],
): Promise<void> => {
  const { texts, words } = searchTablesOf(resource.holder)
  const { search, placeholder } = dialect
  const cell = JSON.stringify(documents)
  await connection.rows(
    `INSERT INTO ${quote(texts)} ("pk", "entries", "length") SELECT d."pk", d."entries", d."length" FROM ${search.textRows(placeholder(1))} WHERE TRUE ` +
      'ON CONFLICT ("pk") DO UPDATE SET "entries" = excluded."entries", "length" = excluded."length"',
    [cell],
  )
  await connection.rows(`INSERT INTO ${quote(words)} ("entry", "pk", "value") ${search.wordRows(placeholder(1))}`, [
    cell,
  ])
}

/** What the index has of a record, as statements take it. */
interface IndexedRecord {
  readonly pk: string
  readonly entries: string
  readonly length: number
  readonly values: Readonly<Record<string, number>>
}

const toDocument = (index: SearchIndex, { pk, values }: TextsOfRecord): IndexedRecord => {
  const { sequence, values: entries, length } = indexedDocument(index, values)
  return { pk, entries: JSON.stringify(sequence), length, values: Object.fromEntries(entries) }
}

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
