// The log of changes: its tables, reading it, and removing what is old.

import {
  type ChangeEvent,
  type ChangeType,
  type EventLog,
  type EventRetention,
  type EventSelection,
  hasEvents,
  holderOf,
  type Image,
} from '../../model/event.ts'
import type { Member, Resource } from '../../model/resource.ts'
import type { Driver } from '../driver.ts'
import { columnTypeOf, quote, tableOf, textOf } from '../sql/columns.ts'
import { type Dialect, eventChannel, eventTable, type OutboxDialect } from '../sql/dialect.ts'
import { run, type SqlSession, type Statement } from '../sql/statements.ts'
import type { WriteCounts } from '../sql/write.ts'

interface EventSource {
  readonly driver: Driver
  /** The members that accompany the events of the resource of this name. */
  members(holder: string): readonly Member[]
}

/** The tables belong to the store itself, as the journal of migrations does. Safe against other instances that start at the same time. */
export const prepareEventTables = (driver: Driver): Promise<void> =>
  driver.transaction(connection => connection.script(driver.dialect.outbox.createTables), { isUnlimited: true })

/** Callbacks that run after this process has created or changed records of a resource. */
export class WriteWatchers {
  readonly #wakes = new Map<Resource, Set<() => void>>()

  add(resource: Resource, wake: () => void): () => void {
    const holder = holderOf(resource)
    const wakes = this.#wakes.get(holder) ?? new Set()
    this.#wakes.set(holder, wakes.add(wake))
    return () => void wakes.delete(wake)
  }

  noteWrites(writes: WriteCounts): void {
    for (const holder of writes.holders) for (const wake of this.#wakes.get(holder) ?? []) wake()
  }
}

/** `wakes` are called after each commit here. */
export const createEventLog = ({ driver, members }: EventSource, wakes: Set<() => void>): EventLog => {
  const { dialect } = driver
  const { outbox } = dialect
  return {
    arrange: () => outbox.arrange(driver),
    read: async selection => {
      const { sql, cells } = reading(selection, dialect)
      const rows = await driver.rows(sql, cells, false, { walks: walkedBy(selection) })
      return rows.map(row => toEvent(row, name => decoderOf(members(name), outbox)))
    },
    window: async () => {
      const [row] = await driver.rows(outbox.window, [], false, { walks: 2 })
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

const columns = '"sequence", "time", "type", "resource", "pk", "seen", "was"'

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
  (members: readonly Member[], { decode }: OutboxDialect): Decode =>
  image => {
    const decoded: Record<string, unknown> = {}
    for (const member of members) {
      if (!(member.name in image)) continue
      const value = image[member.name]
      decoded[member.name] = value === null ? null : (decode[columnTypeOf(member)]?.(value) ?? value)
    }
    return decoded
  }

/** So many at once that a writer hardly notices the wait. */
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

// Publishes changes: each adds a row to the outbox, in the transaction of the change itself.

/** What the store needs to publish changes. */
export interface Publisher {
  /** The members that accompany the events of the resource that holds the records. */
  members(holder: Resource): readonly Member[]
  /** There are events to read once the transaction is committed. */
  onPublish(): void
}

/** The publisher, when changes of the resource are published at all. */
export const publisherFor = ({ publisher }: SqlSession, resource: Resource): Publisher | null =>
  publisher && hasEvents(resource) ? publisher : null

interface PublishedRows {
  readonly resource: Resource
  readonly type: ChangeType
  /** Where the changed rows come from, as `b`: a table, or what a write returns. */
  readonly from: string
  /** An expression for the members before the change. */
  readonly was?: string
}

/** An INSERT into the log, from rows that are there or that a write returns. */
export const publishSql = (
  session: SqlSession,
  publisher: Publisher,
  { resource, type, from, was }: PublishedRows,
): string => {
  const { outbox } = session.statements.dialect
  const holder = holderOf(resource)
  const columns = ['"type"', '"resource"', '"pk"', '"seen"', '"was"', ...Object.keys(outbox.columns)]
  const values = [
    textOf(type),
    textOf(holder.name),
    'b."pk"',
    imageSql(session, publisher.members(holder)),
    was ?? 'NULL',
    ...Object.values(outbox.columns),
  ]
  return `INSERT INTO ${outbox.table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${from}`
}

const imageSql = ({ statements }: SqlSession, members: readonly Member[]): string =>
  members.length === 0
    ? 'NULL'
    : statements.dialect.outbox.image(members.map(({ name }) => `${textOf(name)}, b.${quote(name)}`))

/** Publishes changes of records that have been written, or that are about to be deleted. */
export const publish = async (
  session: SqlSession,
  { resource, type, pks, was }: { resource: Resource; type: ChangeType; pks: readonly string[]; was?: string | null },
): Promise<void> => {
  const publisher = publisherFor(session, resource)
  if (!publisher || pks.length === 0) return
  publisher.onPublish()
  const { statements, connection } = session
  const { dialect } = statements
  const [first = '', second] = pks
  const isOne = second === undefined
  const key = `publish ${isOne ? 'one' : 'all'} ${type} ${resource.name} ${was ? 'was' : ''}`
  const statement = statements.of<Statement>(key, () => {
    const before = dialect.outbox.imageOf(dialect.placeholder(2))
    const publishing = { resource, type, from: `${tableOf(resource)} AS b`, ...(was && { was: before }) }
    const place = dialect.placeholder(1)
    const which = isOne ? `b."pk" = ${place}` : dialect.among('b."pk"', place, 'text')
    return { sql: `${publishSql(session, publisher, publishing)} WHERE ${which}`, constants: [] }
  })
  const cell = isOne ? first : dialect.list(pks, 'text')
  await run(connection, statement, was ? [cell, was] : [cell])
}

/** The members of events as they are before an update that touches one of them; null when there is nothing to keep. */
export const imageBefore = async (
  session: SqlSession,
  { resource, pk, values }: { resource: Resource; pk: string; values: Readonly<Record<string, unknown>> },
): Promise<string | null> => {
  const members = publisherFor(session, resource)?.members(holderOf(resource)) ?? []
  if (!members.some(({ name }) => values[name] !== undefined)) return null
  const { dialect } = session.statements
  const image = dialect.outbox.imageText(imageSql(session, members))
  const sql = `SELECT ${image} FROM ${tableOf(resource)} AS b WHERE b."pk" = ${dialect.placeholder(1)}${dialect.lock('b')}`
  const [row] = await session.connection.rows(sql, [pk])
  return (row?.[0] as string | undefined) ?? null
}
