import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { createDatabase } from '@plinth/test-kit/postgres'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { createStore } from '../../src/core/store/create-store.ts'
import { openDatabase } from '../../src/core/store/databases.ts'
import type { Driver } from '../../src/core/store/driver.ts'
import { toInstant } from '../../src/core/store/postgres/wire.ts'
import { signal } from '../http/test-server.ts'
import { actors, films, queryOf, registry, sortBy } from './films.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  cleanups.unshift(() => one.close())
  return one
}

const openSqlite = async (): Promise<{ path: string; driver: Driver }> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-driver-'))
  cleanups.push(() => rm(folder, { recursive: true }))
  const path = join(folder, 'test.db')
  return { path, driver: keep(await openDatabase(path)) }
}

const openPostgres = async (): Promise<Driver> =>
  keep(await openDatabase(await createDatabase(inject('postgresUrl')), { poolSize: 3 }))

const unavailable = expect.objectContaining({ code: 'unavailable' })

describe('SQLite', () => {
  test('is durable: write-ahead log, every commit on disk, references kept', async () => {
    const { driver } = await openSqlite()
    const setting = (name: string) => driver.transaction(connection => connection.rows(`PRAGMA ${name}`, []))
    expect(await setting('journal_mode')).toEqual([['wal']])
    expect(await setting('synchronous')).toEqual([[2]])
    expect(await setting('foreign_keys')).toEqual([[1]])
  })

  test('reads only outside of transactions', async () => {
    const { driver } = await openSqlite()
    await expect(driver.rows('CREATE TABLE t (a)', [])).rejects.toThrow(/readonly|read-only|query_only/i)
  })

  test('a script runs outside of any transaction, so that it can change settings', async () => {
    const { driver } = await openSqlite()
    await driver.script('PRAGMA foreign_keys = OFF')
    expect(await driver.transaction(connection => connection.rows('PRAGMA foreign_keys', []))).toEqual([[0]])
  })

  test('a statement that is under way when its transaction fails is undone with it', async () => {
    const { driver } = await openSqlite()
    await driver.script('CREATE TABLE t (a)')
    let insert: Promise<unknown> = Promise.resolve()
    const failing = driver.transaction(async connection => {
      await connection.rows('SELECT count(*) FROM t', [])
      // After so much work, the next statement lets other requests go first.
      const end = performance.now() + 100
      while (performance.now() < end);
      insert = connection.rows('INSERT INTO t VALUES (1)', [])
      throw new Error('fails')
    })
    await expect(failing).rejects.toThrow('fails')
    await insert
    expect(await driver.rows('SELECT count(*) FROM t', [])).toEqual([[0]])
  })

  test('another process that writes makes us wait, not fail', async () => {
    const { path, driver } = await openSqlite()
    await driver.script('CREATE TABLE t (a)')
    const other = keep(await openDatabase(path))
    const insert = (one: Driver) => one.transaction(connection => connection.rows('INSERT INTO t VALUES (1)', []))
    await Promise.all([insert(driver), insert(other), insert(driver)])
    expect(await driver.rows('SELECT count(*) FROM t', [])).toEqual([[3]])
  })

  test('reads go on while we wait for another process that writes', async () => {
    const { path, driver } = await openSqlite()
    await driver.script('CREATE TABLE t (a)')
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (1)')
    let isWritten = false
    const writing = driver
      .transaction(connection => connection.rows('INSERT INTO t VALUES (2)', []))
      .then(() => {
        isWritten = true
      })
    for (let read = 0; read < 20; read++) {
      await new Promise(resolve => setTimeout(resolve, 1))
      expect([isWritten, await driver.rows('SELECT count(*) FROM t', [])]).toEqual([false, [[0]]])
    }
    other.exec('COMMIT')
    other.close()
    await writing
    expect(await driver.rows('SELECT count(*) FROM t', [])).toEqual([[2]])
  })

  test('in memory, the tables are seen by reads and writes alike', async () => {
    const store = keep(await createStore({ url: ':memory:', registry }))
    await store.apply(await store.plan())
    await store.single.insert(actors, 'a', { name: 'Ann' })
    expect(await store.get(actors, 'a')).toMatchObject({ name: 'Ann' })
  })

  test('when closed it is unavailable, after those who waited were answered', async () => {
    const { driver } = await openSqlite()
    await driver.script('CREATE TABLE t (a)')
    const waiting = driver.transaction(connection => connection.rows('INSERT INTO t VALUES (1) RETURNING a', []))
    await driver.close()
    expect(await waiting).toEqual([[1]])
    await expect(driver.rows('SELECT 1', [])).rejects.toEqual(unavailable)
    await expect(driver.transaction(async () => 1)).rejects.toEqual(unavailable)
    await expect(driver.close()).resolves.toBeUndefined()
  })
})

describe('PostgreSQL', () => {
  test.each([
    ['2024-02-03 04:05:06+00', '2024-02-03T04:05:06.000Z'],
    ['2024-02-03 04:05:06.7+00', '2024-02-03T04:05:06.700Z'],
    ['0001-01-01 00:00:00.078+00', '0001-01-01T00:00:00.078Z'],
  ])('the instant %s is %s', (text, instant) => {
    expect(toInstant(text)).toBe(instant)
  })

  test('numbers, instants, days and JSON come in stored form', async () => {
    const driver = await openPostgres()
    const sql =
      "SELECT 9007199254740991::bigint, '2024-02-03T04:05:06.7+01:00'::timestamptz, '2024-02-03'::date, " +
      '\'{"a":[1]}\'::jsonb, true, NULL::text'
    expect([...(await driver.rows(sql, []))]).toEqual([
      [Number.MAX_SAFE_INTEGER, '2024-02-03T03:05:06.700Z', '2024-02-03', { a: [1] }, true, null],
    ])
  })

  test.each(['40001', '40P01'])('a transaction that ends with %s is tried again', async code => {
    const driver = await openPostgres()
    let attempts = 0
    const result = await driver.transaction(async connection => {
      attempts += 1
      if (attempts < 3) await connection.script(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '${code}'; END $$`)
      return 'done'
    })
    expect([result, attempts]).toEqual(['done', 3])
  })

  test('a transaction that never succeeds is given up', async () => {
    const driver = await openPostgres()
    let attempts = 0
    const work = driver.transaction(async connection => {
      attempts += 1
      await connection.script("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$")
    })
    await expect(work).rejects.toMatchObject({ code: '40001' })
    expect(attempts).toBe(5)
  })

  test('a connection that is lost makes the database unavailable, and the next one is made by itself', async () => {
    const driver = await openPostgres()
    const work = driver.transaction(async connection => {
      const [row] = await connection.rows('SELECT pg_backend_pid()', [])
      await driver.rows('SELECT pg_terminate_backend($1)', [Number(row?.[0])])
      await connection.rows('SELECT 1', [])
    })
    await expect(work).rejects.toEqual(unavailable)
    expect([...(await driver.rows('SELECT 1', []))]).toEqual([[1]])
  })

  test('a connection that is lost with statements under way takes them along, and no others', async () => {
    const driver = await openPostgres()
    const write = (select: string) => driver.rows(`WITH written AS (${select}) SELECT * FROM written`, [])
    const [row] = await write('SELECT pg_backend_pid()')
    const waiting = Promise.allSettled(['SELECT pg_sleep(60)', 'SELECT 1', 'SELECT 2'].map(write))
    const others = [1, 2, 3].map(number => driver.rows('SELECT $1::int', [number], true))
    await driver.rows('SELECT pg_terminate_backend($1)', [Number(row?.[0])], true)
    const ends = await waiting
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    for (const end of ends) expect(end).toMatchObject({ reason: unavailable })
    expect((await Promise.all(others)).map(([one]) => one?.[0])).toEqual([1, 2, 3])
    for (let time = 0; time < 3; time++) expect([...(await write('SELECT 1'))]).toEqual([[1]])
  })

  test('quick statements do not wait for long ones', async () => {
    const driver = await openPostgres()
    const done: string[] = []
    const [locked, over] = [signal('the lock to be held'), signal('the lock to be released')]
    const holding = driver.transaction(async connection => {
      await connection.rows('SELECT pg_advisory_xact_lock(1)', [])
      locked.resolve()
      await over.promise
    })
    await locked.promise
    const long = [1, 2, 3, 4].map(async () => {
      await driver.rows('SELECT pg_advisory_lock_shared(1)', [])
      done.push('long')
    })
    for (let time = 0; time < 3; time++) {
      await driver.rows('SELECT 1', [], true)
      done.push('quick')
    }
    over.resolve()
    await Promise.all([holding, ...long])
    expect(done).toEqual(['quick', 'quick', 'quick', 'long', 'long', 'long', 'long'])
  })

  test('a read that is slower than estimated is run again where it delays no fast ones', async () => {
    const driver = await openPostgres()
    const processOf = async (from: string) => Number((await driver.rows(`SELECT pg_backend_pid() ${from}`, []))[0]?.[0])
    const fast = await processOf('')
    const slow = await processOf('FROM pg_sleep(0.4)')
    expect([slow > 0, slow === fast, (await processOf('')) === fast]).toEqual([true, false, true])
  })

  test('a read that takes long without doing much stays among the fast ones', async () => {
    const driver = await openPostgres()
    const processOf = async (from: string, pause = 0) => {
      const text = `SELECT min(pg_backend_pid()), (SELECT pg_sleep(${pause}))::text ${from}`
      return Number((await driver.rows(text, []))[0]?.[0])
    }
    const fast = await processOf('')
    const late = () => processOf('FROM generate_series(1, 10000)', 0.05)
    for (let time = 0; time < 6; time++) await late()
    await expect.poll(late).toBe(fast)
  })

  test('a read that ends in the middle of its rows does not disturb the next ones on its connection', async () => {
    const driver = await openPostgres()
    // Five rows are sent, and then the server ends it among the fast ones.
    const late = 'SELECT n, CASE WHEN n = 6 THEN pg_sleep(0.3) END::text FROM generate_series(1, 10) AS n'
    const next = () => driver.rows('SELECT 7', [])
    expect(await next()).toEqual([[7]])
    expect(await driver.rows(late, [])).toHaveLength(10)
    expect(await next()).toEqual([[7]])
  })

  test('a read that the planner takes for costly does not run among the fast ones', async () => {
    const driver = await openPostgres()
    const series = 'FROM generate_series(1, 1000000) AS a (n)'
    const processOf = async (from: string) =>
      Number((await driver.rows(`SELECT min(pg_backend_pid()) ${from}`, []))[0]?.[0])
    expect(await processOf(series)).not.toBe(await processOf(''))
  })

  test('a transaction that waits for a connection is refused in the end', async () => {
    const url = await createDatabase(inject('postgresUrl'))
    const driver = keep(await openDatabase(url, { poolSize: 1, writeTimeout: 200 }))
    const [start, over] = [signal('the transaction to begin'), signal('the transaction to be released')]
    const first = driver.transaction(async () => {
      start.resolve()
      await over.promise
    })
    await start.promise
    await expect(driver.transaction(async () => 1)).rejects.toEqual(unavailable)
    over.resolve()
    await first
    expect(await driver.transaction(async () => 1)).toBe(1)
  })

  test('a server that is not there is unavailable', async () => {
    const url = 'postgres://nobody:none@127.0.0.1:1/none'
    await expect(createStore({ url, registry })).rejects.toEqual(unavailable)
  })

  test('when closed it is unavailable', async () => {
    const driver = await openPostgres()
    await driver.rows('SELECT 1', [])
    await driver.close()
    await expect(driver.rows('SELECT 1', [])).rejects.toEqual(unavailable)
    await expect(driver.transaction(async () => 1)).rejects.toEqual(unavailable)
  })

  test.each([
    ['SELECT $1::text', 'a\0b'],
    ['SELECT $1::date', '0000-01-01'],
  ])('%s with a value that it has no form for is a bad request', async (sql, value) => {
    const driver = await openPostgres()
    await expect(driver.rows(sql, [value])).rejects.toMatchObject({ code: 'bad_request' })
    const inTransaction = driver.transaction(connection => connection.rows(sql, [value]))
    await expect(inTransaction).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('a statement that makes no sense tells who asked for it', async () => {
    const driver = await openPostgres()
    const alone = async () => [await driver.rows('SELECT nothing', [])]
    const together = async () => [await driver.transaction(connection => connection.rows('SELECT nothing', []))]
    for (const ask of [alone, together]) {
      const error: Error = await ask().then(
        () => new Error('it made sense'),
        reason => reason,
      )
      expect(error).toMatchObject({ message: 'column "nothing" does not exist', cause: { code: '42703' } })
      expect(error.stack).toContain(ask.name)
    }
  })

  test('prepared statements survive a migration of their table', async () => {
    const driver = await openPostgres()
    await driver.script('CREATE TABLE t (pk text, a text)')
    const read = () => driver.rows('SELECT t.pk, t.a FROM t WHERE t.pk = $1', ['x'])
    for (let times = 0; times < 3; times++) await read()
    await driver.script("ALTER TABLE t ADD b text; INSERT INTO t VALUES ('x', 'y', 'z')")
    expect([...(await read())]).toEqual([['x', 'y']])
  })
})

describe('a long order of pages', () => {
  test('costs one statement for each page', async () => {
    const { path, driver } = await openSqlite()
    await driver.close()
    const store = keep(await createStore({ url: path, registry }))
    await store.apply(await store.plan())
    await store.transaction(async tx => {
      for (let index = 0; index < 50; index++) await tx.insert(films, `f${index}`, { title: `Title ${index % 7}` })
    })
    const before = store.statements
    const seen = new Set<string>()
    const window = { kind: 'offset', offset: 0, limit: 10 } as const
    for await (const batch of store.stream(films, queryOf(films, { sort: sortBy(films, '-title'), window }))) {
      for (const film of batch) seen.add(film.pk)
    }
    expect(seen.size).toBe(50)
    expect(store.statements - before).toBe(5)
  })
})

test('an address of no known database is refused without repeating it', () => {
  const open = () => openDatabase('mysql://me:hunter2@db.example/plinth')
  expect(open).toThrow('no database supports mysql:// URLs; supported are postgres, sqlite')
})
