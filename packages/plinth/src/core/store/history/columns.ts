// The tables of histories. Each change adds a row with the record as it was before: NULL where there was none. So a record at some
// moment is the first row after that moment, or the record itself when nothing has changed since; and old rows can be deleted
// at any time.

import { historyFields } from '../../model/history.ts'
import { isColumn } from '../../model/indexes.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { columnTypeOf, quote } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'

/** The name that a table has in a statement, and its own. */
export type TableName = readonly [alias: string, table: string]

/** The table of a resource's history, from its name alone. */
export const historyTableOf = ({ name }: Resource): string => `${name}_history`

/** Columns beside those of the record: no field has an underscore in its name. `_entry` begins with the time. */
export const entryColumns = ['_entry', '_by', '_address', '_request', '_change', '_version'] as const

/** The columns that hold the record. */
export const imageColumns = (resource: Resource): readonly ResourceField[] => historyFields(resource)

/** Embedded links are kept as a list. */
export const isKeptAsList = (field: ResourceField): boolean => !isColumn(field)

/** All entries up to and including this moment compare as smaller: `~` comes after all that follows the time. */
export const entriesAfter = (moment: string): string => `${moment}~`

export const timeOf = (entry: string): string => entry.slice(0, 24)

/** The column of `asOfSelects` that is compared with the moment. */
export const asOfEntry = ['h', '"_entry"'] as const

/** The tables of `asOfSelects`, by the names that they have there. */
export const asOfTables = (resource: Resource): readonly TableName[] => {
  const history = historyTableOf(resource)
  return [
    ['p', resource.name],
    ['l', history],
    ['h', history],
    ['e', history],
  ]
}

/**
 * The records at a moment, as two selects of the columns of the resource: those that have not changed since, and those that the
 * history holds as they were. No record is in both. What the history does not hold is NULL. `moment` is the placeholder of
 * `entriesAfter`.
 */
export const asOfSelects = (resource: Resource, moment: string, { nullOf }: Dialect): readonly string[] => {
  const history = quote(historyTableOf(resource))
  const recorded = new Set(imageColumns(resource))
  const columnsOf = (alias: string): string =>
    [...resource.fields.values()]
      .filter(isColumn)
      .map(field => {
        const name = quote(field.name)
        return `${recorded.has(field) ? `${alias}.${name}` : nullOf(columnTypeOf(field))} AS ${name}`
      })
      .join(', ')
  const unchanged = `NOT EXISTS (SELECT 1 FROM ${history} AS l WHERE l."pk" = p."pk" AND l."_entry" > ${moment})`
  const isFirst =
    `NOT EXISTS (SELECT 1 FROM ${history} AS e WHERE e."pk" = h."pk" AND e."_entry" < h."_entry" ` +
    `AND e."_entry" > ${moment})`
  return [
    `SELECT ${columnsOf('p')} FROM ${quote(resource.name)} AS p WHERE ${unchanged}`,
    `SELECT ${columnsOf('h')} FROM ${history} AS h WHERE h."_entry" > ${moment} AND h."version" IS NOT NULL AND ${isFirst}`,
  ]
}
