// The log of changes on both databases: putting it in order, reading it, and letting go of what is old.

import type { ChangeEvent, EventLog, EventRetention, EventSelection, Image } from '../../model/event.ts'
import type { ColumnType } from '../../model/field.ts'
import type { Member } from '../../model/resource.ts'
import type { Driver } from '../driver.ts'
import { columnTypeOf } from '../sql/names.ts'

export interface EventSource {
  readonly driver: Driver
  /** The members that accompany the events of the resource of this name. */
  members(holder: string): readonly Member[]
}

/** `wakes` are called after each commit here. */
export const createEventLog = ({ driver, members }: EventSource, wakes: Set<() => void>): EventLog => {
  const isPostgres = driver.dialect === 'postgres'
  const place = (slot: number) => (isPostgres ? `$${slot}` : `?${slot}`)
  return {
    arrange: () => (isPostgres ? arrange(driver) : Promise.resolve()),
    read: async selection => {
      const { sql, cells } = reading(selection, place)
      const rows = await driver.rows(sql, cells, false, { walks: selection.upTo - selection.after })
      return rows.map(row => toEvent(row, name => decoderOf(members(name), isPostgres)))
    },
    window: async () => {
      const [row] = await driver.rows(isPostgres ? postgresWindow : sqliteWindow, [], false, { walks: 2 })
      const [oldest, latest] = [row?.[0], row?.[1]]
      return { latest: Number(latest ?? 0), oldest: oldest === null ? Number(latest ?? 0) + 1 : Number(oldest) }
    },
    prune: retention => prune(driver, retention, place),
    watch: async wake => {
      wakes.add(wake)
      const stop = await driver.listen?.(eventChannel, wake)
      return async () => {
        wakes.delete(wake)
        await stop?.()
      }
    },
  }
}

const eventChannel = 'plinth_events'

/** Asked for together, SQLite would find the two by a scan. */
const sqliteWindow =
  'SELECT (SELECT min("sequence") FROM "plinth_events"), (SELECT max("sequence") FROM "plinth_events")'
const postgresWindow = 'SELECT (SELECT min("sequence") FROM "plinth_events"), "last" FROM "plinth_event_order"'

/**
 * Numbers what is committed. Why the order is right:
 * - The row lock lets one instance number at a time, and the statement after it sees all that those before it did. So
 *   numbers become visible in rising order and without gaps, and whoever has read up to n has missed nothing below n.
 * - A change that saw another one's effect was written after the other was committed: the other is in an earlier round
 *   or has the lower `id` in the same one. Changes of one record wait for each other's commit, so they never swap.
 * - What is not yet committed is not seen, and waits for the next round; nobody else waits for it.
 * `floor`: every transaction below it had ended when this statement looked, so its rows are numbered by now. The index
 * leads past what earlier rounds took away, even while an old snapshot keeps the database from cleaning it up.
 */
const arrange = async (driver: Driver): Promise<void> => {
  const waiting = await driver.rows(
    'SELECT 1 FROM "plinth_outbox" WHERE "xid" >= (SELECT "floor" FROM "plinth_event_order") LIMIT 1',
    [],
  )
  if (waiting.length === 0) return
  await driver.transaction(async connection => {
    await connection.rows('SELECT "last" FROM "plinth_event_order" FOR UPDATE', [])
    await connection.rows(numbering, [])
    await connection.rows(`SELECT pg_notify('${eventChannel}', '')`, [])
  })
}

const numbering = `
  WITH taken AS (
    DELETE FROM "plinth_outbox" WHERE "xid" >= (SELECT "floor" FROM "plinth_event_order") RETURNING *
  ), placed AS (
    INSERT INTO "plinth_events" ("sequence", "time", "type", "resource", "pk", "seen", "was")
    SELECT "last" + row_number() OVER (ORDER BY "id"), clock_timestamp(), "type", "resource", "pk", "seen", "was"
    FROM taken, "plinth_event_order" RETURNING 1
  )
  UPDATE "plinth_event_order"
  SET "last" = "last" + (SELECT count(*) FROM placed), "floor" = pg_snapshot_xmin(pg_current_snapshot())`

const columns = '"sequence", "time", "type", "resource", "pk", "seen", "was"'

const reading = ({ after, upTo, limit, resource, pk }: EventSelection, place: (slot: number) => string) => {
  const cells: (string | number)[] = [after, upTo, limit]
  const conditions = [`"sequence" > ${place(1)}`, `"sequence" <= ${place(2)}`]
  if (resource !== undefined) conditions.push(`"resource" = ${place(cells.push(resource))}`)
  if (pk !== undefined) conditions.push(`"pk" = ${place(cells.push(pk))}`)
  const where = conditions.join(' AND ')
  return { cells, sql: `SELECT ${columns} FROM "plinth_events" WHERE ${where} ORDER BY "sequence" LIMIT ${place(3)}` }
}

type Decode = (image: Record<string, unknown>) => Image

const toEvent = (row: readonly unknown[], decoder: (resource: string) => Decode): ChangeEvent => {
  const [sequence, time, type, resource, pk, seen, was] = row
  const toImage = (cell: unknown): Image | null => {
    if (cell === null) return null
    return decoder(resource as string)(typeof cell === 'string' ? JSON.parse(cell) : (cell as Record<string, unknown>))
  }
  return {
    sequence: Number(sequence),
    time: time as string,
    type: type as ChangeEvent['type'],
    resource: resource as string,
    pk: pk as string,
    seen: toImage(seen),
    was: toImage(was),
  }
}

/** Inside JSON each database has its own way with times, truths and lists. */
const decoderOf =
  (members: readonly Member[], isPostgres: boolean): Decode =>
  image => {
    const decoded: Record<string, unknown> = {}
    for (const member of members) {
      if (!(member.name in image)) continue
      const value = image[member.name]
      decoded[member.name] = value === null ? null : fromJson(value, columnTypeOf(member), isPostgres)
    }
    return decoded
  }

const fromJson = (value: unknown, column: ColumnType, isPostgres: boolean): unknown => {
  if (column === 'timestamp' && isPostgres) return new Date(String(value)).toISOString()
  if (column === 'boolean' && !isPostgres) return value === 1
  return column === 'json' && !isPostgres ? JSON.parse(String(value)) : value
}

/** So many at once that a writer hardly notices the wait. */
const pruneBatch = 1000

/** The newest event always stays: on SQLite the next number follows from it. */
const prune = async (
  driver: Driver,
  { hours, rows }: EventRetention,
  place: (slot: number) => string,
): Promise<number> => {
  const cutoff =
    driver.dialect === 'postgres'
      ? `now() - make_interval(hours => ${place(2)})`
      : `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || ${place(2)} || ' hours')`
  const latest = '(SELECT max("sequence") FROM "plinth_events")'
  const oldest = `SELECT "sequence", "time" FROM "plinth_events" ORDER BY "sequence" LIMIT ${pruneBatch}`
  const sql =
    `DELETE FROM "plinth_events" WHERE "sequence" IN (SELECT "sequence" FROM (${oldest}) AS oldest ` +
    `WHERE "sequence" < ${latest} AND ("time" < ${cutoff} OR "sequence" <= ${latest} - ${place(1)})) RETURNING 1`
  return driver.transaction(async connection => (await connection.rows(sql, [rows, hours])).length)
}
