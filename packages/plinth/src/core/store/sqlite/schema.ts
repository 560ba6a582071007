// Tables and indexes on SQLite: how they are made, and how the database shows what it holds.

import type { FoundTable } from '../migrate/catalogue.ts'
import type { SchemaDialect, TrigramIndex } from '../migrate/schema-dialect.ts'
import type { KeptColumn, TableChange } from '../migrate/table-change.ts'
import { columnSql, fillColumn, forbidNull, renameColumn } from '../migrate/table-sql.ts'
import { indexPrefixes, quote } from '../sql/columns.ts'
import { fold, lowerAscii } from '../sql/text-patterns.ts'
import { columns, indexes, references } from './catalogue.ts'
import { columnTypes } from './column-types.ts'
import { foldFunction } from './open.ts'

/**
 * SQLite keeps a reference in its column's definition: a new column takes over values and name. Nothing else of the
 * table is touched, and foreign keys stay enforced, which rebuilding the table would not allow.
 */
const replaceReference = (change: TableChange, { column, found }: KeptColumn): string => {
  const table = change.table.name
  // No field has an underscore in its name.
  const successor = `${found.name}_new`
  const indexes = change.found.indexes.filter(
    index => index.columns.includes(found.name) && !change.droppedIndexes.includes(index),
  )
  return [
    ...indexes.map(({ name }) => `DROP INDEX ${quote(name)};`),
    `ALTER TABLE ${quote(table)} ADD COLUMN ${columnSql({ ...column, name: successor, required: false }, { schema: sqliteSchema })};`,
    fillColumn(table, successor, quote(found.name)),
    `ALTER TABLE ${quote(table)} DROP COLUMN ${quote(found.name)};`,
    renameColumn(table, successor, found.name),
    ...(column.required ? [forbidNull(table, found.name)] : []),
    ...indexes.map(({ sql }) => `${sql};`),
  ].join('\n')
}

/**
 * A table of trigrams alone, by the rowids of the records: VACUUM keeps these for tables that have an index. Triggers keep it
 * current, also when a record goes with one that it refers to.
 */
const createTrigrams = ({ name, table, column }: TrigramIndex): string => {
  const text = (row: string): string => {
    const value = row + quote(column)
    const [anyCase, folded] = [`lower(${value})`, `${foldFunction}(${value})`]
    return `CASE WHEN ${anyCase} = ${folded} THEN ${anyCase} ELSE ${anyCase} || char(10) || ${folded} END`
  }
  const insert = (rowid: string, value: string): string =>
    `INSERT INTO ${quote(name)} (rowid, text) SELECT ${rowid}, ${value}`
  const trigger = (event: string, when: string, ...statements: string[]): string =>
    `CREATE TRIGGER ${quote(`${name}_${event}`)} AFTER ${when} BEGIN ${statements.map(sql => `${sql};`).join(' ')} END;`
  const remove = `DELETE FROM ${quote(name)} WHERE rowid = old.rowid`
  const add = `${insert('new.rowid', text('new.'))} WHERE new.${quote(column)} IS NOT NULL`
  const options = `content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1', detail = none`
  return [
    `CREATE VIRTUAL TABLE ${quote(name)} USING fts5 (text, ${options});`,
    trigger('insert', `INSERT ON ${quote(table)}`, add),
    trigger('delete', `DELETE ON ${quote(table)}`, remove),
    trigger('update', `UPDATE OF ${quote(column)} ON ${quote(table)}`, remove, add),
    `${insert('rowid', text(''))} FROM ${quote(table)} WHERE ${quote(column)} IS NOT NULL;`,
  ].join('\n')
}

/** What such an index has of a text. */
export const indexedText = (text: string): string => {
  const [anyCase, folded] = [lowerAscii(text), fold(text)]
  return anyCase === folded ? anyCase : `${anyCase}\n${folded}`
}

const dropTables = (tables: readonly FoundTable[]): string =>
  tables
    .flatMap(({ name, indexes }) => [
      ...indexes.filter(index => index.name.startsWith(indexPrefixes.trigrams)).map(index => dropTrigrams(index.name)),
      `DROP TABLE ${quote(name)};`,
    ])
    .join('\n')

const dropTrigrams = (name: string): string =>
  [
    ...['insert', 'delete', 'update'].map(event => `DROP TRIGGER ${quote(`${name}_${event}`)};`),
    `DROP TABLE ${quote(name)};`,
  ].join('\n')

export const sqliteSchema: SchemaDialect = {
  views: "SELECT name, sql FROM sqlite_schema WHERE type = 'view'",
  // SQLite looks at the tables and columns of a view when it is read.
  createView: ({ name, select, mark }) =>
    `CREATE VIEW ${quote(name)} AS /* ${mark} */ ${select};\nSELECT 1 FROM ${quote(name)} LIMIT 0;`,
  columnTypes,
  serialType: 'INTEGER',
  now: "strftime('%Y-%m-%dT%H:%M:%fZ')",
  booleanSql: value => String(Number(value)),
  // WITHOUT ROWID halves a table of pairs. Records stay in rowid tables: with rows of 1,500 bytes the other form took
  // twice the space and two to four times the time for reads, pages and updates.
  tableOptions: pairs => (pairs ? ' STRICT, WITHOUT ROWID' : ' STRICT'),
  // Absent values are the smallest already.
  indexKey: expression => expression,
  createTrigrams,
  dropTrigrams,
  trigramSupport: async () => ({ kind: 'ready' }),
  takesForwardReferences: true,
  replaceReference,
  deferReferences: 'PRAGMA defer_foreign_keys = ON',
  dropTables,
  catalogue: { columns, references, indexes },
  // Only one transaction writes at a time: it is the lock.
  lockMigrations: async () => {},
  formerNames: null,
  concurrentIndexes: null,
}
