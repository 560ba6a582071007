// Indexes of large tables on PostgreSQL are built while other instances write, and a build that was cut off is done again.

import { testAll } from '@plinth/test-kit/extent'
import { createApp } from '@plinth/test-kit/platform'
import { configOn, type Data, newData } from '@plinth/test-kit/prepared-data'
import { type Client, clientFor } from '@plinth/test-kit/service'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { until, waitingFor } from '../../src/testing/waiting.ts'

const index = 'plinth_t_localities__name'

interface Operator {
  readonly sql: postgres.Sql
  /** Returns the state of the index: whether it exists and can be used. */
  stateOf(name: string): Promise<'missing' | 'invalid' | 'valid'>
}

const operate = ({ url }: Data): Operator => {
  const sql = postgres(url, { max: 4, onnotice: () => {} })
  onTestFinished(() => sql.end({ timeout: 0 }))
  return {
    sql,
    stateOf: async name => {
      const [row] = await sql`SELECT x.indisvalid AS valid FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
        WHERE c.relname = ${name}`
      if (!row) return 'missing'
      return row.valid ? 'valid' : 'invalid'
    },
  }
}

/** The table is large and lacks its trigram index, as after an upgrade that brings one. */
const dropIndex = async ({ sql }: Operator): Promise<void> => {
  await sql.unsafe(`DROP INDEX "${index}"`)
  await sql`INSERT INTO localities (pk, name, version, "createdDate", "lastModifiedDate", "pathLevel", path)
    SELECT 'p' || n, 'Place-' || n, 1, now(), now(), 0, repeat('x', 400) FROM generate_series(1, 6000) n`
}

const largeDatabase = async (): Promise<Data & Operator> => {
  const data = await newData('postgres', {}, {})
  const operator = operate(data)
  await dropIndex(operator)
  return { ...data, ...operator }
}

const startOn = async (data: Data) => {
  const app = await createApp(configOn(data, { 'app.log.level': 'silent', 'app.modules': '' }))
  const close = () => waitingFor('the service to stop', app.close())
  onTestFinished(close)
  const url = await waitingFor('the service to start', app.listen())
  return {
    app,
    admin: clientFor(url, { Accept: 'application/json', Authorization: `Basic ${btoa('admin:admin')}` }),
    close,
  }
}

/** A transaction of another program that has written to the table: an index cannot be finished before it ends. */
const beginWriting = async (sql: postgres.Sql): Promise<{ end(): Promise<void> }> => {
  const connection = await sql.reserve()
  await connection`BEGIN`
  await connection`UPDATE localities SET name = name WHERE pk = 'p1'`
  return {
    end: async () => {
      await connection`COMMIT`
      connection.release()
    },
  }
}

let serial = 0
const create = async (admin: Client): Promise<number> =>
  (await admin.post('/api/rest/localities', { pk: `new-${++serial}`, name: `New ${serial}` })).status

const search = async (admin: Client): Promise<number> => {
  const { status, body } = await admin.get('/api/rest/localities?filter=name=ilike=*ace-77*')
  expect([status, body]).toEqual([200, expect.anything()])
  return body.content.length
}

/** Says whether an index is built, or one that was cut off is removed, which waits in the same way. */
const building = (sql: postgres.Sql) =>
  sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '% INDEX CONCURRENTLY %'
    AND state = 'active' AND pid <> pg_backend_pid()`

const journal = (sql: postgres.Sql) =>
  sql`SELECT number FROM plinth_migrations WHERE sql LIKE ${`%CONCURRENTLY "${index}"%`}`

test('other instances write and search while an index is built, and the plan says so', async () => {
  const database = await newData('postgres', {}, {})
  const data = { ...database, ...operate(database) }
  const old = await startOn(data)
  await dropIndex(data)
  const plan = await old.app.planMigration()
  expect(plan).toContain(`CREATE INDEX CONCURRENTLY "${index}" ON "localities"`)
  expect(plan).toContain('Writes and reads continue')

  const transaction = await beginWriting(data.sql)
  const fresh = await startOn(data)
  await until('the build', async () => (await building(data.sql)).length > 0)
  expect(await Promise.all([create(old.admin), create(fresh.admin)])).toEqual([201, 201])
  expect(await search(fresh.admin)).toBeGreaterThan(5)
  expect(await data.stateOf(index)).toBe('invalid')
  await transaction.end()
  await until('the index', async () => (await data.stateOf(index)) === 'valid')
  expect(await search(fresh.admin)).toBeGreaterThan(5)
  expect(await fresh.app.planMigration()).toContain('The database is up to date')
})

testAll('a build that the server ends is done again, and so is one that ends with its service', async () => {
  const data = await largeDatabase()
  let transaction = await beginWriting(data.sql)
  const first = await startOn(data)
  const [process] = await until('the build', async () => {
    const found = await building(data.sql)
    return found.length > 0 && found
  })
  await data.sql`SELECT pg_terminate_backend(${process?.pid})`
  await until('the next attempt', async () => (await building(data.sql)).some(({ pid }) => pid !== process?.pid))
  await first.close()
  await until('the end of the build', async () => (await building(data.sql)).length === 0)
  expect(await data.stateOf(index)).not.toBe('valid')
  await transaction.end()

  transaction = await beginWriting(data.sql)
  const second = await startOn(data)
  await until('the build of the next start', async () => (await building(data.sql)).length > 0)
  await transaction.end()
  await until('the index', async () => (await data.stateOf(index)) === 'valid')
  expect(await search(second.admin)).toBeGreaterThan(5)
})

testAll('of two instances that start at once, one builds', async () => {
  const data = await largeDatabase()
  const transaction = await beginWriting(data.sql)
  const instances = await Promise.all([startOn(data), startOn(data)])
  await until('the build', async () => (await building(data.sql)).length > 0)
  expect(await building(data.sql)).toHaveLength(1)
  await transaction.end()
  await until('the index', async () => (await data.stateOf(index)) === 'valid')
  await until('the journal', async () => (await journal(data.sql)).length > 0)
  for (const { admin, close } of instances) {
    expect(await search(admin)).toBeGreaterThan(5)
    await close()
  }
  expect(await journal(data.sql)).toHaveLength(1)
})

testAll('a unique index is there before the service answers; duplicates that came in between are named', async () => {
  const data = await largeDatabase()
  const { sql } = data
  await sql`INSERT INTO hosts (pk, name, version, "createdDate", "lastModifiedDate")
    SELECT 'h' || n, 'h' || n || '.example', 1, now(), now() FROM generate_series(1, 30000) n`
  const [row] = await sql`SELECT indexname FROM pg_indexes WHERE tablename = 'hosts' AND indexname LIKE 'plinth_u_%'`
  const unique = String(row?.indexname)
  await sql.unsafe(`DROP INDEX "${unique}"`)
  const service = await startOn(data)
  expect(await data.stateOf(unique)).toBe('valid')
  await service.close()
  await sql.unsafe(`DROP INDEX "${unique}"`)
  await sql`INSERT INTO hosts (pk, name, version, "createdDate", "lastModifiedDate")
    VALUES ('twin', 'h1.example', 1, now(), now())`
  await expect(startOn(data)).rejects.toThrow(/hosts\.name becomes unique, but 1 value is shared by several records/)
})

testAll('`plinth migrate` waits until the indexes are built', async () => {
  const data = await largeDatabase()
  const app = await createApp(configOn(data, { 'app.log.level': 'silent', 'app.modules': '' }))
  onTestFinished(() => app.close())
  expect(await app.migrate()).toContain(`CREATE INDEX CONCURRENTLY "${index}"`)
  expect(await data.stateOf(index)).toBe('valid')
})
