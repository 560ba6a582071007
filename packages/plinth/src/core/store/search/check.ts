// Compares indexes of words with the records that they were made from, and makes them again.

import { createHash } from 'node:crypto'
import type { Registry } from '../../model/registry.ts'
import type { Resource } from '../../model/resource.ts'
import { type IndexedEntry, indexedDocument, searchIndexOf } from '../../model/search/search-index.ts'
import type { Connection } from '../connection.ts'
import type { Driver } from '../driver.ts'
import { quote, textOf } from '../sql/columns.ts'
import { blocksSql, toBlock } from './blocks.ts'
import { buildSearch, isBuilt, prepareSearch } from './build.ts'
import { markTriggersOf } from './mark-triggers.ts'
import { numbersFromText, postingsOf } from './postings.ts'
import { refreshSearch } from './refresh.ts'
import { indexTable, type SearchTables, searchedResources, searchTablesOf } from './tables.ts'
import { textsSql, toTexts } from './texts.ts'

/** What is wrong with the index of one resource. */
export interface SearchFinding {
  readonly resource: string
  /** Is it still being built? Then nothing was compared. */
  readonly isUnbuilt: boolean
  /** How many records were compared. */
  readonly records: number
  /** How many of them are not in the index as they are. */
  readonly wrong: number
  /** How many documents of the index belong to no record. */
  readonly left: number
}

/** Compares every record with its entries. Records that are written in the meantime may count as wrong. */
export const checkSearch = async (driver: Driver, registry: Registry): Promise<readonly SearchFinding[]> => {
  const findings: SearchFinding[] = []
  const { search } = driver.dialect
  for (const resource of searchedResources(registry)) {
    const triggers = [searchTablesOf(resource).trigger, ...markTriggersOf(resource).map(({ name }) => name)]
    let isPrepared = true
    for (const trigger of triggers) isPrepared &&= (await driver.rows(search.hasTrigger(trigger), [])).length > 0
    if (!isPrepared || !(await isBuilt(driver, resource))) {
      findings.push({ resource: resource.name, isUnbuilt: true, records: 0, wrong: 0, left: 0 })
      continue
    }
    // What only waits for the background is not wrong.
    await refreshSearch(driver, resource, new AbortController().signal)
    findings.push(await driver.snapshot(connection => compare(connection, driver, resource)))
  }
  return findings
}

/** Drops what the indexes hold, and builds them from the records. */
export const repairSearch = async (driver: Driver, registry: Registry): Promise<void> => {
  const { search } = driver.dialect
  for (const resource of searchedResources(registry))
    await driver.transaction(
      async connection => {
        for (const { name } of markTriggersOf(resource)) await connection.script(search.marks.dropTrigger(name))
        await connection.script(search.drop(searchTablesOf(resource)))
      },
      { isUnlimited: true },
    )
  await prepareSearch(driver, registry)
  await buildSearch(driver, registry, new AbortController().signal)
}

const batchSize = 200

type Snapshot = Pick<Connection, 'rows'>

/** What the blocks say of each document, added up: the order in which it is read makes no difference. */
const sumsOf = async (
  connection: Snapshot,
  { dialect }: Driver,
  tables: SearchTables,
): Promise<ReadonlyMap<number, bigint>> => {
  const { placeholder: place } = dialect
  const sums = new Map<number, bigint>()
  const next = `${blocksSql(tables)} WHERE (w."entry", w."first") > (${place(1)}, ${place(2)}) ORDER BY w."entry", w."first" LIMIT ${batchSize}`
  let [entry, first] = ['', -1]
  for (;;) {
    const blocks = (await connection.rows(next, [entry, first])).map(toBlock)
    for (const block of blocks)
      for (const { doc, weight, length, places } of postingsOf(block))
        sums.set(doc, (sums.get(doc) ?? 0n) + markOf([block.entry, weight, length, ...places]))
    const last = blocks.at(-1)
    if (!last) return sums
    entry = last.entry
    first = last.first
  }
}

/** A number that is another one for nearly every other entry. */
const markOf = (entry: IndexedEntry): bigint =>
  createHash('sha256').update(JSON.stringify(entry)).digest().readBigUInt64LE()

const compare = async (connection: Snapshot, driver: Driver, resource: Resource): Promise<SearchFinding> => {
  const index = searchIndexOf(resource.holder)
  if (!index) throw new Error(`${resource.name} is not searched by words`)
  const { dialect } = driver
  const tables = searchTablesOf(resource)
  const sums = new Map(await sumsOf(connection, driver, tables))
  const place = dialect.placeholder
  let [records, wrong, upTo] = [0, 0, '']
  for (;;) {
    const rest = ` WHERE b."pk" > ${place(1)} ORDER BY b."pk" LIMIT ${batchSize}`
    const found = toTexts(resource, await connection.rows(textsSql(resource, rest, dialect), [upTo]), dialect.decode)
    const last = found.at(-1)
    if (!last) break
    const kept = `SELECT t."pk", t."doc", t."entries" FROM ${quote(tables.texts)} AS t WHERE t."pk" > ${place(1)} AND t."pk" <= ${place(2)}`
    const rows = new Map((await connection.rows(kept, [upTo, last.pk])).map(row => [String(row[0]), row]))
    for (const { pk, values } of found) {
      const { entries } = indexedDocument(index, values)
      const [, doc = null, text = null] = rows.get(pk) ?? []
      const expected = entries.reduce((sum, entry) => sum + markOf(entry), 0n)
      const isRight = doc === null ? text === JSON.stringify(entries) : (sums.get(Number(doc)) ?? 0n) === expected
      if (doc !== null) sums.delete(Number(doc))
      records += 1
      if (!isRight) wrong += 1
    }
    upTo = last.pk
  }
  const left = await leftOf(connection, { tables, resource, sums })
  return { resource: resource.name, isUnbuilt: false, records, wrong, left }
}

interface Remains {
  readonly tables: SearchTables
  readonly resource: Resource
  /** What blocks have of numbers that belong to no record. */
  readonly sums: ReadonlyMap<number, bigint>
}

/** How many of the numbers that belong to no record are not known to be gone. */
const leftOf = async (connection: Snapshot, { tables, resource, sums }: Remains): Promise<number> => {
  const sql = `SELECT "gone" FROM ${quote(indexTable)} WHERE "resource" = ${textOf(resource.name)}`
  const [state] = await connection.rows(sql, [])
  const rows = await connection.rows(`SELECT "doc" FROM ${quote(tables.gone)}`, [])
  const gone = new Set([...numbersFromText(String(state?.[0] ?? '')), ...rows.map(([doc]) => Number(doc))])
  return [...sums.keys()].filter(doc => !gone.has(doc)).length
}
