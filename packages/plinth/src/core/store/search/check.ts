// Compares indexes of words with the records that they were made from, and makes them again.

import type { Registry } from '../../model/registry.ts'
import type { Resource } from '../../model/resource.ts'
import { indexedDocument, type SearchIndex, searchIndexOf } from '../../model/search/search-index.ts'
import type { Connection } from '../connection.ts'
import type { Driver } from '../driver.ts'
import { quote } from '../sql/columns.ts'
import { buildSearch, isBuilt, prepareSearch, searchedResources } from './build.ts'
import { searchTablesOf } from './tables.ts'
import { textsSql, toTexts } from './write-entries.ts'

/** What is wrong with the index of one resource. */
export interface SearchFinding {
  readonly resource: string
  /** Is it still being built? Then nothing was compared. */
  readonly isUnbuilt: boolean
  /** How many records were compared. */
  readonly records: number
  /** How many of them are not in the index as they are. */
  readonly wrong: number
  /** How many entries belong to no record. */
  readonly left: number
}

/** Compares every record with its entries. Records that are written in the meantime may count as wrong. */
export const checkSearch = async (driver: Driver, registry: Registry): Promise<readonly SearchFinding[]> => {
  const findings: SearchFinding[] = []
  const { search } = driver.dialect
  for (const resource of searchedResources(registry)) {
    const { trigger } = searchTablesOf(resource)
    const isPrepared = (await driver.rows(search.hasTrigger(trigger), [])).length > 0
    findings.push(
      isPrepared && (await isBuilt(driver, resource))
        ? await driver.snapshot(connection => compare(connection, driver, resource))
        : { resource: resource.name, isUnbuilt: true, records: 0, wrong: 0, left: 0 },
    )
  }
  return findings
}

/** Drops what the indexes hold, and builds them from the records. */
export const repairSearch = async (driver: Driver, registry: Registry): Promise<void> => {
  const { search } = driver.dialect
  for (const resource of searchedResources(registry))
    await driver.transaction(connection => connection.script(search.drop(searchTablesOf(resource))), {
      isUnlimited: true,
    })
  await prepareSearch(driver, registry)
  await buildSearch(driver, registry, new AbortController().signal)
}

const batchSize = 200

const compare = async (
  connection: Pick<Connection, 'rows'>,
  { dialect }: Driver,
  resource: Resource,
): Promise<SearchFinding> => {
  const index = searchIndexOf(resource.holder)
  if (!index) throw new Error(`${resource.name} is not searched by words`)
  const { texts, words } = searchTablesOf(resource)
  const place = dialect.placeholder
  let [records, wrong, entries, upTo] = [0, 0, 0, '']
  for (;;) {
    const rest = ` WHERE b."pk" > ${place(1)} ORDER BY b."pk" LIMIT ${batchSize}`
    const found = toTexts(resource, await connection.rows(textsSql(resource, rest), [upTo]), dialect.decode)
    const last = found.at(-1)
    if (!last) break
    const expected = new Map(found.map(({ pk, values }) => [pk, expectedOf(index, values)]))
    const kept = `SELECT t."pk", t."entries" FROM ${quote(texts)} AS t WHERE t."pk" > ${place(1)} AND t."pk" <= ${place(2)}`
    const indexed = new Map(
      (await connection.rows(kept, [upTo, last.pk])).map(([pk, text]) => [String(pk), String(text)]),
    )
    const cell = JSON.stringify([...expected].map(([pk, { values }]) => ({ pk, values })))
    const alike =
      `SELECT e."pk", count(*) FROM (${dialect.search.wordRows(place(1))}) AS e JOIN ${quote(words)} AS w ` +
      `ON w."entry" = e."entry" AND w."pk" = e."pk" AND w."value" = e."value" GROUP BY e."pk"`
    const counts = new Map((await connection.rows(alike, [cell])).map(([pk, count]) => [String(pk), Number(count)]))
    for (const [pk, { sequence, count }] of expected) {
      records += 1
      entries += count
      if (indexed.get(pk) !== sequence || (counts.get(pk) ?? 0) !== count) wrong += 1
    }
    upTo = last.pk
  }
  const [row] = await connection.rows(`SELECT count(*) FROM ${quote(words)}`, [])
  return { resource: resource.name, isUnbuilt: false, records, wrong, left: Math.max(0, Number(row?.[0]) - entries) }
}

const expectedOf = (index: SearchIndex, texts: Readonly<Record<string, unknown>>) => {
  const { sequence, values } = indexedDocument(index, texts)
  return { sequence: JSON.stringify(sequence), values: Object.fromEntries(values), count: values.size }
}
