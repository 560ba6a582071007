// The log of changes: its tables, reading it, and removing what is old.

import type { ChangeEvent, EventLog, EventRetention, EventSelection, Image } from '../../model/event.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import type { Driver } from '../driver.ts'
import { columnTypeOf } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'
import { readsOf } from '../statement-facts.ts'
import type { WriteCounts } from '../write-counts.ts'
import { eventChannel, eventTable, type OutboxDialect } from './outbox-dialect.ts'

interface EventSource {
  readonly driver: Driver
  /** The fields that accompany the events of the resource of this name. */
  fields(holder: string): readonly ResourceField[]
}

/** The tables belong to the store itself, as the journal of migrations does. Safe against other instances that start at the same time. */
export const prepareEventTables = (driver: Driver): Promise<void> =>
  driver.transaction(connection => connection.script(driver.dialect.outbox.createTables), { isUnlimited: true })

/** Callbacks that run after this process has created or changed records of a resource. */
export class WriteWatchers {
  readonly #wakes = new Map<Resource, Set<() => void>>()

  add(resource: Resource, wake: () => void): () => void {
    const holder = resource.holder
    const wakes = this.#wakes.get(holder) ?? new Set()
    this.#wakes.set(holder, wakes.add(wake))
    return () => void wakes.delete(wake)
  }

  noteWrites(writes: WriteCounts): void {
    for (const holder of writes.byHolder.keys()) for (const wake of this.#wakes.get(holder) ?? []) wake()
  }
}

/** `wakes` are called after each commit here. */
export const createEventLog = ({ driver, fields }: EventSource, wakes: Set<() => void>): EventLog => {
  const { dialect } = driver
  const { outbox } = dialect
  return {
    arrange: async () => outbox.arrange?.(driver),
    read: async selection => {
      const { sql, cells } = reading(selection, dialect)
      const rows = await driver.rows(sql, cells, false, { facts, walks: walkedBy(selection) })
      return rows.map(row => toEvent(row, name => decoderOf(fields(name), outbox)))
    },
    window: async () => {
      const [row] = await driver.rows(outbox.window, [], false, { facts, walks: 2 })
      const [oldest, latest] = [row?.[0], row?.[1]]
      return { latest: Number(latest ?? 0), oldest: oldest === null ? Number(latest ?? 0) + 1 : Number(oldest) }
    },
    prune: retention => prune(driver, retention),
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

const facts = readsOf({ plinth_events: 'plinth_events' })

export const columns = '"sequence", "time", "type", "resource", "pk", "seen", "was"'

const reading = ({ after, upTo, limit, resource, pk }: EventSelection, { placeholder: place }: Dialect) => {
  const cells: (string | number)[] = [after, upTo, limit]
  const conditions = [`"sequence" > ${place(1)}`, `"sequence" <= ${place(2)}`]
  if (resource !== undefined) conditions.push(`"resource" = ${place(cells.push(resource))}`)
  if (pk !== undefined) conditions.push(`"pk" = ${place(cells.push(pk))}`)
  const where = conditions.join(' AND ')
  return { cells, sql: `SELECT ${columns} FROM ${eventTable} WHERE ${where} ORDER BY "sequence" LIMIT ${place(3)}` }
}

/** Events of all resources end at the limit; those of one resource may be few among many. */
const walkedBy = ({ after, upTo, limit, resource, pk }: EventSelection): number =>
  resource === undefined && pk === undefined ? Math.min(limit, upTo - after) : upTo - after

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

const decoderOf =
  (fields: readonly ResourceField[], { decode }: OutboxDialect): Decode =>
  image => {
    const decoded: Record<string, unknown> = {}
    for (const field of fields) {
      if (!(field.name in image)) continue
      const value = image[field.name]
      decoded[field.name] = value === null ? null : (decode[columnTypeOf(field)]?.(value) ?? value)
    }
    return decoded
  }

/** The number of rows at once that a writer hardly notices. */
const pruneBatch = 1000

/** The newest event always stays: the next number may follow from it. */
const prune = (driver: Driver, { hours, rows }: EventRetention): Promise<number> => {
  const { outbox, placeholder } = driver.dialect
  const latest = `(SELECT max("sequence") FROM ${eventTable})`
  const oldest = `SELECT "sequence", "time" FROM ${eventTable} ORDER BY "sequence" LIMIT ${pruneBatch}`
  const isOld = `"time" < ${outbox.hoursAgo(placeholder(2))} OR "sequence" <= ${latest} - ${placeholder(1)}`
  const sql =
    `DELETE FROM ${eventTable} WHERE "sequence" IN (SELECT "sequence" FROM (${oldest}) AS oldest ` +
    `WHERE "sequence" < ${latest} AND (${isOld})) RETURNING 1`
  return driver.transaction(async connection => (await connection.rows(sql, [rows, hours])).length)
}
