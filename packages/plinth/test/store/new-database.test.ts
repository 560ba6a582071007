// The promise of the store: a database is one folder, with a driver and a dialect, and one line in a list.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStore } from '../../src/core/store/create-store.ts'
import { databases } from '../../src/core/store/databases.ts'
import type { Database, DatabaseDialect, Driver } from '../../src/core/store/driver.ts'
import { sqliteDatabase } from '../../src/core/store/sqlite/driver.ts'
import type { Store } from '../../src/core/store/store.ts'
import { actors, films, pathTo, queryOf, registry, studios } from './films.ts'

/** What would be the dialect of the new folder: types of columns and plans are spelled differently. */
const toDialect = (dialect: DatabaseDialect): DatabaseDialect => ({
  ...dialect,
  name: 'quarry',
  schema: { ...dialect.schema, columnTypes: { ...dialect.schema.columnTypes, integer: 'INT' } },
  explain: { ...dialect.explain, lines: rows => ['quarry plan', ...dialect.explain.lines(rows)] },
})

/** What would be its driver. */
const quarry: Database = {
  name: 'quarry',
  accepts: url => url.startsWith('quarry://'),
  diagnose: () => null,
  open: async (url, limits) => {
    const driver = await sqliteDatabase.open(url.slice('quarry://'.length), limits)
    return Object.create(driver, { dialect: { value: toDialect(driver.dialect), enumerable: true } }) as Driver
  },
}

/** What would be the line. */
const known = [...databases, quarry]

let folder: string
let store: Store
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-store-'))
  store = await createStore({ url: `quarry://${join(folder, 'a.db')}`, registry, databases: known })
  await store.migrate('1.0.0')
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

test('its address is known, and so is its name', async () => {
  expect(store.database).toBe('quarry')
  const unknown = createStore({ url: 'marble://secret@host/db', registry, databases: known })
  await expect(unknown).rejects.toThrow(/^no database supports marble:\/\/ URLs; supported are .*, quarry$/)
})

test('its tables are those of the model, so nothing is left to migrate', async () => {
  expect((await store.plan()).steps).toEqual([])
})

test('it writes, searches, explains, publishes and refuses as the others do', async () => {
  await store.transaction(async tx => {
    await tx.insert(studios, 'ghibli', { name: 'Ghibli' })
    await tx.insert(actors, 'a', { name: 'Ann' })
    await tx.insert(films, '1', { title: 'Totoro', minutes: 86, studio: 'ghibli', actors: ['a'] })
    await tx.insert(films, '2', { title: 'Ponyo', minutes: 101 })
  })
  const long = queryOf(films, { filter: { op: 'gt', path: pathTo(films, 'minutes'), value: 90 } })
  expect((await store.find(films, long)).records).toMatchObject([{ title: 'Ponyo', minutes: 101 }])
  expect((await store.explain(films, long))[0]?.plan[0]).toBe('quarry plan')
  expect(await store.get(films, '1')).toMatchObject({
    studio: { pk: 'ghibli', label: 'Ghibli' },
    actors: [{ pk: 'a', label: 'Ann' }],
  })
  const twice = store.single.insert(studios, 'other', { name: 'Ghibli' })
  await expect(twice).rejects.toMatchObject({ code: 'taken' })
  expect((await store.events.window()).latest).toBeGreaterThan(0)
})

test('its records move to another database and back', async () => {
  const other = await createStore({ url: join(folder, 'b.db'), registry })
  await store.snapshot(snapshot => other.load(snapshot, { version: '1.0.0', replaces: false }))
  await other.snapshot(snapshot => store.load(snapshot, { version: '1.0.0', replaces: true }))
  expect(await store.get(films, '1')).toEqual(await other.get(films, '1'))
  await other.close()
})
