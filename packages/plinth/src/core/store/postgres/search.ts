// Indexes of words on PostgreSQL.

import type { SearchDialect } from '../search/tables.ts'
import { quote, shortened, textOf } from '../sql/columns.ts'

interface TriggerParts {
  readonly on: string
  readonly after: string
  readonly body: string
}

/** A trigger with a function of its own name. */
const triggerSql = (name: string, { on, after, body }: TriggerParts): string => `
  CREATE OR REPLACE FUNCTION ${quote(name)}() RETURNS trigger LANGUAGE plpgsql AS $trigger$
    BEGIN ${body}; RETURN NULL; END $trigger$;
  DROP TRIGGER IF EXISTS ${quote(name)} ON ${quote(on)};
  CREATE TRIGGER ${quote(name)} AFTER ${after} ON ${quote(on)} FOR EACH ROW EXECUTE FUNCTION ${quote(name)}();`

export const postgresSearch: SearchDialect = {
  create: ({ texts, words, trigger }, records) => {
    const forget =
      `DELETE FROM ${quote(words)} WHERE "pk" = old."pk" AND "entry" = ` +
      `ANY(ARRAY(SELECT json_array_elements_text(CAST(old."entries" AS json))))`
    // All columns are in the key, so that a search reads the index alone.
    return `
      CREATE TABLE IF NOT EXISTS ${quote(texts)} ("pk" text COLLATE "C" PRIMARY KEY, "entries" text NOT NULL,
        "length" bigint NOT NULL);
      CREATE TABLE IF NOT EXISTS ${quote(words)} ("entry" text COLLATE "C" NOT NULL, "pk" text COLLATE "C" NOT NULL,
        "value" bigint NOT NULL, PRIMARY KEY ("entry", "pk", "value"));
      ${triggerSql(trigger, { on: records, after: 'DELETE', body: `DELETE FROM ${quote(texts)} WHERE "pk" = old."pk"` })}
      ${triggerSql(shortened(`${texts}_entries`), { on: texts, after: 'UPDATE OR DELETE', body: forget })}`
  },
  drop: ({ texts, words, trigger }) =>
    `DROP FUNCTION IF EXISTS ${quote(trigger)} CASCADE; DROP TABLE IF EXISTS ${quote(texts)}, ${quote(words)};`,
  hasTrigger: trigger =>
    `SELECT 1 FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid ` +
    `WHERE t.tgname = ${textOf(trigger)} AND c.relnamespace = current_schema()::regnamespace`,
  textRows: documents =>
    `(SELECT value ->> 'pk' AS "pk", value ->> 'entries' AS "entries", CAST(value ->> 'length' AS bigint) AS "length" ` +
    `FROM json_array_elements(CAST(${documents} AS json))) AS d`,
  // Each document is read once: without OFFSET, its pk would be read again for each of its words.
  wordRows: documents =>
    `SELECT e.key AS "entry", d."pk", CAST(e.value AS bigint) AS "value" FROM (SELECT value ->> 'pk' AS "pk", value -> 'values' AS "values" ` +
    `FROM json_array_elements(CAST(${documents} AS json)) OFFSET 0) AS d, json_each_text(d."values") AS e`,
  entryRows: entries =>
    `(SELECT value ->> 0 AS "entry", CAST(value ->> 1 AS double precision) AS "weight", ` +
    `CAST(value ->> 2 AS double precision) AS "length" FROM json_array_elements(CAST(${entries} AS json))) AS q`,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  join: 'JOIN',
  buildBatch: 200,
  analyse: table => `VACUUM (ANALYZE) ${quote(table)}`,
  hasTable: table => `SELECT 1 WHERE to_regclass(${textOf(quote(table))}) IS NOT NULL`,
}
