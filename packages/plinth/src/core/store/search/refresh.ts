// Brings records up to date whose index has words of changed related records: in the background, some at a time, so that one record which
// very many refer to holds up no write.

import { setImmediate } from 'node:timers/promises'
import type { Registry } from '../../model/registry.ts'
import type { Resource } from '../../model/resource.ts'
import { searchIndexOf } from '../../model/search/search-index.ts'
import type { Driver } from '../driver.ts'
import { quote, tableOf } from '../sql/columns.ts'
import { Statements } from '../sql/statements.ts'
import { referrersOf, type SearchMark, seenMark, waitingMark } from './marks.ts'
import { searchedResources, searchTablesOf } from './tables.ts'
import { indexStored } from './write-entries.ts'

/** The marks that are looked at together, and the records that one transaction brings up to date. */
const [marksAtOnce, recordsAtOnce] = [200, 200]
/** The referrers of one record that are looked up at a time. */
const referrersAtOnce = 5000

interface Refreshed {
  readonly driver: Driver
  readonly resource: Resource
  readonly statements: Statements
}

interface WaitingMark extends SearchMark {
  readonly upTo: string
}

/** The same for all resources. */
export const refreshSearches = async (driver: Driver, registry: Registry, signal: AbortSignal): Promise<boolean> => {
  let isDone = true
  for (const resource of searchedResources(registry)) isDone = (await refreshSearch(driver, resource, signal)) && isDone
  return isDone
}

/** Answers whether nothing is left to do: marks wait while transactions run that may not have seen what they are about. */
export const refreshSearch = async (driver: Driver, resource: Resource, signal: AbortSignal): Promise<boolean> => {
  if (searchIndexOf(resource)?.relations.length === 0) return true
  const refreshed = { driver, resource, statements: new Statements(driver.dialect) }
  const { dialect } = driver
  const marks = quote(searchTablesOf(resource).marks)
  const { transactions } = dialect.search.marks
  for (;;) {
    signal.throwIfAborted()
    if (transactions) await beginWaiting(driver, marks, transactions.next)
    const isReady = transactions ? `m."state" = ${waitingMark} AND m."by" <= ${transactions.oldest}` : 'TRUE'
    const found = await driver.rows(
      `SELECT m."id", m."path", m."pk", m."upTo" FROM ${marks} AS m WHERE ${isReady} ORDER BY m."id" LIMIT ${marksAtOnce}`,
      [],
    )
    if (found.length === 0) return (await driver.rows(`SELECT 1 FROM ${marks} LIMIT 1`, [])).length === 0
    const all = found.map(
      ([id, path, pk, upTo]): WaitingMark => ({
        id: Number(id),
        path: Number(path),
        pk: String(pk),
        upTo: String(upTo),
      }),
    )
    const own = all.filter(({ path }) => path === 0)
    if (own.length > 0) await refresh(refreshed, [...new Set(own.map(({ pk }) => pk))], { done: own })
    for (const mark of all) if (mark.path !== 0) await refreshReferrers(refreshed, mark, signal)
    await setImmediate()
  }
}

/** Notes which transactions run now: they may have read what was there before the change. */
const beginWaiting = async ({ rows, dialect }: Driver, marks: string, next: string): Promise<void> => {
  const some = `SELECT m."id" FROM ${marks} AS m WHERE m."state" <= ${seenMark} ORDER BY m."id" LIMIT ${referrersAtOnce}${dialect.lock('m', 'free')}`
  await rows(`UPDATE ${marks} SET "state" = ${waitingMark}, "by" = ${next} WHERE "id" IN (${some})`, [])
}

const refreshReferrers = async (refreshed: Refreshed, mark: WaitingMark, signal: AbortSignal): Promise<void> => {
  const { driver, resource } = refreshed
  let after = mark.upTo
  for (;;) {
    const search = { resource, mark, limit: referrersAtOnce, after }
    const pks = await referrersOf({ connection: driver, dialect: driver.dialect }, search)
    const isEnd = pks.length < referrersAtOnce
    for (let from = 0; from < pks.length; from += recordsAtOnce) {
      signal.throwIfAborted()
      const some = pks.slice(from, from + recordsAtOnce)
      after = some.at(-1) ?? after
      await refresh(
        refreshed,
        some,
        isEnd && from + recordsAtOnce >= pks.length ? { done: [mark] } : { mark, upTo: after },
      )
      await setImmediate()
    }
    if (!isEnd) continue
    if (pks.length === 0) await refresh(refreshed, [], { done: [mark] })
    return
  }
}

/** The marks that are done with, or how far one of them is. */
type Progress = { readonly done: readonly SearchMark[] } | { readonly mark: SearchMark; readonly upTo: string }

/** Writes the index of records that no one else is writing; the others are marked, to be looked at again. */
const refresh = (
  { driver, resource, statements }: Refreshed,
  pks: readonly string[],
  progress: Progress,
): Promise<void> => {
  const { dialect } = driver
  const { placeholder: place } = dialect
  const marks = quote(searchTablesOf(resource).marks)
  return driver.transaction(async connection => {
    const among = dialect.among('b."pk"', place(1), 'text')
    const records = `SELECT b."pk" FROM ${tableOf(resource)} AS b WHERE ${among}`
    const cells = [dialect.list(pks, 'text')]
    const there = (await connection.rows(records, cells)).map(([pk]) => String(pk))
    const held = new Set((await connection.rows(records + dialect.lock('b', 'free'), cells)).map(([pk]) => String(pk)))
    await indexStored({ connection, statements }, resource, [...held])
    const busy = there.filter(pk => !held.has(pk))
    if (busy.length > 0)
      await connection.rows(
        `INSERT INTO ${marks} ("path", "pk") SELECT 0, listed.value FROM ${dialect.listRows(place(1))}`,
        [dialect.list(busy, 'text')],
      )
    if ('done' in progress) {
      const isDone = dialect.among('"id"', place(1), 'integer')
      const ids = progress.done.map(({ id }) => id)
      await connection.rows(`DELETE FROM ${marks} WHERE ${isDone}`, [dialect.list(ids, 'integer')])
    } else
      await connection.rows(`UPDATE ${marks} SET "upTo" = ${place(1)} WHERE "id" = ${place(2)}`, [
        progress.upTo,
        progress.mark.id,
      ])
  })
}
