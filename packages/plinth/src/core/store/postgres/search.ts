// Indexes of words on PostgreSQL.

import type { SearchDialect } from '../search/tables.ts'
import { quote, shortened, textOf } from '../sql/columns.ts'

interface TriggerParts {
  readonly on: string
  readonly after: string
  readonly when?: string
  readonly body: string
}

/** A trigger with a function of its own name. */
const triggerSql = (name: string, { on, after, when, body }: TriggerParts): string => `
  CREATE OR REPLACE FUNCTION ${quote(name)}() RETURNS trigger LANGUAGE plpgsql AS $trigger$
    BEGIN ${body}; RETURN NULL; END $trigger$;
  DROP TRIGGER IF EXISTS ${quote(name)} ON ${quote(on)};
  CREATE TRIGGER ${quote(name)} AFTER ${after} ON ${quote(on)} FOR EACH ROW ${when ? `WHEN (${when}) ` : ''}EXECUTE FUNCTION ${quote(name)}();`

export const postgresSearch: SearchDialect = {
  create: ({ texts, words, gone, trigger }, records) => {
    const forget = `INSERT INTO ${quote(gone)} VALUES (old."doc", old."length") ON CONFLICT DO NOTHING`
    // Blocks lie in the table itself, and are not compressed again.
    return `
      CREATE TABLE IF NOT EXISTS ${quote(texts)} ("pk" text COLLATE "C" PRIMARY KEY, "doc" integer, "length" integer NOT NULL,
        "entries" text);
      CREATE UNIQUE INDEX IF NOT EXISTS ${quote(shortened(`${texts}_doc`))} ON ${quote(texts)} ("doc");
      CREATE TABLE IF NOT EXISTS ${quote(words)} ("entry" text COLLATE "C" NOT NULL, "first" integer NOT NULL, "last" integer NOT NULL,
        "count" integer NOT NULL, "postings" bytea NOT NULL, "places" bytea NOT NULL, PRIMARY KEY ("entry", "first")) WITH (toast_tuple_target = 8000);
      ALTER TABLE ${quote(words)} ALTER COLUMN "postings" SET STORAGE EXTERNAL, ALTER COLUMN "places" SET STORAGE EXTERNAL;
      CREATE TABLE IF NOT EXISTS ${quote(gone)} ("doc" integer PRIMARY KEY, "length" integer NOT NULL);
      ${triggerSql(trigger, { on: records, after: 'DELETE', body: `DELETE FROM ${quote(texts)} WHERE "pk" = old."pk"` })}
      ${triggerSql(shortened(`${texts}_entries`), {
        ...{ on: texts, after: 'UPDATE OR DELETE', when: 'old."doc" IS NOT NULL' },
        body: forget,
      })}`
  },
  drop: ({ texts, words, gone, trigger }) =>
    `DROP FUNCTION IF EXISTS ${quote(trigger)} CASCADE; DROP TABLE IF EXISTS ${[texts, words, gone].map(quote).join(', ')};`,
  hasTrigger: trigger =>
    `SELECT 1 FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid ` +
    `WHERE t.tgname = ${textOf(trigger)} AND c.relnamespace = current_schema()::regnamespace`,
  hasTable: table => `SELECT 1 WHERE to_regclass(${textOf(quote(table))}) IS NOT NULL`,
  bytesOf: digits => `decode(${digits}, 'hex')`,
  scoreRows: (pairs, keys, alias) =>
    `(SELECT CAST(value ->> 0 AS ${keys}) AS "key", CAST(value ->> 1 AS bigint) AS "score" ` +
    `FROM json_array_elements(CAST(${pairs} AS json))) AS ${alias}`,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  join: 'JOIN',
  buildBatch: 2000,
  analyse: table => `VACUUM (ANALYZE) ${quote(table)}`,
}
