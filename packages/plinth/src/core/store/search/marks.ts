// Marks of records whose index has words of a related record that has changed. The transaction of the change brings a few of them up to date
// at once, and leaves the others to the background (`refresh.ts`).

import type { Resource, ResourceField } from '../../model/resource.ts'
import { searchIndexOf } from '../../model/search/search-index.ts'
import type { Connection } from '../connection.ts'
import { holdingOf, quote, tableOf } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { SqlSession } from '../sql/session.ts'
import { searchTablesOf } from './tables.ts'
import { indexStored } from './write-entries.ts'

/** The states of a mark: made, seen by its own transaction, and waiting for the end of those that ran beside it. */
export const [madeMark, seenMark, waitingMark] = [0, 1, 2]

export interface SearchMark {
  readonly id: number
  /** The number of the relation that leads to the changed record; 0 for the searched record itself. */
  readonly path: number
  readonly pk: string
}

/** The most records that a write brings up to date besides its own. */
const mostAtOnce = 50

/** Brings up to date what the transaction has marked, where these are few records. */
export const settleMarks = async (session: SqlSession, resource: Resource): Promise<void> => {
  const { connection, statements } = session
  const { dialect } = statements
  const { marks: dialectOfMarks } = dialect.search
  const marks = quote(searchTablesOf(resource).marks)
  const own = `m."state" = ${madeMark} AND ${dialectOfMarks.own}`
  const found = await connection.rows(
    `SELECT m."id", m."path", m."pk" FROM ${marks} AS m WHERE ${own} LIMIT ${mostAtOnce + 1}`,
    [],
  )
  if (found.length === 0) return
  const settled: number[] = []
  const pks = new Set<string>()
  if (found.length <= mostAtOnce)
    for (const [id, path, pk] of found) {
      const mark = { path: Number(path), pk: String(pk) }
      const more = await referrersOf({ connection, dialect }, { resource, mark, limit: mostAtOnce + 1 })
      if (pks.size + more.length > mostAtOnce) break
      for (const one of more) pks.add(one)
      settled.push(Number(id))
    }
  await indexStored(session, resource, await freeOf(session, resource, [...pks]))
  // Where others write at the same time, they may not have seen the change, and all of it is looked at again after them.
  if (!dialectOfMarks.transactions && settled.length > 0) {
    const isSettled = dialect.among('"id"', dialect.placeholder(1), 'integer')
    await connection.rows(`DELETE FROM ${marks} WHERE ${isSettled}`, [dialect.list(settled, 'integer')])
  }
  await connection.rows(`UPDATE ${marks} AS m SET "state" = ${seenMark} WHERE ${own}`, [])
}

/** What the write of a record itself has marked needs no second look: other writers of the record wait for it. */
export const forgetMarks = async (session: SqlSession, resource: Resource, pks: readonly string[]): Promise<void> => {
  const { dialect } = session.statements
  const which = dialect.among('m."pk"', dialect.placeholder(1), 'text')
  await session.connection.rows(
    `DELETE FROM ${quote(searchTablesOf(resource).marks)} AS m ` +
      `WHERE m."state" = ${madeMark} AND ${dialect.search.marks.own} AND m."path" = 0 AND ${which}`,
    [dialect.list(pks, 'text')],
  )
}

/** Those whose texts no other transaction is writing: that one, or the background, brings the others up to date. */
const freeOf = async (
  { connection, statements: { dialect } }: SqlSession,
  resource: Resource,
  pks: readonly string[],
): Promise<readonly string[]> => {
  if (pks.length === 0) return []
  const among = dialect.among('t."pk"', dialect.placeholder(1), 'text')
  const sql = `SELECT t."pk" FROM ${quote(searchTablesOf(resource).texts)} AS t WHERE ${among}${dialect.lock('t', 'free')}`
  return (await connection.rows(sql, [dialect.list(pks, 'text')])).map(([pk]) => String(pk))
}

interface MarkedIndex {
  readonly connection: Pick<Connection, 'rows'>
  readonly dialect: Pick<Dialect, 'placeholder'>
}

interface ReferrerSearch {
  readonly resource: Resource
  readonly mark: Pick<SearchMark, 'path' | 'pk'>
  readonly limit: number
  /** Only those after this one. */
  readonly after?: string
}

/** The records whose index has words of a marked one, in the order of their pks. */
export const referrersOf = async (
  { connection, dialect }: MarkedIndex,
  { resource, mark: { path, pk }, limit, after = '' }: ReferrerSearch,
): Promise<readonly string[]> => {
  if (path === 0) return pk > after ? [pk] : []
  const via = searchIndexOf(resource)?.relations[path - 1]
  if (!via) return []
  const { referring, rows } = referrersSql(resource, via, dialect.placeholder(1))
  const sql = `SELECT ${referring} FROM ${rows} AND ${referring} > ${dialect.placeholder(2)} ORDER BY ${referring} LIMIT ${limit}`
  return (await connection.rows(sql, [pk, after])).map(([one]) => String(one))
}

const referrersSql = (
  resource: Resource,
  via: ResourceField,
  pk: string,
): { readonly referring: string; readonly rows: string } => {
  if (via.definition.role === 'one')
    return { referring: 'b."pk"', rows: `${tableOf(resource)} AS b WHERE b.${quote(via.name)} = ${pk}` }
  const holding = holdingOf(via)
  // Of records that refer back themselves, their reference is marked.
  if (holding.kind === 'column') throw new Error(`${via.name} marks the searched records`)
  return { referring: `l.${holding.near}`, rows: `${holding.table} AS l WHERE l.${holding.far} = ${pk}` }
}
