// Indexes on texts follow the records: those from before the index, and every change since.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childProcesses } from '@plinth/test-kit/child-processes'
import { testAll } from '@plinth/test-kit/extent'
import { createDatabase } from '@plinth/test-kit/postgres'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import type { Field } from '../../src/core/model/field.ts'
import { ref, text } from '../../src/core/model/fields.ts'
import { assigned } from '../../src/core/model/identifier.ts'
import { createRegistry } from '../../src/core/model/registry.ts'
import { createStore } from '../../src/core/store/create-store.ts'
import { toText } from '../../src/core/store/migrate/plan.ts'
import { openSqlite } from '../../src/core/store/sqlite/open.ts'
import type { Store } from '../../src/core/store/store.ts'
import { dialects } from './databases.ts'

const common = { about: 'For tests.', access: {}, stamps: 'none', identifier: assigned() } as const

const withTowns = (own: Record<string, Field>, label?: string) => {
  const fields: Record<string, Field> = { ...own, land: ref('lands', { onDelete: 'cascade' }) }
  return createRegistry([
    defineResource('lands', { ...common, fields: {} }),
    defineResource('towns', { ...common, fields, ...(label && { label }) }),
  ])
}
const plain = withTowns({ name: text() })
const labelled = withTowns({ name: text() }, 'name')
const renamed = withTowns({ title: text({ renamedFrom: 'name' }) }, 'title')

const analyze = async (url: string): Promise<void> => {
  const sql = postgres(url, { max: 1 })
  await sql.unsafe('ANALYZE')
  await sql.end()
}

describe.each(dialects)('on %s', dialect => {
  let folder: string
  let url: string
  const open = async (registry: typeof plain): Promise<Store> => {
    const store = await createStore({ url, registry })
    await store.apply(await store.plan())
    return store
  }
  const search = (store: Pick<Store, 'resource' | 'find'>, part: string, total: 'exact' | 'estimated') => {
    const towns = store.resource('towns')
    const field = towns.fields.get('name') ?? towns.fields.get('title')
    if (!field) throw new Error('towns have no name')
    const path = { steps: [], field }
    const sort = [{ path: { steps: [], field: towns.pk }, descending: false }]
    return store.find(towns, {
      filter: { op: 'like', path, pattern: ['', part, ''], ignoreCase: true },
      sort,
      window: { kind: 'offset', offset: 0, limit: 50 },
      total,
      linkFilters: new Map(),
    })
  }
  const find = async (store: Pick<Store, 'resource' | 'find'>, part: string): Promise<string[]> =>
    (await search(store, part, 'exact')).records.map(({ pk }) => pk)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plinth-texts-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const fresh = async (): Promise<void> => {
    url =
      dialect === 'sqlite'
        ? join(await mkdtemp(join(folder, 'db-')), 'test.db')
        : await createDatabase(inject('postgresUrl'))
  }

  test('records from before the index are found, and every change is followed', async () => {
    await fresh()
    const before = await open(plain)
    await before.transaction(async tx => {
      await tx.insert(tx.resource('lands'), 'gr', {})
      await tx.insert(tx.resource('towns'), 'a', { name: 'Thessaloniki', land: 'gr' })
      await tx.insert(tx.resource('towns'), 'none', { name: null })
    })
    await before.close()
    const store = await open(labelled)
    expect((await store.plan()).steps).toEqual([])
    expect(await find(store, 'SALON')).toEqual(['a'])
    await store.transaction(async tx => {
      const towns = tx.resource('towns')
      await tx.insert(towns, 'b', { name: 'Σαλονίκη' })
      await tx.insert(towns, 'c', { name: 'Salona', land: 'gr' })
      await tx.update(towns, 'a', { name: 'Athens' })
      await tx.update(towns, 'none', { name: 'salon' })
    })
    expect(await find(store, 'SALON')).toEqual(['c', 'none'])
    expect(await find(store, 'αΛον')).toEqual(['b'])
    await store.transaction(async tx => {
      await tx.remove(tx.resource('towns'), 'none')
      await tx.remove(tx.resource('lands'), 'gr')
    })
    expect(await find(store, 'salon')).toEqual([])
    expect(await find(store, 'ath')).toEqual([])
    await store.close()
  })

  test('a long part is found as a whole, in a transaction too', async () => {
    await fresh()
    const store = await open(labelled)
    const parts = ['Archipelago', 'Archi pelago', 'Archixelago', 'pelagoArchi', 'the "Archipelago"']
    await store.transaction(tx =>
      tx.insertAll(
        tx.resource('towns'),
        Array.from({ length: 600 }, (_, at) => ({ pk: `t${at}`, values: { name: `Archie's ${at} pelicans` } })),
      ),
    )
    await store.transaction(async tx => {
      for (const name of parts) await tx.insert(tx.resource('towns'), name, { name })
      expect(await find(tx, 'ARCHIPELAGO')).toEqual(['Archipelago', 'the "Archipelago"'])
    })
    expect(await find(store, 'archipelago')).toEqual(['Archipelago', 'the "Archipelago"'])
    expect(await find(store, 'the "Archipelago')).toEqual(['the "Archipelago"'])
    expect(await find(store, 'archi pelago')).toEqual(['Archi pelago'])
    await store.close()
  })

  test('the number of texts with a part is estimated', async () => {
    await fresh()
    const store = await open(labelled)
    const towns = Array.from({ length: 300 }, (_, at) => ({
      pk: `t${at}`,
      values: { name: at % 3 === 0 ? 'Nafplio' : 'Volos' },
    }))
    await store.transaction(tx => tx.insertAll(tx.resource('towns'), towns))
    if (dialect === 'postgres') await analyze(url)
    const { total, estimated, records } = await search(store, 'FPLI', 'estimated')
    expect(estimated).toBe(true)
    expect(records.map(({ pk }) => pk)).toContain('t0')
    if (dialect === 'sqlite') expect(total).toBe(100)
    else expect(total).toBeGreaterThan(0)
    await store.close()
  })

  if (dialect === 'sqlite') {
    test('VACUUM leaves the index what it is', async () => {
      await fresh()
      const store = await open(labelled)
      await store.transaction(async tx => {
        const towns = tx.resource('towns')
        for (const pk of ['a', 'b', 'c']) await tx.insert(towns, pk, { name: `Town ${pk}${pk}${pk}` })
        await tx.remove(towns, 'a')
      })
      const beside = openSqlite(url)
      beside.exec('VACUUM')
      beside.close()
      expect(await find(store, 'ccc')).toEqual(['c'])
      expect(await find(store, 'bbb')).toEqual(['b'])
      await store.close()
    })
  }

  testAll('the index goes with the label to its new name, and away with it', async () => {
    await fresh()
    const before = await open(labelled)
    await before.transaction(tx => tx.insert(tx.resource('towns'), 'a', { name: 'Thessaloniki' }))
    await before.close()
    const after = await open(renamed)
    expect((await after.plan()).steps).toEqual([])
    await after.transaction(tx => tx.insert(tx.resource('towns'), 'b', { title: 'Salona' }))
    expect(await find(after, 'salon')).toEqual(['a', 'b'])
    await after.close()
    const without = await open(withTowns({ title: text() }))
    expect((await without.plan()).steps).toEqual([])
    await without.transaction(tx => tx.update(tx.resource('towns'), 'a', { title: 'Athens' }))
    expect(await find(without, 'then')).toEqual(['a'])
    await without.close()
  })
})

testAll('a role that cannot create pg_trgm does without, with a warning', async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const name = `limited_${process.pid}_${Date.now()}`
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(`CREATE ROLE ${name} LOGIN PASSWORD 'limited'; GRANT ALL ON SCHEMA public TO ${name}`)
  const limited = new URL(url)
  limited.username = name
  limited.password = 'limited'
  const store = await createStore({ url: limited.href, registry: labelled })
  try {
    const plan = await store.plan()
    expect(toText(plan)).toMatch(/Unavailable: .*\n-- - indexes for substring search: the extension pg_trgm/)
    expect(toText(plan)).not.toContain('gin_trgm_ops')
    await store.apply(plan)
    expect((await store.plan()).steps).toEqual([])
  } finally {
    await store.close()
    await sql.unsafe(`DROP OWNED BY ${name}; DROP ROLE ${name}`)
    await sql.end()
  }
})

const openTowns = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-text-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const url = join(folder, 'towns.db')
  const store = await createStore({ url, registry: labelled })
  onTestFinished(() => store.close())
  await store.apply(await store.plan())
  const database = openSqlite(url)
  onTestFinished(() => database.close())
  const towns = store.resource('towns')
  const path = { steps: [], field: towns.fields.get('name') ?? towns.pk }
  return {
    store,
    /** The first value of the first row. */
    read: (sql: string): unknown => (database.prepare(sql).get() as unknown as unknown[])[0],
    addTowns: (from: number, to: number): void =>
      database.exec(`
        WITH RECURSIVE numbers(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to})
        INSERT INTO towns (pk, name, version) SELECT n, printf('%09x municipality', n * 68718), 1 FROM numbers`),
    count: (part: string): Promise<number> =>
      store.count(towns, { op: 'like', path, pattern: ['', part, ''], ignoreCase: true }),
  }
}

test('on SQLite, a part that few texts have is searched for in the service, a common one in a reader process', async () => {
  const { addTowns, read, count } = await openTowns()
  addTowns(1, 12_000)
  const name = String(read("SELECT name FROM towns WHERE pk = '6000'"))
  const before = childProcesses()
  expect(await count(name)).toBe(1)
  expect(await count(name.slice(4, 7))).toBeGreaterThan(0)
  expect(childProcesses()).toBe(before)
  // No text has the first of these parts, and all have the second one.
  expect(await count('x" yes')).toBe(0)
  expect(childProcesses()).toBe(before)
  expect(await count('municipality')).toBe(12_000)
  expect(childProcesses()).toBeGreaterThan(before)
})

test('on SQLite, an index of many small segments is merged, and finds the same', async () => {
  const { store, addTowns, read, count } = await openTowns()
  const segments = () => read('SELECT count(DISTINCT segid) FROM plinth_t_towns__name_idx')
  for (let from = 1; from < 5000; from += 1000) addTowns(from, from + 999)
  const part = String(read("SELECT name FROM towns WHERE pk = '3500'")).slice(3, 9)
  const found = await count(part)
  expect(found).toBeGreaterThan(0)
  expect(segments()).toBe(5)
  await expect(store.tidy(AbortSignal.abort())).rejects.toThrow('aborted')
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 1)
  await store.tidy(new AbortController().signal)
  clearInterval(counting)
  expect(segments()).toBe(1)
  // Others are served between the steps.
  expect(turns).toBeGreaterThan(1)
  expect(await count(part)).toBe(found)
  addTowns(5001, 5010)
  await store.tidy(new AbortController().signal)
  expect(segments()).toBe(2)
})
