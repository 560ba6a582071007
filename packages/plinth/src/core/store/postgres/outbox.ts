// The event log on PostgreSQL. Transactions commit in another order than they write, so a number given while writing would become
// visible after higher ones. Writers only add a row to the outbox; `arrange` numbers what is committed, one instance at a
// time. `xid` is what an old row is skipped by, and `id` the order within one round of numbering.

import { eventChannel, type OutboxDialect } from '../outbox/outbox-dialect.ts'

const createTables = `SELECT pg_advisory_xact_lock(hashtext('plinth_events'), hashtext(current_schema()));
  CREATE TABLE IF NOT EXISTS "plinth_outbox" (
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "id" bigint GENERATED ALWAYS AS IDENTITY,
    "type" text NOT NULL,
    "resource" text NOT NULL,
    "pk" text COLLATE "C" NOT NULL,
    "seen" jsonb,
    "was" jsonb
  );
  CREATE INDEX IF NOT EXISTS "plinth_i_outbox" ON "plinth_outbox" ("xid");
  CREATE TABLE IF NOT EXISTS "plinth_events" (
    "sequence" bigint PRIMARY KEY,
    "time" timestamp(3) with time zone NOT NULL,
    "type" text NOT NULL,
    "resource" text NOT NULL,
    "pk" text COLLATE "C" NOT NULL,
    "seen" jsonb,
    "was" jsonb
  );
  CREATE TABLE IF NOT EXISTS "plinth_event_order" (
    "only" boolean PRIMARY KEY DEFAULT true CHECK ("only"),
    "last" bigint NOT NULL,
    "floor" xid8 NOT NULL
  );
  INSERT INTO "plinth_event_order" ("last", "floor") VALUES (0, '0') ON CONFLICT DO NOTHING;`

/**
 * Numbers what is committed, in one journey: a procedure, whose statements see what was committed before each of them began. Why the
 * order is right:
 * - The row lock lets one instance number at a time, and the statement after it sees all that those before it did. So
 *   numbers become visible in rising order and without gaps, and a reader that has read up to n has missed nothing below n.
 * - A change that saw another one's effect was written after the other was committed: the other is in an earlier round
 *   or has the lower `id` in the same one. Changes of one record wait for each other's commit, so they never swap.
 * - What is not yet committed is not seen, and waits for the next round; nothing else waits for it.
 * `floor`: every transaction below it had ended when this statement looked, so its rows are numbered by now. The index
 * leads past what earlier rounds took away, even while an old snapshot keeps the database from cleaning it up.
 */
const createProcedure = `CREATE OR REPLACE PROCEDURE "plinth_number_events"() LANGUAGE plpgsql AS $procedure$
  BEGIN
    -- Another instance may be numbering for longer than single writes wait.
    PERFORM set_config('lock_timeout', '0', true);
    IF NOT EXISTS (SELECT 1 FROM "plinth_outbox" WHERE "xid" >= (SELECT "floor" FROM "plinth_event_order")) THEN
      RETURN;
    END IF;
    PERFORM "last" FROM "plinth_event_order" FOR UPDATE;
    WITH taken AS (
      DELETE FROM "plinth_outbox" WHERE "xid" >= (SELECT "floor" FROM "plinth_event_order") RETURNING *
    ), placed AS (
      INSERT INTO "plinth_events" ("sequence", "time", "type", "resource", "pk", "seen", "was")
      SELECT "last" + row_number() OVER (ORDER BY "id"), clock_timestamp(), "type", "resource", "pk", "seen", "was"
      FROM taken, "plinth_event_order" RETURNING 1
    )
    UPDATE "plinth_event_order"
    SET "last" = "last" + (SELECT count(*) FROM placed), "floor" = pg_snapshot_xmin(pg_current_snapshot());
    PERFORM pg_notify('${eventChannel}', '');
  END
$procedure$;`

export const postgresOutbox: OutboxDialect = {
  createTables: createTables + createProcedure,
  table: '"plinth_outbox"',
  columns: {},
  image: pairs => `jsonb_build_object(${pairs.join(', ')})`,
  imageOf: placeholder => `${placeholder}::jsonb`,
  imageText: image => `${image}::text`,
  decode: { timestamp: value => new Date(String(value)).toISOString() },
  arrange: async database => void (await database.rows('CALL "plinth_number_events"()', [])),
  restart: async (connection, { sequence }) => {
    await connection.script('DELETE FROM "plinth_outbox"; DELETE FROM "plinth_events"')
    await connection.rows('UPDATE "plinth_event_order" SET "last" = $1', [sequence])
  },
  window: 'SELECT (SELECT min("sequence") FROM "plinth_events"), "last" FROM "plinth_event_order"',
  hoursAgo: placeholder => `now() - make_interval(hours => ${placeholder})`,
}
