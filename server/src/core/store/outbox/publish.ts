// Telling of changes: a row in the event log for each, written in the transaction of the change itself.

import { type ChangeType, holderOf, isAnnounced } from '../../model/event.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { quote, tableOf, textOf } from '../sql/names.ts'
import type { Session } from '../sql/read.ts'
import { run, type Statement } from '../sql/statements.ts'

/** What the store needs to tell of changes. */
export interface Announcer {
  /** The members that accompany the events of the resource that holds the records. */
  members(holder: Resource): readonly Member[]
  /** There is something to tell once the transaction is committed. */
  noted(): void
}

/** The announcer, when the resource's changes are told at all. */
export const announcerFor = ({ announcer }: Session, resource: Resource): Announcer | null =>
  announcer && isAnnounced(resource) ? announcer : null

interface Telling {
  readonly resource: Resource
  readonly type: ChangeType
  /** Where the changed rows come from, as `b`: a table, or what a write returns. */
  readonly from: string
  /** An expression for the members before the change. */
  readonly was?: string
}

/** An INSERT into the log, from rows that are there or that a write returns. */
export const tellingSql = (session: Session, announcer: Announcer, { resource, type, from, was }: Telling): string => {
  const { outbox } = session.statements.dialect
  const holder = holderOf(resource)
  const columns = ['"type"', '"resource"', '"pk"', '"seen"', '"was"', ...Object.keys(outbox.columns)]
  const values = [
    textOf(type),
    textOf(holder.name),
    'b."pk"',
    imageSql(session, announcer.members(holder)),
    was ?? 'NULL',
    ...Object.values(outbox.columns),
  ]
  return `INSERT INTO ${outbox.table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${from}`
}

const imageSql = ({ statements }: Session, members: readonly Member[]): string =>
  members.length === 0
    ? 'NULL'
    : statements.dialect.outbox.image(members.map(({ name }) => `${textOf(name)}, b.${quote(name)}`))

/** Tells of records that have been written, or that are about to be deleted. */
export const announce = async (
  session: Session,
  { resource, type, pks, was }: { resource: Resource; type: ChangeType; pks: readonly string[]; was?: string | null },
): Promise<void> => {
  const announcer = announcerFor(session, resource)
  if (!announcer || pks.length === 0) return
  announcer.noted()
  const { statements, connection } = session
  const { dialect } = statements
  const [first = '', second] = pks
  const isOne = second === undefined
  const key = `tell ${isOne ? 'one' : 'all'} ${type} ${resource.name} ${was ? 'was' : ''}`
  const statement = statements.of<Statement>(key, () => {
    const before = dialect.outbox.imageOf(dialect.placeholder(2))
    const telling = { resource, type, from: `${tableOf(resource)} AS b`, ...(was && { was: before }) }
    const place = dialect.placeholder(1)
    const which = isOne ? `b."pk" = ${place}` : dialect.among('b."pk"', place, 'text')
    return { sql: `${tellingSql(session, announcer, telling)} WHERE ${which}`, constants: [] }
  })
  const cell = isOne ? first : dialect.list(pks, 'text')
  await run(connection, statement, was ? [cell, was] : [cell])
}

/** The announced members as they are before an update that touches one of them; null when there is nothing to keep. */
export const imageBefore = async (
  session: Session,
  { resource, pk, values }: { resource: Resource; pk: string; values: Readonly<Record<string, unknown>> },
): Promise<string | null> => {
  const members = announcerFor(session, resource)?.members(holderOf(resource)) ?? []
  if (!members.some(({ name }) => values[name] !== undefined)) return null
  const { dialect } = session.statements
  const image = dialect.outbox.imageText(imageSql(session, members))
  const sql = `SELECT ${image} FROM ${tableOf(resource)} AS b WHERE b."pk" = ${dialect.placeholder(1)}${dialect.lock('b')}`
  const [row] = await session.connection.rows(sql, [pk])
  return (row?.[0] as string | undefined) ?? null
}
