// The pairs of to-many relations: reads those of either side, and writes those of one record.

import type { ResourceField } from '../../model/resource.ts'
import type { Pair, PairOptions } from '../../model/transaction.ts'
import type { Cell } from '../connection.ts'
import { readsOf } from '../statement-facts.ts'
import { type Holding, holdingOf, linkTableOf, quote, recordTableOf, tableOf } from './columns.ts'
import type { Dialect } from './dialect.ts'
import type { RecordWrite } from './record-write.ts'
import { refusedLink } from './refusals.ts'
import type { SqlSession } from './session.ts'

/** A to-many relation of one record. */
interface ToManyRelation {
  readonly relation: ResourceField
  readonly pk: string
}

type PairsHolding = Extract<Holding, { kind: 'pairs' }>

export const readPairs = async (
  { statements: { dialect }, connection }: SqlSession,
  { relation, owners }: { readonly relation: ResourceField; readonly owners: readonly string[] },
  { limit, requester }: PairOptions,
): Promise<readonly Pair[]> => {
  const holding = holdingOf(relation)
  const { table, near, far } =
    holding.kind === 'pairs' ? holding : { table: tableOf(holding.by.owner), near: quote(holding.by.name), far: '"pk"' }
  const among = dialect.among(near, dialect.placeholder(1), 'text')
  const order = orderOf([near, far], dialect)
  const sql = `SELECT ${near}, ${far} FROM ${table} WHERE ${among} ORDER BY ${order} LIMIT ${dialect.placeholder(2)}`
  const name = holding.kind === 'pairs' ? linkTableOf(holding.links) : recordTableOf(holding.by.owner)
  const facts = readsOf({ [name]: name })
  const rows = await connection.rows(sql, [dialect.list(owners, 'text'), limit], false, { requester, facts })
  return rows as readonly Pair[]
}

const orderOf = (columns: readonly string[], dialect: Dialect): string =>
  columns.map(column => column + dialect.orderNulls(false)).join(', ')

/** The links that a write names, and what they shall lead to. */
export const linksIn = ({
  resource,
  values,
}: Pick<RecordWrite, 'resource' | 'values'>): { field: ResourceField; targets: readonly string[] }[] =>
  Object.keys(values).flatMap(name => {
    const field = resource.fields.get(name)
    const targets = values[name]
    return field?.definition.role === 'links' && Array.isArray(targets) ? [{ field, targets }] : []
  })

/** The given targets and no others; for writes that raise the record's version themselves. */
export const replaceLinks = async (
  session: SqlSession,
  linked: ToManyRelation,
  targets: readonly string[],
): Promise<void> => {
  const inPairs = { ...linked, holding: pairsOf(linked) }
  await deleteOtherPairs(session, inPairs, targets)
  if (targets.length > 0) await insertPairs(session, inPairs, targets)
}

/** The links of a record that was just created: it has no others. */
export const insertLinks = async (
  session: SqlSession,
  linked: ToManyRelation,
  targets: readonly string[],
): Promise<void> => {
  if (targets.length > 0) await insertPairs(session, { ...linked, holding: pairsOf(linked) }, targets)
}

const pairsOf = ({ relation }: ToManyRelation): PairsHolding => {
  const holding = holdingOf(relation)
  if (holding.kind === 'column') throw new Error(`${relation.name} is held by the records at its other end`)
  return holding
}

type InPairs = ToManyRelation & { readonly holding: PairsHolding }

/** Pairs that are there already stay. */
const insertPairs = async (
  session: SqlSession,
  { relation, pk, holding: { table, near, far } }: InPairs,
  targets: readonly string[],
): Promise<void> => {
  const { dialect } = session.statements
  const rows = `SELECT ${dialect.placeholder(1)}, listed.value FROM ${dialect.listRows(dialect.placeholder(2))}`
  // Without WHERE, SQLite would read the conflict clause as the condition of a join.
  const sql = `INSERT INTO ${table} (${near}, ${far}) ${rows} WHERE TRUE ON CONFLICT DO NOTHING`
  const cells: Cell[] = [pk, dialect.list(targets, 'text')]
  await session.connection.rows(sql, cells).catch(error => {
    throw refusedLink(session, relation, error)
  })
}

/** Deletes the pairs of all but the targets. */
const deleteOtherPairs = (
  { statements: { dialect }, connection }: SqlSession,
  { pk, holding: { table, near, far } }: InPairs,
  targets: readonly string[],
): Promise<unknown> => {
  const among = dialect.among(far, dialect.placeholder(2), 'text')
  const sql = `DELETE FROM ${table} WHERE ${near} = ${dialect.placeholder(1)} AND NOT (${among})`
  return connection.rows(sql, [pk, dialect.list(targets, 'text')])
}
