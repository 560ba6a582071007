// Indexes of words on PostgreSQL.

import { insertMarks, whenChanged } from '../search/mark-triggers.ts'
import type { MarkDialect, SearchDialect } from '../search/tables.ts'
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

/** The number of a transaction, as it never comes again (`xid8`), in a column of numbers. */
const numberOf = (transaction: string): string => `CAST(CAST(${transaction} AS text) AS bigint)`

const marks: MarkDialect = {
  create: table => `
    CREATE TABLE IF NOT EXISTS ${quote(table)} ("id" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "path" integer NOT NULL,
      "pk" text COLLATE "C" NOT NULL, "state" integer NOT NULL DEFAULT 0, "by" bigint NOT NULL DEFAULT ${numberOf('pg_current_xact_id()')},
      "upTo" text COLLATE "C" NOT NULL DEFAULT '');
    CREATE INDEX IF NOT EXISTS ${quote(shortened(`${table}_by`))} ON ${quote(table)} ("by") WHERE "state" = 0;`,
  createTrigger: ({ name, table, event, changed, marked }, into) => `
    CREATE OR REPLACE FUNCTION ${quote(name)}() RETURNS trigger LANGUAGE plpgsql AS $trigger$
      BEGIN ${insertMarks(marked, into)} RETURN NULL; END $trigger$;
    DROP TRIGGER IF EXISTS ${quote(name)} ON ${quote(table)};
    CREATE TRIGGER ${quote(name)} AFTER ${event} ON ${quote(table)} FOR EACH ROW ${whenChanged(changed)} EXECUTE FUNCTION ${quote(name)}();`,
  dropTrigger: name => `DROP FUNCTION IF EXISTS ${quote(name)} CASCADE;`,
  triggersOf: prefix =>
    `SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid ` +
    `WHERE c.relnamespace = current_schema()::regnamespace AND starts_with(t.tgname::text, ${textOf(prefix)})`,
  own: `m."by" = ${numberOf('pg_current_xact_id_if_assigned()')}`,
  transactions: {
    next: numberOf('pg_snapshot_xmax(pg_current_snapshot())'),
    oldest: numberOf('pg_snapshot_xmin(pg_current_snapshot())'),
  },
}

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
  drop: ({ texts, words, gone, trigger, marks: marked }) =>
    `DROP FUNCTION IF EXISTS ${quote(trigger)} CASCADE; DROP TABLE IF EXISTS ${[texts, words, gone, marked].map(quote).join(', ')};`,
  marks,
  listOf: (column, isJson) => `CAST(json_agg(${isJson ? `CAST(${column} AS json)` : column}) AS text)`,
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
