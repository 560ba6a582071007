// The tables of the event log. They belong to the store itself, as the journal of migrations does.

import type { Driver } from '../driver.ts'

/**
 * SQLite has one writer: the order of writing is the order of commits, and the row's own number is the sequence. It
 * never counts back, since the newest row is always kept.
 *
 * On PostgreSQL transactions commit in another order than they write, so a number given while writing would become
 * visible after higher ones. Writers only leave a row in the outbox; `arrange` numbers what is committed, one
 * instance at a time. `xid` is what an old row is skipped by, and `id` the order within one round of numbering.
 */
const tables: Record<Driver['dialect'], string> = {
  sqlite: `CREATE TABLE IF NOT EXISTS "plinth_events" (
    "sequence" INTEGER PRIMARY KEY,
    "time" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "pk" TEXT NOT NULL,
    "seen" TEXT,
    "was" TEXT
  ) STRICT;`,
  postgres: `CREATE TABLE IF NOT EXISTS "plinth_outbox" (
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
  INSERT INTO "plinth_event_order" ("last", "floor") VALUES (0, '0') ON CONFLICT DO NOTHING;`,
}

export const eventTable: Record<Driver['dialect'], string> = { sqlite: '"plinth_events"', postgres: '"plinth_outbox"' }

/** Safe against other instances that start at the same time. */
export const prepareEventTables = (driver: Driver): Promise<void> =>
  driver.transaction(
    async connection => {
      if (driver.dialect === 'postgres')
        await connection.script("SELECT pg_advisory_xact_lock(hashtext('plinth_events'), hashtext(current_schema()))")
      await connection.script(tables[driver.dialect])
    },
    { isUnlimited: true },
  )
