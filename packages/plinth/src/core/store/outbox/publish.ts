// Publishes changes: each adds a row to the outbox, in the transaction of the change itself.

import { type ChangeType, hasEvents, holderOf } from '../../model/event.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { quote, tableOf, textOf } from '../sql/columns.ts'
import { run, type SqlSession, type Statement } from '../sql/statements.ts'

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
