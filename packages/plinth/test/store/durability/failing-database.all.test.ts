// A PostgreSQL server that answers, but not as it should: read-only, impatient or frozen.

import { type DatabaseProxy, startDatabaseProxy } from '@plinth/test-kit/database-proxy'
import { testAll } from '@plinth/test-kit/extent'
import { type Answer, startService, type TestService } from '@plinth/test-kit/service'
import postgres from 'postgres'
import { expect, onTestFinished } from 'vitest'

const startBehindProxy = async (more = {}): Promise<{ proxy: DatabaseProxy; service: TestService }> => {
  const proxy = await startDatabaseProxy()
  const settings = { 'app.modules': '', 'app.database.url': proxy.url, 'app.log.level': 'silent', ...more }
  const service = await startService('sqlite', { settings })
  onTestFinished(service.stop)
  return { proxy, service }
}

/** A connection of the person who operates the database. */
const operate = ({ direct }: DatabaseProxy): postgres.Sql => {
  const sql = postgres(direct, { max: 1, onnotice: () => {} })
  onTestFinished(() => sql.end({ timeout: 0 }))
  return sql
}

/** Sets a setting from now on, for the sessions of the service too. */
const set = async (sql: postgres.Sql, setting: string): Promise<void> => {
  const [row] = await sql`SELECT current_database() AS name`
  await sql.unsafe(`ALTER DATABASE ${row?.name} ${setting}`)
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`
}

const mustBeUnavailable = (answer: Answer): void => {
  expect([answer.status, answer.body?.code ?? answer.body?.errors?.[0]?.code]).toEqual([503, 'unavailable'])
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}

const healthOf = async (service: TestService): Promise<[number, string]> => {
  const { status, body } = await service.as('anonymous').get('/api/management/health')
  return [status, body.status]
}

let serial = 0
const createHost = (service: TestService): Promise<Answer> =>
  service.as('admin').post('/api/rest/hosts', { name: `host${++serial}.example` })
const readCountry = (service: TestService): Promise<Answer> => service.as('anonymous').get('/api/rest/countries/GR')

testAll(
  'a read-only database: writes are unavailable, reads go on, health is DOWN until it is writable again',
  async () => {
    const { proxy, service } = await startBehindProxy()
    const sql = operate(proxy)
    expect((await createHost(service)).status).toBe(201)
    await set(sql, 'SET default_transaction_read_only = on')
    await expect.poll(async () => (await readCountry(service)).status).toBe(200)
    for (let at = 0; at < 3; at++) mustBeUnavailable(await createHost(service))
    await expect.poll(() => healthOf(service)).toEqual([503, 'DOWN'])
    expect((await readCountry(service)).status).toBe(200)

    // Sessions that are open stay read-only: the service has to replace them.
    await sql`SET default_transaction_read_only = off`
    const [row] = await sql`SELECT current_database() AS name`
    await sql.unsafe(`ALTER DATABASE ${row?.name} RESET default_transaction_read_only`)
    await expect.poll(async () => (await createHost(service)).status).toBe(201)
    await expect.poll(() => healthOf(service)).toEqual([200, 'UP'])
  },
)

testAll('a statement that exceeds the statement_timeout of the operator is unavailable', async () => {
  const { proxy, service } = await startBehindProxy()
  const sql = operate(proxy)
  await set(sql, "SET statement_timeout = '500ms'")
  await expect.poll(async () => (await createHost(service)).status).toBe(201)
  await sql.unsafe('BEGIN; SET LOCAL statement_timeout = 0; LOCK TABLE "hosts"').simple()
  mustBeUnavailable(await createHost(service))
  mustBeUnavailable(await service.as('admin').get('/api/rest/hosts'))
  expect((await readCountry(service)).status).toBe(200)
  await sql.unsafe('ROLLBACK').simple()
  expect((await createHost(service)).status).toBe(201)
})

testAll(
  'a frozen database: requests are unavailable instead of waiting, health is DOWN, and all recovers by itself',
  {
    timeout: 120_000,
  },
  async () => {
    const { proxy, service } = await startBehindProxy()
    expect((await createHost(service)).status).toBe(201)
    proxy.freeze()
    for (const answer of await Promise.all([readCountry(service), createHost(service), readCountry(service)]))
      mustBeUnavailable(answer)
    expect(await healthOf(service)).toEqual([503, 'DOWN'])
    mustBeUnavailable(await createHost(service))
    await proxy.restore()
    await expect.poll(async () => (await createHost(service)).status, { timeout: 30_000 }).toBe(201)
    await expect.poll(() => healthOf(service), { timeout: 30_000 }).toEqual([200, 'UP'])
    expect((await readCountry(service)).status).toBe(200)
  },
)

testAll(
  'connections that are half open: what waits for them is unavailable in the end, and new ones are made',
  {
    timeout: 120_000,
  },
  async () => {
    const { proxy, service } = await startBehindProxy({ 'app.api.queryTimeout': '1' })
    expect((await readCountry(service)).status).toBe(200)
    proxy.freezeOpen()
    mustBeUnavailable(await readCountry(service))
    expect((await readCountry(service)).status).toBe(200)
  },
)

testAll('a slow statement is waited for while the database answers others', { timeout: 120_000 }, async () => {
  const { proxy, service } = await startBehindProxy()
  const sql = operate(proxy)
  await sql.unsafe('BEGIN; LOCK TABLE "hosts"').simple()
  const waiting = createHost(service)
  // Longer than the service takes to declare a database frozen.
  await sql`SELECT pg_sleep(12)`
  await sql.unsafe('COMMIT').simple()
  expect((await waiting).status).toBe(201)
})
