// Publishes changes: each adds a row to the outbox, in the transaction of the change itself.

import type { ChangeType } from '../../model/event.ts'
import type { Resource } from '../../model/resource.ts'
import { quote, tableOf, textOf } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { somePks } from '../sql/some-pks.ts'
import { run, type Statement } from '../sql/statement.ts'
import type { Publisher } from './publisher.ts'

/** The publisher, when changes of the resource are published at all. */
export const publisherFor = ({ publisher }: SqlSession, resource: Resource): Publisher | null =>
  publisher && resource.hasEvents ? publisher : null

interface PublishedRows {
  readonly resource: Resource
  readonly type: ChangeType
  /** The source of the changed rows, as `b`: a table, or what a write returns. */
  readonly from: string
  /** An expression for the fields before the change. */
  readonly was?: string
}

/** An INSERT into the log, from rows that are there or that a write returns. */
export const publishSql = (publisher: Publisher, { resource, type, from, was }: PublishedRows): string => {
  const { outbox } = publisher
  const holder = resource.holder
  const columns = ['"type"', '"resource"', '"pk"', '"seen"', '"was"', ...Object.keys(outbox.columns)]
  const values = [
    textOf(type),
    textOf(holder.name),
    'b."pk"',
    imageSql(publisher, holder),
    was ?? 'NULL',
    ...Object.values(outbox.columns),
  ]
  return `INSERT INTO ${outbox.table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${from}`
}

/** The fields of events of a row. */
export const imageSql = ({ outbox, fields }: Publisher, holder: Resource, alias = 'b'): string => {
  const pairs = fields(holder).map(({ name }) => `${textOf(name)}, ${alias}.${quote(name)}`)
  return pairs.length === 0 ? 'NULL' : outbox.image(pairs)
}

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
  const which = somePks(pks, dialect)
  const key = `publish ${which.key} ${type} ${resource.name} ${was ? 'was' : ''}`
  const statement = statements.of<Statement>(key, () => {
    const before = publisher.outbox.imageOf(dialect.placeholder(2))
    const publishing = { resource, type, from: `${tableOf(resource)} AS b`, ...(was && { was: before }) }
    return { sql: `${publishSql(publisher, publishing)} WHERE ${which.condition(1)}`, constants: [] }
  })
  await run(connection, statement, was ? [which.cell, was] : [which.cell])
}

/** The fields of events as they are before an update that touches one of them; null when there is nothing to keep. */
export const imageBefore = async (
  session: SqlSession,
  { resource, pk, values }: { resource: Resource; pk: string; values: Readonly<Record<string, unknown>> },
): Promise<string | null> => {
  const publisher = publisherFor(session, resource)
  const holder = resource.holder
  if (!publisher?.fields(holder).some(({ name }) => values[name] !== undefined)) return null
  const { dialect } = session.statements
  const image = publisher.outbox.imageText(imageSql(publisher, holder))
  const sql = `SELECT ${image} FROM ${tableOf(resource)} AS b WHERE b."pk" = ${dialect.placeholder(1)}${dialect.lock('b')}`
  const [row] = await session.connection.rows(sql, [pk])
  return (row?.[0] as string | undefined) ?? null
}
