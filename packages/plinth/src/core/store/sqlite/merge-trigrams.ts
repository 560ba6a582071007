// Each write adds a segment of its own to an index on trigrams, and a search reads all segments. SQLite merges small ones as it
// writes; from time to time all of them are merged.

import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '../connection.ts'
import type { Driver } from '../driver.ts'
import { indexPrefixes, quote } from '../sql/columns.ts'

type Reading = Pick<Connection, 'rows'>

/** The pages merged in one transaction: a few milliseconds of work. */
const mergedPages = 16
const pauseMs = 20

/** An index is merged when its largest segment has less than this share of it, because merging rewrites the whole index. */
const soundShare = 0.8
/** Pages of an index that is worth the work. */
const largePages = 40

export const mergeTrigrams = async (
  { transaction }: Pick<Driver, 'transaction'>,
  signal: AbortSignal,
): Promise<void> => {
  for (const name of await transaction(trigramTables)) {
    signal.throwIfAborted()
    if (!(await transaction(connection => isFragmented(connection, name)))) continue
    // A negative number begins a merge of all segments, and a positive one continues it.
    let isUnfinished = await transaction(connection => mergeSome(connection, name, -mergedPages))
    while (isUnfinished) {
      // Without a pause no request would be answered before the last step.
      await pause(pauseMs)
      signal.throwIfAborted()
      isUnfinished = await transaction(connection => mergeSome(connection, name, mergedPages))
    }
  }
}

const trigramTables = async ({ rows }: Reading): Promise<readonly string[]> => {
  const sql = `SELECT name FROM sqlite_schema
    WHERE name GLOB '${indexPrefixes.trigrams}*' AND sql GLOB 'CREATE VIRTUAL TABLE *'`
  return (await rows(sql, [])).map(([name]) => String(name))
}

const isFragmented = async ({ rows }: Reading, name: string): Promise<boolean> => {
  const found = await rows(`SELECT count(*) FROM ${quote(`${name}_idx`)} GROUP BY segid`, [])
  const pages = found.map(([count]) => Number(count))
  const all = pages.reduce((sum, count) => sum + count, 0)
  return all > largePages && Math.max(...pages) < soundShare * all
}

/** Returns false when nothing is left to merge. */
const mergeSome = async ({ rows }: Reading, name: string, pages: number): Promise<boolean> => {
  const changes = async () => Number((await rows('SELECT total_changes()', []))[0]?.[0])
  const before = await changes()
  await rows(`INSERT INTO ${quote(name)} (${quote(name)}, rank) VALUES ('merge', ?1)`, [pages])
  // The command itself counts as one.
  return (await changes()) - before > 1
}
