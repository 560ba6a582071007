// Indexes of words on SQLite.

import { insertMarks, whenChanged } from '../search/mark-triggers.ts'
import type { MarkDialect, SearchDialect } from '../search/tables.ts'
import { quote, textOf } from '../sql/columns.ts'

const marks: MarkDialect = {
  create: table => `
    CREATE TABLE IF NOT EXISTS ${quote(table)} ("id" INTEGER PRIMARY KEY, "path" INTEGER NOT NULL, "pk" TEXT NOT NULL,
      "state" INTEGER NOT NULL DEFAULT 0, "by" INTEGER NOT NULL DEFAULT 0, "upTo" TEXT NOT NULL DEFAULT '') STRICT;
    CREATE INDEX IF NOT EXISTS ${quote(`${table}_by`)} ON ${quote(table)} ("by") WHERE "state" = 0;`,
  createTrigger: ({ name, table, event, changed, marked }, into) =>
    `CREATE TRIGGER IF NOT EXISTS ${quote(name)} AFTER ${event} ON ${quote(table)} ${whenChanged(changed)}
      BEGIN ${insertMarks(marked, into)} END;`,
  dropTrigger: name => `DROP TRIGGER IF EXISTS ${quote(name)};`,
  triggersOf: prefix =>
    `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ${prefix.length}) = ${textOf(prefix)}`,
  own: 'TRUE',
  transactions: null,
}

export const sqliteSearch: SearchDialect = {
  create: ({ texts, words, gone, trigger }, records) => {
    const forget = `INSERT OR IGNORE INTO ${quote(gone)} VALUES (old."doc", old."length");`
    return `
      CREATE TABLE IF NOT EXISTS ${quote(texts)} ("pk" TEXT NOT NULL PRIMARY KEY, "doc" INTEGER, "length" INTEGER NOT NULL,
        "entries" TEXT) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX IF NOT EXISTS ${quote(`${texts}_doc`)} ON ${quote(texts)} ("doc");
      CREATE TABLE IF NOT EXISTS ${quote(words)} ("entry" TEXT NOT NULL, "first" INTEGER NOT NULL, "last" INTEGER NOT NULL,
        "count" INTEGER NOT NULL, "postings" BLOB NOT NULL, "places" BLOB NOT NULL, PRIMARY KEY ("entry", "first")) STRICT;
      CREATE TABLE IF NOT EXISTS ${quote(gone)} ("doc" INTEGER PRIMARY KEY, "length" INTEGER NOT NULL) STRICT;
      CREATE TRIGGER IF NOT EXISTS ${quote(trigger)} AFTER DELETE ON ${quote(records)}
        BEGIN DELETE FROM ${quote(texts)} WHERE "pk" = old."pk"; END;
      CREATE TRIGGER IF NOT EXISTS ${quote(`${texts}_delete`)} AFTER DELETE ON ${quote(texts)} WHEN old."doc" IS NOT NULL
        BEGIN ${forget} END;
      CREATE TRIGGER IF NOT EXISTS ${quote(`${texts}_update`)} AFTER UPDATE ON ${quote(texts)} WHEN old."doc" IS NOT NULL
        BEGIN ${forget} END;`
  },
  drop: ({ texts, words, gone, trigger, marks: marked }) =>
    `DROP TRIGGER IF EXISTS ${quote(trigger)}; ` +
    [texts, words, gone, marked].map(table => `DROP TABLE IF EXISTS ${quote(table)};`).join(' '),
  marks,
  listOf: (column, isJson) => `json_group_array(${isJson ? `json(${column})` : column})`,
  hasTrigger: trigger => `SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = ${textOf(trigger)}`,
  hasTable: table => `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ${textOf(table)}`,
  bytesOf: digits => `unhex(${digits})`,
  scoreRows: (pairs, _keys, alias) =>
    `(SELECT value ->> 0 AS "key", value ->> 1 AS "score" FROM json_each(${pairs})) AS ${alias}`,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  // The planner has no statistics, and takes each equality for a few rows.
  join: 'CROSS JOIN',
  buildBatch: 500,
  analyse: null,
}
