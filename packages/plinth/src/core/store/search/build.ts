// Builds indexes of words for records that are there already: batch by batch, while others write.

import { setImmediate } from 'node:timers/promises'
import type { Registry } from '../../model/registry.ts'
import type { Resource } from '../../model/resource.ts'
import { indexedDocument, type SearchIndex, searchIndexOf } from '../../model/search/search-index.ts'
import { createPause } from '../../pauses.ts'
import type { Connection } from '../connection.ts'
import type { Driver } from '../driver.ts'
import { quote } from '../sql/columns.ts'
import { markPrefix, markTriggersOf } from './mark-triggers.ts'
import { type NewDocument, packDocuments } from './pack.ts'
import { indexTable, searchedResources, searchTablesOf } from './tables.ts'
import { type TextsOfRecord, textsSql, toTexts } from './texts.ts'

const createIndexTable = `CREATE TABLE IF NOT EXISTS ${quote(indexTable)} ("resource" text PRIMARY KEY, "signature" text NOT NULL,
  "upTo" text NOT NULL, "built" integer NOT NULL, "last" integer NOT NULL, "docs" integer NOT NULL, "length" bigint NOT NULL,
  "gone" text NOT NULL)`

/** The table of former versions, whose indexes are built again. */
const formerTable = 'plinth_search'

/**
 * Creates the tables of all indexes. What was built with another declaration, or of other records, is built again. Answers the names of the
 * resources whose index is not built.
 */
export const prepareSearch = (driver: Driver, registry: Registry): Promise<readonly string[]> => {
  const { dialect } = driver
  const { search, placeholder: place } = dialect
  const resources = searchedResources(registry)
  const prepare = async (connection: Connection, resource: Resource, marked: ReadonlySet<string>): Promise<void> => {
    const tables = searchTablesOf(resource)
    const signature = searchIndexOf(resource)?.signature ?? ''
    const sql = `SELECT 1 FROM ${quote(indexTable)} WHERE "resource" = ${place(1)} AND "signature" = ${place(2)}`
    const isSame = (await connection.rows(sql, [resource.name, signature])).length > 0
    // With the tables of the records their triggers are gone: the index is of others.
    const isWhole = (await connection.rows(search.hasTrigger(tables.trigger), [])).length > 0
    const marking = markTriggersOf(resource)
    if (isSame && isWhole && marking.every(({ name }) => marked.has(name))) return
    for (const { name } of marking) await connection.script(search.marks.dropTrigger(name))
    await connection.script(search.drop(tables))
    await connection.script(search.create(tables, resource.name))
    if (marking.length > 0) await connection.script(search.marks.create(tables.marks))
    for (const trigger of marking) await connection.script(search.marks.createTrigger(trigger, tables.marks))
    const begun = { upTo: "''", built: '0', last: '0', docs: '0', length: '0', gone: "''" }
    const [names, values] = [Object.keys(begun).map(quote), Object.values(begun)]
    await connection.rows(
      `INSERT INTO ${quote(indexTable)} ("resource", "signature", ${names.join(', ')}) VALUES (${place(1)}, ${place(2)}, ${values.join(', ')}) ` +
        `ON CONFLICT ("resource") DO UPDATE SET "signature" = excluded."signature", ${names.map(name => `${name} = excluded.${name}`).join(', ')}`,
      [resource.name, signature],
    )
  }
  return driver.transaction(
    async connection => {
      const isThere = (await connection.rows(search.hasTable(indexTable), [])).length > 0
      if (resources.length === 0 && !isThere) return []
      await dialect.schema.lockMigrations(connection)
      await connection.script(`DROP TABLE IF EXISTS ${quote(formerTable)}; ${createIndexTable}`)
      const marked = await dropFormerTriggers(connection, driver, resources)
      for (const resource of resources) await prepare(connection, resource, marked)
      // Changes of records that are not searched any more reach no index.
      const names = dialect.list(
        resources.map(({ name }) => name),
        'text',
      )
      const isSearched = dialect.among('"resource"', place(1), 'text')
      await connection.rows(`DELETE FROM ${quote(indexTable)} WHERE NOT (${isSearched})`, [names])
      const unbuilt = await connection.rows(`SELECT "resource" FROM ${quote(indexTable)} WHERE "built" = 0`, [])
      return unbuilt.map(([name]) => String(name))
    },
    { isUnlimited: true },
  )
}

/** Drops those of former declarations, which would mark records of no index. Answers the names of the others. */
const dropFormerTriggers = async (
  connection: Connection,
  { dialect: { search } }: Driver,
  resources: readonly Resource[],
): Promise<ReadonlySet<string>> => {
  const declared = new Set(resources.flatMap(markTriggersOf).map(({ name }) => name))
  const found = new Set((await connection.rows(search.marks.triggersOf(markPrefix), [])).map(([name]) => String(name)))
  for (const name of found) if (!declared.has(name)) await connection.script(search.marks.dropTrigger(name))
  return found
}

/** Builds what is not built yet. Answers the names of the resources. */
export const buildSearch = async (
  driver: Driver,
  registry: Registry,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const built: string[] = []
  for (const resource of searchedResources(registry)) {
    let isDone = await isBuilt(driver, resource)
    if (isDone) continue
    while (!isDone) {
      signal.throwIfAborted()
      isDone = await buildSome(driver, resource)
      await setImmediate()
    }
    await analyse(driver, resource, signal)
    built.push(resource.name)
  }
  return built
}

export const isBuilt = async ({ rows, dialect }: Driver, { name }: Resource): Promise<boolean> => {
  const sql = `SELECT "built" FROM ${quote(indexTable)} WHERE "resource" = ${dialect.placeholder(1)}`
  return Number((await rows(sql, [name], true))[0]?.[0]) === 1
}

/** Builds one batch, in turn with other instances. Answers whether it was the last one. */
const buildSome = (driver: Driver, resource: Resource): Promise<boolean> => {
  const { dialect } = driver
  const { search, placeholder: place } = dialect
  const states = quote(indexTable)
  const index = searchIndexOf(resource)
  if (!index) throw new Error(`${resource.name} is not searched by words`)
  return driver.transaction(async connection => {
    const [state] = await connection.rows(
      `SELECT s."upTo", s."built" FROM ${states} AS s WHERE s."resource" = ${place(1)}${dialect.lock('s')}`,
      [resource.name],
    )
    if (!state || Number(state[1]) === 1) return true
    const rest = ` WHERE b."pk" > ${place(1)} ORDER BY b."pk" LIMIT ${search.buildBatch}${dialect.lock('b')}`
    const rows = await connection.rows(textsSql(resource, rest, dialect), [String(state[0])])
    const records = toTexts(resource, rows, dialect.decode)
    await packDocuments({ connection, dialect }, resource, await documentsOf(index, records))
    const isLast = rows.length < search.buildBatch
    await connection.rows(
      `UPDATE ${states} SET "upTo" = ${place(2)}, "built" = ${isLast ? 1 : 0} WHERE "resource" = ${place(1)}`,
      [resource.name, records.at(-1)?.pk ?? String(state[0])],
    )
    return isLast
  })
}

const documentsOf = async (index: SearchIndex, records: readonly TextsOfRecord[]): Promise<readonly NewDocument[]> => {
  const pause = createPause({ isAwaited: true })
  const documents: NewDocument[] = []
  for (const { pk, values } of records) {
    await pause()
    documents.push({ pk, ...indexedDocument(index, values) })
  }
  return documents
}

const analyse = async ({ dialect, session }: Driver, resource: Resource, signal: AbortSignal): Promise<void> => {
  const { analyse: toSql } = dialect.search
  if (!toSql || !session) return
  const { texts, words } = searchTablesOf(resource)
  await session(async connection => {
    for (const table of [texts, words]) await connection.script(toSql(table))
  }, signal)
}
