// Matches in the order of their scores, and of their pks where these are equal: as many as are needed. Texts of one length have few
// different scores, so the records of one score may be most of the table: they are not put into order as a whole.

import type { RankedRecord } from '../../model/search/found-words.ts'
import { quote } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { DocumentSet } from './postings.ts'
import type { Matches } from './scored-documents.ts'
import type { SearchTables } from './tables.ts'

export interface RankOrder {
  readonly bestFirst: boolean
  /** The order of the pks: rising, or falling. */
  readonly rising: boolean
  /** Only those that come after this one. */
  readonly after: RankedRecord | null
}

interface RankedParts {
  readonly session: SqlSession
  readonly tables: SearchTables
  readonly matches: Matches
  readonly order: RankOrder
}

/** All of one score. */
interface ScoreClass {
  readonly score: number
  count: number
}

/** The records of the classes that are looked up first; each time it is several times as many. */
const [firstPiece, growth] = [200, 4]
/** More records of one score are not looked up one by one, but met in the order of the pks. */
const mostLookedUp = 4000

/** `skips`: so many may be left out at the beginning; the generator returns how many it has left out with its first batch. */
export async function* ranked(parts: RankedParts, skips: number): AsyncGenerator<RankedBatch> {
  const classes = classesOf(parts)
  let [at, skipped, piece] = [0, 0, firstPiece]
  for (let next = classes[at]; next && skipped + next.count <= skips; next = classes[++at]) skipped += next.count
  while (at < classes.length) {
    const some: ScoreClass[] = []
    let count = 0
    for (let next = classes[at]; next && count < piece; next = classes[++at]) {
      some.push(next)
      count += next.count
    }
    for await (const found of inOrder(parts, some)) {
      yield { ...found, skipped }
      skipped = 0
    }
    piece *= growth
  }
}

interface OrderedRecords {
  readonly records: readonly RankedRecord[]
  /** How many are not there any more, or have other numbers. */
  readonly missing: number
}

export interface RankedBatch extends OrderedRecords {
  /** How many come before it that were left out. */
  readonly skipped: number
}

const classesOf = ({ matches: { scores, fresh }, order: { bestFirst, after } }: RankedParts): readonly ScoreClass[] => {
  const classes = new Map<number, ScoreClass>()
  const add = (score: number): void => {
    const known = classes.get(score)
    if (known) known.count += 1
    else classes.set(score, { score, count: 1 })
  }
  for (const score of scores) add(score)
  for (const { score } of fresh) add(score)
  const sign = bestFirst ? -1 : 1
  const all = [...classes.values()].toSorted((one, other) => sign * (one.score - other.score))
  // Of the class of the last one, a part may be left.
  return after ? all.filter(({ score }) => sign * (score - after.score) >= 0) : all
}

async function* inOrder(parts: RankedParts, classes: readonly ScoreClass[]): AsyncGenerator<OrderedRecords> {
  const few = classes.filter(({ count }) => count <= mostLookedUp)
  const { byScore: known, missing } = await lookedUp(parts, new Set(few.map(({ score }) => score)))
  if (missing > 0) yield { records: [], missing }
  let batch: RankedRecord[] = []
  for (const { score, count } of classes) {
    if (count <= mostLookedUp) {
      batch.push(...(known.get(score) ?? []))
      continue
    }
    if (batch.length > 0) yield { records: batch, missing: 0 }
    batch = []
    for await (const records of walked(parts, score)) yield { records, missing: 0 }
  }
  if (batch.length > 0) yield { records: batch, missing: 0 }
}

/** The matches of these scores: numbers with their scores, and pks. */
const matchesWith = ({ docs, scores, fresh }: Matches, wanted: ReadonlySet<number>) => {
  const byNumber = new Map<number, number>()
  for (let at = 0; at < docs.length; at++) {
    const score = scores[at] ?? 0
    if (wanted.has(score)) byNumber.set(docs[at] ?? 0, score)
  }
  const byPk = new Map(fresh.filter(({ score }) => wanted.has(score)).map(({ pk, score }) => [pk, score]))
  return { byNumber, byPk }
}

/** The records of these scores by the score, each list in its order. */
const lookedUp = async (
  { session, tables, matches, order }: RankedParts,
  wanted: ReadonlySet<number>,
): Promise<{ readonly byScore: ReadonlyMap<number, readonly RankedRecord[]>; readonly missing: number }> => {
  const { byNumber, byPk } = matchesWith(matches, wanted)
  const found = new Map<number, RankedRecord[]>()
  const expected = byNumber.size + byPk.size
  if (expected === 0) return { byScore: found, missing: 0 }
  const { dialect } = session.statements
  const { placeholder: place } = dialect
  const isBeyond = `CASE WHEN t."pk" ${order.rising ? '>' : '<'} ${place(3)} THEN 1 ELSE 0 END`
  const select = `SELECT t."pk", t."doc", ${isBeyond} FROM ${quote(tables.texts)} AS t WHERE`
  // A document that has got its number since is found both ways, and listed once.
  const sql =
    `${select} ${dialect.among('t."doc"', place(1), 'integer')} UNION ` +
    `${select} ${dialect.among('t."pk"', place(2), 'text')} ORDER BY 1${direction(order)}`
  const lists = [dialect.list([...byNumber.keys()], 'integer'), dialect.list([...byPk.keys()], 'text')]
  const rows = await session.connection.rows(sql, [...lists, order.after?.pk ?? ''])
  for (const [key, doc, beyond] of rows) {
    const pk = String(key)
    const score = byPk.get(pk) ?? byNumber.get(Number(doc))
    if (score === undefined || (score === order.after?.score && Number(beyond) === 0)) continue
    const others = found.get(score)
    if (others) others.push({ pk, score })
    else found.set(score, [{ pk, score }])
  }
  return { byScore: found, missing: expected - rows.length }
}

const direction = ({ rising }: RankOrder): string => (rising ? '' : ' DESC')

/** The rows of the first step along the pks, and the most of one step. */
const [firstStep, longestStep] = [500, 16_000]

/** The records of one score, met among all others in the order of the pks. */
async function* walked(
  { session, tables, matches, order }: RankedParts,
  score: number,
): AsyncGenerator<readonly RankedRecord[]> {
  const { dialect } = session.statements
  const { docs, scores, fresh } = matches
  const wanted = new DocumentSet(
    docs.filter((_, at) => scores[at] === score),
    docs.at(-1) ?? 0,
  )
  const byPk = new Set(fresh.filter(one => one.score === score).map(({ pk }) => pk))
  const sign = order.rising ? '>' : '<'
  let from = order.after?.score === score ? order.after.pk : null
  for (let step = firstStep; ; step = Math.min(longestStep, step * growth)) {
    const beyond = from === null ? '' : ` WHERE t."pk" ${sign} ${dialect.placeholder(1)}`
    const sql = `SELECT t."pk", t."doc" FROM ${quote(tables.texts)} AS t${beyond} ORDER BY t."pk"${direction(order)} LIMIT ${step}`
    const rows = await session.connection.rows(sql, from === null ? [] : [from])
    const pks = rows
      .filter(([pk, doc]) => byPk.has(String(pk)) || (doc !== null && wanted.has(Number(doc))))
      .map(([pk]) => String(pk))
    if (pks.length > 0) yield pks.map(pk => ({ pk, score }))
    if (rows.length < step) return
    from = String(rows.at(-1)?.[0])
  }
}
