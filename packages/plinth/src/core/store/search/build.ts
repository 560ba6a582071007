// Builds indexes of words for records that are there already: batch by batch, while others write.

import { setImmediate } from 'node:timers/promises'
import type { Registry } from '../../model/registry.ts'
import type { Resource } from '../../model/resource.ts'
import { searchIndexOf } from '../../model/search/search-index.ts'
import type { Connection } from '../connection.ts'
import type { Driver } from '../driver.ts'
import { quote } from '../sql/columns.ts'
import { buildTable, searchTablesOf } from './tables.ts'
import { textsSql, toTexts, writeEntries } from './write-entries.ts'

export const searchedResources = (registry: Registry): readonly Resource[] =>
  registry.resources.filter(resource => resource.holder === resource && searchIndexOf(resource) !== null)

/** Batches of one transaction: a commit of each would take longer than its entries. */
const batchesTogether = 8

const createBuilds = `CREATE TABLE IF NOT EXISTS ${quote(buildTable)} ("resource" text PRIMARY KEY, "signature" text NOT NULL,
  "upTo" text NOT NULL, "built" integer NOT NULL)`

/**
 * Creates the tables of all indexes. What was built with another declaration, or of other records, is built again. Answers the names of the
 * resources whose index is not built.
 */
export const prepareSearch = (driver: Driver, registry: Registry): Promise<readonly string[]> => {
  const { dialect } = driver
  const { search, placeholder: place } = dialect
  const resources = searchedResources(registry)
  const prepare = async (connection: Connection, resource: Resource): Promise<void> => {
    const tables = searchTablesOf(resource)
    // With the table of the records its trigger is gone: the index is of others.
    const isKept = (await connection.rows(search.hasTrigger(tables.trigger), [])).length > 0
    if (!isKept) await connection.script(search.drop(tables))
    await connection.script(search.create(tables, resource.name))
    const signature = searchIndexOf(resource)?.signature ?? ''
    await connection.rows(
      `INSERT INTO ${quote(buildTable)} ("resource", "signature", "upTo", "built") VALUES (${place(1)}, ${place(2)}, '', 0) ` +
        `ON CONFLICT ("resource") DO UPDATE SET "signature" = excluded."signature", "upTo" = '', "built" = 0` +
        (isKept ? ` WHERE ${quote(buildTable)}."signature" <> excluded."signature"` : ''),
      [resource.name, signature],
    )
  }
  return driver.transaction(
    async connection => {
      const isThere = (await connection.rows(search.hasTable(buildTable), [])).length > 0
      if (resources.length === 0 && !isThere) return []
      await dialect.schema.lockMigrations(connection)
      await connection.script(createBuilds)
      for (const resource of resources) await prepare(connection, resource)
      // Changes of records that are not searched any more reach no index.
      const names = dialect.list(
        resources.map(({ name }) => name),
        'text',
      )
      const isSearched = dialect.among('"resource"', place(1), 'text')
      await connection.rows(`DELETE FROM ${quote(buildTable)} WHERE NOT (${isSearched})`, [names])
      const unbuilt = await connection.rows(`SELECT "resource" FROM ${quote(buildTable)} WHERE "built" = 0`, [])
      return unbuilt.map(([name]) => String(name))
    },
    { isUnlimited: true },
  )
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
  const sql = `SELECT "built" FROM ${quote(buildTable)} WHERE "resource" = ${dialect.placeholder(1)}`
  return Number((await rows(sql, [name], true))[0]?.[0]) === 1
}

/** Builds one batch, in turn with other instances. Answers whether it was the last one. */
const buildSome = (driver: Driver, resource: Resource): Promise<boolean> => {
  const { dialect } = driver
  const { search, placeholder: place } = dialect
  const states = quote(buildTable)
  return driver.transaction(async connection => {
    const [state] = await connection.rows(
      `SELECT s."upTo", s."built" FROM ${states} AS s WHERE s."resource" = ${place(1)}${dialect.lock('s')}`,
      [resource.name],
    )
    if (!state || Number(state[1]) === 1) return true
    const rest = ` WHERE b."pk" > ${place(1)} ORDER BY b."pk" LIMIT ${search.buildBatch}${dialect.lock('b')}`
    let [upTo, isLast] = [String(state[0]), false]
    for (let batch = 0; batch < batchesTogether && !isLast; batch++) {
      const rows = await connection.rows(textsSql(resource, rest), [upTo])
      const records = toTexts(resource, rows, dialect.decode)
      await writeEntries({ connection, dialect }, resource, records)
      upTo = records.at(-1)?.pk ?? upTo
      isLast = rows.length < search.buildBatch
      // Requests are served between two statements that take long.
      await setImmediate()
    }
    await connection.rows(
      `UPDATE ${states} SET "upTo" = ${place(2)}, "built" = ${isLast ? 1 : 0} WHERE "resource" = ${place(1)}`,
      [resource.name, upTo],
    )
    return isLast
  })
}

const analyse = async ({ dialect, session }: Driver, resource: Resource, signal: AbortSignal): Promise<void> => {
  const { analyse: toSql } = dialect.search
  if (!toSql || !session) return
  const { texts, words } = searchTablesOf(resource)
  await session(async connection => {
    for (const table of [texts, words]) await connection.script(toSql(table))
  }, signal)
}
