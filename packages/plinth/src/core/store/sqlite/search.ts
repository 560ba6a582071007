// Indexes of words on SQLite.

import type { SearchDialect } from '../search/tables.ts'
import { quote, textOf } from '../sql/columns.ts'

export const sqliteSearch: SearchDialect = {
  create: ({ texts, words, trigger }, records) => {
    const forget =
      `DELETE FROM ${quote(words)} WHERE "pk" = old."pk" AND "entry" IN ` +
      `(SELECT value FROM json_each(old."entries") WHERE type = 'text');`
    return `
      CREATE TABLE IF NOT EXISTS ${quote(texts)} ("pk" TEXT NOT NULL PRIMARY KEY, "entries" TEXT NOT NULL,
        "length" INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS ${quote(words)} ("entry" TEXT NOT NULL, "pk" TEXT NOT NULL, "value" INTEGER NOT NULL,
        PRIMARY KEY ("entry", "pk")) STRICT, WITHOUT ROWID;
      CREATE TRIGGER IF NOT EXISTS ${quote(trigger)} AFTER DELETE ON ${quote(records)}
        BEGIN DELETE FROM ${quote(texts)} WHERE "pk" = old."pk"; END;
      CREATE TRIGGER IF NOT EXISTS ${quote(`${texts}_delete`)} AFTER DELETE ON ${quote(texts)} BEGIN ${forget} END;
      CREATE TRIGGER IF NOT EXISTS ${quote(`${texts}_update`)} AFTER UPDATE ON ${quote(texts)} BEGIN ${forget} END;`
  },
  drop: ({ texts, words, trigger }) =>
    `DROP TRIGGER IF EXISTS ${quote(trigger)}; DROP TABLE IF EXISTS ${quote(texts)}; DROP TABLE IF EXISTS ${quote(words)};`,
  hasTrigger: trigger => `SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = ${textOf(trigger)}`,
  textRows: documents =>
    `(SELECT value ->> '$.pk' AS "pk", value ->> '$.entries' AS "entries", value ->> '$.length' AS "length" ` +
    `FROM json_each(${documents})) AS d`,
  // Each document is read once: its pk would be read again for each of its words otherwise.
  wordRows: documents =>
    `WITH d AS MATERIALIZED (SELECT value ->> '$.pk' AS "pk", value -> '$.values' AS "values" FROM json_each(${documents})) ` +
    `SELECT e.key AS "entry", d."pk", e.value AS "value" FROM d, json_each(d."values") AS e`,
  entryRows: entries =>
    `(SELECT value ->> 0 AS "entry", value ->> 1 AS "weight", value ->> 2 AS "length" FROM json_each(${entries})) AS q`,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  // The planner has no statistics, and takes each equality for a few rows.
  join: 'CROSS JOIN',
  buildBatch: 50,
  analyse: null,
  hasTable: table => `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ${textOf(table)}`,
}
