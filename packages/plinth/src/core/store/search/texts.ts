// The texts that an index is made from: those of records, and those of related records.

import type { Resource, ResourceField } from '../../model/resource.ts'
import { type SearchedField, searchIndexOf } from '../../model/search/search-index.ts'
import type { ResultRow } from '../connection.ts'
import type { DatabaseDialect } from '../driver.ts'
import { holdingOf, quote, sourceOf, tableOf, targetOf } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { SqlSession } from '../sql/session.ts'
import { somePks } from '../sql/some-pks.ts'

/** A record, as far as its texts are concerned, by their declared names. */
export interface TextsOfRecord {
  readonly pk: string
  readonly values: Readonly<Record<string, unknown>>
}

/** The related records of one relation whose texts are searched: the first ones by their pk. */
export const mostRelated = 500

/** Selects the pks and the searched texts of records, as `b`. */
export const textsSql = (
  resource: Resource,
  rest: string,
  dialect: Pick<Dialect, 'search'>,
  fields = searchIndexOf(resource)?.fields ?? [],
): string => {
  const columns = fields.map(one => (one.via ? relatedSql(one, one.via, dialect) : `b.${quote(one.field.name)}`))
  return `SELECT ${['b."pk"', ...columns].join(', ')} FROM ${tableOf(resource)} AS b${rest}`
}

/** A subselect: the texts of the related records as a list. */
const relatedSql = ({ field }: SearchedField, via: ResourceField, { search }: Pick<Dialect, 'search'>): string => {
  const rows = `SELECT r.${quote(field.name)} AS "value" FROM ${relatedRows(via)} ORDER BY r."pk" LIMIT ${mostRelated}`
  return `(SELECT ${search.listOf('v."value"', isJson(field))} FROM (${rows}) AS v)`
}

/** The related records as `r`, of a record `b`. */
const relatedRows = (via: ResourceField): string => {
  const related = `${sourceOf(targetOf(via))} AS r`
  if (via.definition.role === 'one') return `${related} WHERE r."pk" = b.${quote(via.name)}`
  const holding = holdingOf(via)
  if (holding.kind === 'column') return `${related} WHERE r.${quote(holding.by.name)} = b."pk"`
  return `${holding.table} AS l JOIN ${related} ON r."pk" = l.${holding.far} WHERE l.${holding.near} = b."pk"`
}

const isJson = ({ definition }: ResourceField): boolean =>
  definition.role === 'value' && definition.type.column === 'json'

/** The rows of `textsSql`. */
export const toTexts = (
  resource: Resource,
  rows: readonly ResultRow[],
  { json: readJson = cell => cell }: DatabaseDialect['decode'],
  fields = searchIndexOf(resource)?.fields ?? [],
): readonly TextsOfRecord[] =>
  rows.map(([pk, ...cells]) => ({
    pk: String(pk),
    values: Object.fromEntries(
      fields.map(({ name, field, via }, at) => {
        const cell = cells[at]
        if (via) return [name, typeof cell === 'string' ? JSON.parse(cell) : []]
        return [name, isJson(field) ? readJson(cell) : cell]
      }),
    ),
  }))

interface SearchedTexts {
  readonly pks: readonly string[]
  readonly fields: readonly SearchedField[]
}

/** Some texts of some records, by their pks. */
export const searchedTexts = async (
  { connection, statements: { dialect } }: SqlSession,
  { holder }: Resource,
  { pks, fields }: SearchedTexts,
): Promise<ReadonlyMap<string, TextsOfRecord['values']>> => {
  if (pks.length === 0) return new Map()
  const which = somePks(pks, dialect)
  const rows = await connection.rows(textsSql(holder, ` WHERE ${which.condition(1)}`, dialect, fields), [which.cell])
  return new Map(toTexts(holder, rows, dialect.decode, fields).map(({ pk, values }) => [pk, values]))
}
