// The pairs of to-many relations: reading them, and adding and taking away, from either side.

import type { Member } from '../../model/resource.ts'
import type { Pair, PairOptions } from '../../model/transaction.ts'
import type { Cell, ResultRow } from '../driver.ts'
import { publish } from '../outbox/publish.ts'
import { type Holding, holdingOf, quote, tableOf } from './columns.ts'
import type { Dialect } from './dialect.ts'
import { absent, missingTargets, refusedLink } from './refusals.ts'
import type { SqlSession } from './statements.ts'

/** A to-many relation of one record. */
interface ToManyRelation {
  readonly relation: Member
  readonly pk: string
}

type PairsHolding = Extract<Holding, { kind: 'pairs' }>
type ColumnHolding = Extract<Holding, { kind: 'column' }>

export const readPairs = async (
  { statements: { dialect }, connection }: SqlSession,
  { relation, owners }: { readonly relation: Member; readonly owners: readonly string[] },
  { limit, requester }: PairOptions,
): Promise<readonly Pair[]> => {
  const holding = holdingOf(relation)
  const { table, near, far } =
    holding.kind === 'pairs' ? holding : { table: tableOf(holding.by.owner), near: quote(holding.by.name), far: '"pk"' }
  const among = dialect.among(near, dialect.placeholder(1), 'text')
  const order = orderOf([near, far], dialect)
  const sql = `SELECT ${near}, ${far} FROM ${table} WHERE ${among} ORDER BY ${order} LIMIT ${dialect.placeholder(2)}`
  const rows = await connection.rows(sql, [dialect.list(owners, 'text'), limit], false, { requester })
  return rows as readonly Pair[]
}

const orderOf = (columns: readonly string[], dialect: Dialect): string =>
  columns.map(column => column + dialect.orderNulls(false)).join(', ')

export const addLinks = async (
  session: SqlSession,
  linked: ToManyRelation,
  targets: readonly string[],
): Promise<void> => {
  if (targets.length === 0) return
  const holding = holdingOf(linked.relation)
  if (holding.kind === 'column') return pointHere(session, { ...linked, holding }, targets)
  await raiseVersions(session, holding, await insertPairs(session, { ...linked, holding }, targets))
}

export const removeLinks = async (
  session: SqlSession,
  linked: ToManyRelation,
  targets: readonly string[],
): Promise<void> => {
  if (targets.length === 0) return
  const holding = holdingOf(linked.relation)
  if (holding.kind === 'column') return pointNowhere(session, { ...linked, holding }, targets)
  await raiseVersions(session, holding, await deletePairs(session, { ...linked, holding }, { targets, others: false }))
}

/** The given targets and no others; for writes that raise the record's version themselves. */
export const replaceLinks = async (
  session: SqlSession,
  linked: ToManyRelation,
  targets: readonly string[],
): Promise<void> => {
  const holding = holdingOf(linked.relation)
  if (holding.kind === 'column') throw new Error(`${linked.relation.name} is held by the records at its other end`)
  await deletePairs(session, { ...linked, holding }, { targets, others: true })
  if (targets.length > 0) await insertPairs(session, { ...linked, holding }, targets)
}

type InPairs = ToManyRelation & { readonly holding: PairsHolding }
type InColumn = ToManyRelation & { readonly holding: ColumnHolding }

/** Gives the owners of the pairs that were not there before. */
const insertPairs = async (
  session: SqlSession,
  { relation, pk, holding: { table, near, far } }: InPairs,
  targets: readonly string[],
): Promise<readonly ResultRow[]> => {
  const { dialect } = session.statements
  const rows = `SELECT ${dialect.placeholder(1)}, listed.value FROM ${dialect.listRows(dialect.placeholder(2))}`
  // Without WHERE, SQLite would read the conflict clause as the condition of a join.
  const sql = `INSERT INTO ${table} (${near}, ${far}) ${rows} WHERE TRUE ON CONFLICT DO NOTHING RETURNING "owner"`
  const cells: Cell[] = [pk, dialect.list(targets, 'text')]
  return session.connection.rows(sql, cells).catch(error => {
    throw refusedLink(session, relation, error)
  })
}

/** Gives the owners of the pairs that are gone. `others`: all but the targets. */
const deletePairs = (
  { statements: { dialect }, connection }: SqlSession,
  { pk, holding: { table, near, far } }: InPairs,
  { targets, others }: { readonly targets: readonly string[]; readonly others: boolean },
): Promise<readonly ResultRow[]> => {
  const among = dialect.among(far, dialect.placeholder(2), 'text')
  const which = `${near} = ${dialect.placeholder(1)} AND ${others ? `NOT (${among})` : among}`
  return connection.rows(`DELETE FROM ${table} WHERE ${which} RETURNING "owner"`, [pk, dialect.list(targets, 'text')])
}

/** A record that shows its links inside itself is another one after they change. */
const raiseVersions = async (
  session: SqlSession,
  { links }: PairsHolding,
  changed: readonly ResultRow[],
): Promise<void> => {
  if (changed.length === 0 || links.field.role !== 'links' || !links.field.embed) return
  const { dialect } = session.statements
  const owners = [...new Set(changed.map(([owner]) => owner as string))]
  const among = dialect.among('"pk"', dialect.placeholder(1), 'text')
  const sql = `UPDATE ${tableOf(links.owner)} SET "version" = "version" + 1 WHERE ${among}`
  await session.connection.rows(sql, [dialect.list(owners, 'text')])
  await publish(session, { resource: links.owner, type: 'updated', pks: owners })
}

/** Held by a column at the other end: the records there are made to refer to this one. */
const pointHere = async (
  session: SqlSession,
  { relation, pk, holding: { by } }: InColumn,
  targets: readonly string[],
) => {
  const { dialect } = session.statements
  const list = dialect.list(targets, 'text')
  const which = dialect.among('"pk"', dialect.placeholder(1), 'text')
  const found = await session.connection.rows(`SELECT "pk" FROM ${tableOf(by.owner)} WHERE ${which}`, [list])
  if (found.length < new Set(targets).size) {
    throw missingTargets([{ member: relation.name, target: by.owner.name }], undefined)
  }
  const column = quote(by.name)
  const place = dialect.placeholder(1)
  const sql =
    `UPDATE ${tableOf(by.owner)} SET ${column} = ${place}, "version" = "version" + 1 ` +
    `WHERE ${dialect.among('"pk"', dialect.placeholder(2), 'text')} AND ${column} IS DISTINCT FROM ${place} RETURNING "pk"`
  const changed = await session.connection.rows(sql, [pk, list]).catch(error => {
    throw refusedLink(session, relation, error)
  })
  await publish(session, { resource: by.owner, type: 'updated', pks: changed.map(([target]) => target as string) })
}

const pointNowhere = async (session: SqlSession, { pk, holding: { by } }: InColumn, targets: readonly string[]) => {
  const { dialect } = session.statements
  const column = quote(by.name)
  const sql =
    `UPDATE ${tableOf(by.owner)} SET ${column} = NULL, "version" = "version" + 1 ` +
    `WHERE ${column} = ${dialect.placeholder(1)} AND ${dialect.among('"pk"', dialect.placeholder(2), 'text')} RETURNING "pk"`
  const changed = await session.connection.rows(sql, [pk, dialect.list(targets, 'text')]).catch(error => {
    throw dialect.violationOf(error)?.kind === 'required' ? absent([by.name], error) : error
  })
  await publish(session, { resource: by.owner, type: 'updated', pks: changed.map(([target]) => target as string) })
}
