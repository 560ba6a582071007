// The event log on SQLite. There is one writer: the order of writing is the order of commits, and the number of the row is the sequence.
// It never counts back, since the newest row is always kept.

import type { OutboxDialect } from '../outbox/outbox-dialect.ts'
import { sqliteSchema } from './schema.ts'
import { decodeVector } from './vectors.ts'

const createTables = `CREATE TABLE IF NOT EXISTS "plinth_events" (
    "sequence" INTEGER PRIMARY KEY,
    "time" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "pk" TEXT NOT NULL,
    "seen" TEXT,
    "was" TEXT
  ) STRICT;`

export const sqliteOutbox: OutboxDialect = {
  createTables,
  table: '"plinth_events"',
  columns: { '"time"': sqliteSchema.now },
  image: pairs => `json_object(${pairs.join(', ')})`,
  imageOf: placeholder => placeholder,
  imageText: image => image,
  decode: {
    boolean: value => value === 1,
    json: value => JSON.parse(String(value)),
    vector: decodeVector,
  },
  // The next number follows from the newest row.
  restart: async (connection, { sequence, type, resource, pk }) => {
    await connection.script('DELETE FROM "plinth_events"')
    const row = `INSERT INTO "plinth_events" ("sequence", "time", "type", "resource", "pk") VALUES (?1, ${sqliteSchema.now}, ?2, ?3, ?4)`
    await connection.rows(row, [sequence, type, resource, pk])
  },
  // Asked for together, the two would be found by a scan.
  window: 'SELECT (SELECT min("sequence") FROM "plinth_events"), (SELECT max("sequence") FROM "plinth_events")',
  hoursAgo: placeholder => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || ${placeholder} || ' hours')`,
}
