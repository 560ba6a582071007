// Gives numbers to documents and puts their words into blocks: some at a time, so that writers hardly notice.

import { setImmediate } from 'node:timers/promises'
import type { Registry } from '../../model/registry.ts'
import type { Resource } from '../../model/resource.ts'
import type { IndexedDocument, IndexedEntry } from '../../model/search/search-index.ts'
import { createPause } from '../../pauses.ts'
import type { Connection } from '../connection.ts'
import type { DatabaseDialect, Driver } from '../driver.ts'
import { quote, textOf } from '../sql/columns.ts'
import { readTails, writeBlocks } from './blocks.ts'
import { appended, type Block, numbersFromText, numbersToText, type Posting } from './postings.ts'
import { sweep } from './sweep.ts'
import { indexTable, searchedResources, searchTablesOf } from './tables.ts'
import { type TextRow, writeTexts } from './write-entries.ts'

/** From this many characters on, documents without a number are given one: fewer are quickly looked through by each search. */
const packFrom = 100_000
/** The documents and characters of one transaction. */
const [mostDocuments, mostCharacters] = [400, 400_000]
/** The entries whose blocks one statement reads or writes. */
const entriesAtOnce = 400
/** The numbers that are taken over at a time. */
const mostGone = 20_000

export interface PackedIndex {
  readonly connection: Connection
  readonly dialect: DatabaseDialect
}

export interface NewDocument extends IndexedDocument {
  readonly pk: string
}

/** Writes documents with the next numbers, in the transaction that holds the row of the index. */
export const packDocuments = async (
  index: PackedIndex,
  resource: Resource,
  documents: readonly NewDocument[],
): Promise<void> => {
  const { connection } = index
  const tables = searchTablesOf(resource)
  const where = ` WHERE "resource" = ${textOf(resource.name)}`
  const [state] = await connection.rows(`SELECT "last" FROM ${quote(indexTable)}${where}`, [])
  let last = Number(state?.[0])
  const byEntry = new Map<string, Posting[]>()
  const rows = documents.map(({ pk, length, entries }): TextRow => {
    last += 1
    for (const [entry, weight, size, ...places] of entries) {
      const posting: Posting = { doc: last, weight, length: size, places }
      const others = byEntry.get(entry)
      if (others) others.push(posting)
      else byEntry.set(entry, [posting])
    }
    return [pk, last, length, null]
  })
  const pause = createPause({ isAwaited: true })
  const entries = [...byEntry.keys()].toSorted()
  for (let from = 0; from < entries.length; from += entriesAtOnce) {
    await pause()
    const some = entries.slice(from, from + entriesAtOnce)
    const tails = await readTails(index, tables, some)
    const blocks: Block[] = some.flatMap(entry => appended(entry, tails.get(entry), byEntry.get(entry) ?? []))
    await writeBlocks(index, tables, blocks)
  }
  await writeTexts(index, resource, { rows })
  const words = documents.reduce((sum, { length }) => sum + length, 0)
  await connection.rows(
    `UPDATE ${quote(indexTable)} SET "last" = ${last}, "docs" = "docs" + ${documents.length}, "length" = "length" + ${words}${where}`,
    [],
  )
}

/** Packs what was written since, and sweeps what is gone, where it is enough to be worth it. */
export const packSearch = async (driver: Driver, registry: Registry, signal: AbortSignal): Promise<void> => {
  for (const resource of searchedResources(registry)) {
    let isDone = false
    while (!isDone) {
      signal.throwIfAborted()
      isDone = !(await isWorthIt(driver, resource)) || !(await packSome(driver, resource))
      await setImmediate()
    }
    await sweep(driver, resource, signal)
  }
}

const isWorthIt = async ({ rows }: Driver, resource: Resource): Promise<boolean> => {
  const { texts, gone } = searchTablesOf(resource)
  const size = `(SELECT coalesce(sum(length(f."entries")), 0) FROM (SELECT t."entries" FROM ${quote(texts)} AS t WHERE t."doc" IS NULL LIMIT ${mostDocuments}) AS f)`
  const numbers = `(SELECT count(*) FROM (SELECT 1 FROM ${quote(gone)} LIMIT ${mostDocuments}) AS n)`
  const [row] = await rows(`SELECT ${size}, ${numbers}`, [])
  return Number(row?.[0]) >= packFrom || Number(row?.[1]) >= mostDocuments
}

/** Answers false where nothing could be done: another instance is at it, or writers hold the rest. */
const packSome = (driver: Driver, resource: Resource): Promise<boolean> => {
  const { dialect } = driver
  return driver.transaction(async connection => {
    const state = `SELECT s."gone" FROM ${quote(indexTable)} AS s WHERE s."resource" = ${textOf(resource.name)}`
    const [row] = await connection.rows(`${state}${dialect.lock('s', 'free')}`, [])
    if (!row) return false
    const index = { connection, dialect }
    const documents = await freshDocuments(index, resource)
    if (documents.length > 0) await packDocuments(index, resource, documents)
    return (await keepGone(index, resource, String(row[0]))) > 0 || documents.length > 0
  })
}

/** Those that no writer holds, in the order of their pks. */
const freshDocuments = async (
  { connection, dialect }: PackedIndex,
  resource: Resource,
): Promise<readonly NewDocument[]> => {
  const { texts } = searchTablesOf(resource)
  const sql =
    `SELECT t."pk", t."length", t."entries" FROM ${quote(texts)} AS t WHERE t."doc" IS NULL ORDER BY t."pk" LIMIT ${mostDocuments}` +
    dialect.lock('t', 'free')
  const documents: NewDocument[] = []
  let size = 0
  for (const [pk, length, text] of await connection.rows(sql, [])) {
    if (size >= mostCharacters) break
    size += String(text).length
    documents.push({ pk: String(pk), length: Number(length), entries: JSON.parse(String(text)) as IndexedEntry[] })
  }
  return documents
}

/** Takes numbers that are gone from their table to the row of the index, where many take little. Answers how many. */
const keepGone = async ({ connection }: PackedIndex, resource: Resource, kept: string): Promise<number> => {
  const { gone } = searchTablesOf(resource)
  const some = `SELECT "doc" FROM ${quote(gone)} ORDER BY "doc" LIMIT ${mostGone}`
  const rows = await connection.rows(
    `DELETE FROM ${quote(gone)} WHERE "doc" IN (${some}) RETURNING "doc", "length"`,
    [],
  )
  if (rows.length === 0) return 0
  const numbers = [...numbersFromText(kept), ...rows.map(([doc]) => Number(doc))].toSorted((one, other) => one - other)
  const words = rows.reduce((sum, [, length]) => sum + Number(length), 0)
  await connection.rows(
    `UPDATE ${quote(indexTable)} SET "docs" = "docs" - ${rows.length}, "length" = "length" - ${words}, ` +
      `"gone" = ${textOf(numbersToText(numbers))} WHERE "resource" = ${textOf(resource.name)}`,
    [],
  )
  return rows.length
}
