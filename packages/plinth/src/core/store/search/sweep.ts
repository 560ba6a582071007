// Removes postings of documents that are gone: all at a time, once there are enough of them, block by block.

import { setImmediate } from 'node:timers/promises'
import type { Resource } from '../../model/resource.ts'
import { createPause } from '../../pauses.ts'
import type { Driver } from '../driver.ts'
import { quote, textOf } from '../sql/columns.ts'
import { blocksSql, toBlock, writeBlocks } from './blocks.ts'
import { type Block, DocumentSet, numbersFromText, numbersToText, reduced } from './postings.ts'
import { indexTable, searchTablesOf } from './tables.ts'

/** The number below which a sweep costs more than they cost searches. */
const leastGone = 1000
/** From this share of all documents on, it is worth reading all blocks. */
const shareGone = 0.02
/** The blocks of one transaction. */
const blocksAtOnce = 100

export const sweep = async (driver: Driver, resource: Resource, signal: AbortSignal): Promise<void> => {
  const sql = `SELECT "docs", "last", "gone" FROM ${quote(indexTable)} WHERE "resource" = ${textOf(resource.name)}`
  const [row] = await driver.rows(sql, [])
  const swept = numbersFromText(String(row?.[2] ?? ''))
  if (swept.length < Math.max(leastGone, Number(row?.[0]) * shareGone)) return
  const gone = new DocumentSet(swept, Number(row?.[1]))
  let after: SweptUpTo | null = { entry: '', first: -1 }
  while (after) {
    signal.throwIfAborted()
    after = await sweepSome(driver, resource, { after, gone })
    await setImmediate()
  }
  await forget(driver, resource, new Set(swept))
}

/** The last block that was looked at. */
interface SweptUpTo {
  readonly entry: string
  readonly first: number
}

interface SweepPart {
  readonly after: SweptUpTo
  readonly gone: DocumentSet
}

/** Answers where to go on. */
const sweepSome = (driver: Driver, resource: Resource, { after, gone }: SweepPart): Promise<SweptUpTo | null> => {
  const { dialect } = driver
  const { placeholder: place } = dialect
  const tables = searchTablesOf(resource)
  const pause = createPause({ isAwaited: true })
  return driver.transaction(async connection => {
    await connection.rows(
      `SELECT 1 FROM ${quote(indexTable)} AS s WHERE s."resource" = ${textOf(resource.name)}${dialect.lock('s')}`,
      [],
    )
    const next = `${blocksSql(tables)} WHERE (w."entry", w."first") > (${place(1)}, ${place(2)}) ORDER BY w."entry", w."first"`
    const rows = await connection.rows(`${next} LIMIT ${blocksAtOnce}`, [after.entry, after.first])
    const blocks = rows.map(toBlock)
    const changed: Block[] = []
    for (const block of blocks) {
      await pause()
      const left = reduced(block, doc => !gone.has(doc))
      if (left?.count === block.count) continue
      if (left) changed.push(left)
      else
        await connection.rows(
          `DELETE FROM ${quote(tables.words)} WHERE "entry" = ${place(1)} AND "first" = ${place(2)}`,
          [block.entry, block.first],
        )
    }
    if (changed.length > 0) await writeBlocks({ connection, dialect }, tables, changed)
    const last = blocks.at(-1)
    return last && blocks.length === blocksAtOnce ? { entry: last.entry, first: last.first } : null
  })
}

/** No posting has these numbers any more. */
const forget = (driver: Driver, resource: Resource, swept: ReadonlySet<number>): Promise<void> => {
  const { dialect } = driver
  const where = ` WHERE "resource" = ${textOf(resource.name)}`
  return driver.transaction(async connection => {
    const [row] = await connection.rows(
      `SELECT s."gone" FROM ${quote(indexTable)} AS s WHERE s."resource" = ${textOf(resource.name)}${dialect.lock('s')}`,
      [],
    )
    const left = numbersFromText(String(row?.[0] ?? '')).filter(number => !swept.has(number))
    await connection.rows(`UPDATE ${quote(indexTable)} SET "gone" = ${textOf(numbersToText(left))}${where}`, [])
  })
}
