// Tables and indexes on SQLite: how they are made, and how the database shows what it holds.

import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '../connection.ts'
import type { Driver } from '../driver.ts'
import type { FoundTable } from '../migrate/catalogue.ts'
import type { SchemaDialect, TrigramIndex } from '../migrate/schema-dialect.ts'
import type { KeptColumn, TableChange } from '../migrate/table-change.ts'
import { columnSql, fillColumn, forbidNull, renameColumn } from '../migrate/table-sql.ts'
import { indexPrefixes, quote } from '../sql/columns.ts'
import { fold, lowerAscii } from '../sql/text-patterns.ts'
import { foldFunction } from './open.ts'

// The catalogue: the schema table, and the pragmas that act as tables.

const columns = `SELECT t.name, c.name, upper(c.type), c."notnull", c.dflt_value IS NOT NULL OR c.hidden > 0, c.pk
  FROM sqlite_schema t, pragma_table_xinfo(t.name) c
  WHERE t.type IN ('table', 'view') AND t.name NOT GLOB 'sqlite_*' AND c.hidden <> 1
  ORDER BY t.name, c.cid`

const references = `SELECT t.name, k."from", NULL, k."table", k.on_delete
  FROM sqlite_schema t, pragma_foreign_key_list(t.name) k
  WHERE t.type = 'table'`

// An index on trigrams is a table of its own, which triggers of the indexed one keep current.
// An index without SQL stands for a constraint and belongs to its table. A negative column is an expression.
const indexes = `SELECT t.name, l.name, l."unique",
    l.partial = 0 AND min(c.cid >= 0 AND c."desc" = 0 AND c.coll = 'BINARY'),
    group_concat(coalesce(c.name, ''), char(10) ORDER BY c.seqno),
    (SELECT i.sql FROM sqlite_schema i WHERE i.type = 'index' AND i.name = l.name), 1
  FROM sqlite_schema t, pragma_index_list(t.name) l, pragma_index_xinfo(l.name) c
  WHERE t.type = 'table' AND l.origin = 'c' AND c.key = 1
  GROUP BY t.name, l.name, l."unique", l.partial
  UNION ALL SELECT g.tbl_name, substr(g.name, 1, length(g.name) - length('_insert')), 0, 0, '', g.sql, 1
  FROM sqlite_schema g WHERE g.type = 'trigger' AND g.name GLOB '${indexPrefixes.trigrams}*_insert'`

// Changes

/**
 * SQLite keeps a reference in its column's definition: a new column takes over values and name. Nothing else of the
 * table is touched, and foreign keys stay enforced, which rebuilding the table would not allow.
 */
const replaceReference = (change: TableChange, { column, found }: KeptColumn): string => {
  const table = change.table.name
  // No member has an underscore in its name.
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

/** What an index on trigrams is about, from the trigger that adds to it. */
export const indexedBy = (insertTrigger: string): { readonly table: string; readonly column: string } => {
  const [, table] = / AFTER INSERT ON "(\w+)"/.exec(insertTrigger) ?? []
  const [, column] = / WHERE new\."(\w+)" IS NOT NULL/.exec(insertTrigger) ?? []
  if (table === undefined || column === undefined) throw new Error('this is no trigger of an index on trigrams')
  return { table, column }
}

// Each write adds to an index on trigrams a segment of its own, and a search reads all segments. SQLite merges small ones as it
// writes; from time to time all of them are merged.

type Reading = Pick<Connection, 'rows'>

/** In one transaction: a few milliseconds of work. */
const mergedPages = 16
const pauseMs = 20

/** An index is merged when its largest segment has less than this share of it, because merging rewrites the whole index. */
const soundShare = 0.8
/** Pages of an index that is worth the work. */
const largePages = 40

export const mergeTrigrams = async (
  { transaction }: Pick<Driver, 'transaction'>,
  signal: AbortSignal,
): Promise<void> => {
  for (const name of await transaction(trigramTables)) {
    signal.throwIfAborted()
    if (!(await transaction(connection => isFragmented(connection, name)))) continue
    // A negative number begins a merge of all segments, and a positive one continues it.
    let isUnfinished = await transaction(connection => mergeSome(connection, name, -mergedPages))
    while (isUnfinished) {
      // Without a pause no request would be answered before the last step.
      await pause(pauseMs)
      signal.throwIfAborted()
      isUnfinished = await transaction(connection => mergeSome(connection, name, mergedPages))
    }
  }
}

const trigramTables = async ({ rows }: Reading): Promise<readonly string[]> => {
  const sql = `SELECT name FROM sqlite_schema
    WHERE name GLOB '${indexPrefixes.trigrams}*' AND sql GLOB 'CREATE VIRTUAL TABLE *'`
  return (await rows(sql, [])).map(([name]) => String(name))
}

const isFragmented = async ({ rows }: Reading, name: string): Promise<boolean> => {
  const found = await rows(`SELECT count(*) FROM ${quote(`${name}_idx`)} GROUP BY segid`, [])
  const pages = found.map(([count]) => Number(count))
  const all = pages.reduce((sum, count) => sum + count, 0)
  return all > largePages && Math.max(...pages) < soundShare * all
}

/** False when nothing is left to merge. */
const mergeSome = async ({ rows }: Reading, name: string, pages: number): Promise<boolean> => {
  const changes = async () => Number((await rows('SELECT total_changes()', []))[0]?.[0])
  const before = await changes()
  await rows(`INSERT INTO ${quote(name)} (${quote(name)}, rank) VALUES ('merge', ?1)`, [pages])
  // The command itself counts as one.
  return (await changes()) - before > 1
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
  columnTypes: { text: 'TEXT', integer: 'INTEGER', boolean: 'INTEGER', timestamp: 'TEXT', date: 'TEXT', json: 'TEXT' },
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
