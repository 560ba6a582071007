// Indexes of words on SQLite.

import type { SearchDialect } from '../search/tables.ts'
import { quote, textOf } from '../sql/columns.ts'

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
  drop: ({ texts, words, gone, trigger }) =>
    `DROP TRIGGER IF EXISTS ${quote(trigger)}; ` +
    [texts, words, gone].map(table => `DROP TABLE IF EXISTS ${quote(table)};`).join(' '),
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
