// Writes what the index of words has of records, in the transaction of their change.

import type { StoredRecord, Values } from '../../model/record.ts'
import { holderOf, type Resource } from '../../model/resource.ts'
import { indexedDocument, type SearchIndex, searchIndexOf } from '../../model/search/search-index.ts'
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
  searchIndexOf(holderOf(resource))?.fields.some(({ field }) => values[field.name] !== undefined) === true

export interface WrittenEntries {
  readonly connection: Connection
  readonly dialect: Pick<DatabaseDialect, 'search' | 'placeholder'>
}

/** Replaces what the index has of these records. */
export const writeEntries = async (
  { connection, dialect }: WrittenEntries,
  resource: Resource,
  records: readonly TextsOfRecord[],
): Promise<void> => {
  const index = searchIndexOf(holderOf(resource))
  if (!index || records.length === 0) return
  const { texts, words } = searchTablesOf(holderOf(resource))
  const { search, placeholder } = dialect
  const cell = JSON.stringify(records.map(record => toDocument(index, record)))
  await connection.rows(
    `INSERT INTO ${quote(texts)} ("pk", "entries", "length") SELECT d."pk", d."entries", d."length" FROM ${search.textRows(placeholder(1))} WHERE TRUE ` +
      'ON CONFLICT ("pk") DO UPDATE SET "entries" = excluded."entries", "length" = excluded."length"',
    [cell],
  )
  await connection.rows(`INSERT INTO ${quote(words)} ("entry", "pk", "value") ${search.wordRows(placeholder(1))}`, [
    cell,
  ])
}

const toDocument = (index: SearchIndex, { pk, values }: TextsOfRecord) => {
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
