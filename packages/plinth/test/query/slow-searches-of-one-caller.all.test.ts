// Slow searches of one caller do not delay the requests of others, and end when they should, in the database too.

import { setTimeout as sleep } from 'node:timers/promises'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { lockTable, statementsIn } from '@plinth/test-kit/postgres-activity'
import { type Answer, type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { slowSearch, startWithSlowSearch } from '@plinth/test-kit/slow-search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'
import { signal } from '../http/test-server.ts'

const json = { Accept: 'application/json' }

const codeOf = ({ status, body }: Answer): readonly [number, string | undefined] => [status, body?.code]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let unlock = async () => {}
  beforeAll(async () => {
    const settings = {
      'app.api.queryTimeout': '2',
      'app.database.writeTimeout': '2',
      'app.log.level': 'silent',
    }
    service = await (database === 'sqlite' ? startWithSlowSearch(settings) : startService(database, { settings }))
    if (database === 'postgres') unlock = await lockAfterSizes(service, 'countries')
  })
  afterAll(async () => {
    await unlock()
    await service.stop()
  })

  /** The path of a search. On PostgreSQL it waits for a lock, which costs no time of the processor. */
  const path = database === 'sqlite' ? slowSearch : '/api/rest/countries?filter=name==*z*'
  const search = (user: DemoUser) => service.as(user).get(path, json)

  test('a caller with too many slow searches is refused with 429, and another one is served at once', async () => {
    const leaving = new AbortController()
    const refusals: Response[] = []
    // One runs, ten wait.
    const all = Array.from({ length: 12 }, async () => {
      const headers = { ...json, Authorization: `Basic ${btoa('client:client')}` }
      const sent = fetch(service.url + path, { headers, signal: leaving.signal })
      const answer = await sent.catch(() => null)
      if (answer?.status === 429) refusals.push(answer)
    })
    const refusal = await until('a refusal', () => refusals[0])
    expect(await refusal.json()).toMatchObject({ code: 'too_many_requests' })
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    // It has a place although the other caller's searches came first: it is ended at its own deadline.
    expect(codeOf(await search('staff'))).toEqual([503, 'query_timeout'])
    leaving.abort()
    await Promise.all(all)
  })

  testAll(
    'point reads, writes and sign-ins go on while slow searches of many callers run into their deadline',
    async () => {
      let isOver = false
      const users = ['admin', 'staff', 'client'] as const
      const slow = Promise.all(users.map(search)).finally(() => {
        isOver = true
      })
      let served = 0
      while (!isOver) {
        const anonymous = service.as('anonymous')
        expect((await anonymous.get('/api/rest/continents/EU', json)).status).toBe(200)
        expect((await anonymous.get('/api/rest/continents?filter=name==E*', json)).status).toBe(200)
        const actor = { firstName: 'Ann', lastName: `Other ${served}` }
        expect((await service.as('admin').post('/api/rest/filmActors', actor)).status).toBe(201)
        const login = await anonymous.post('/api/auth/jwt/access', { username: 'client', password: 'client' })
        expect(login.status).toBe(201)
        served += 1
        // More rounds would only cost processor time.
        await sleep(100)
      }
      const answers = await slow
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
      expect(answers.map(({ body }) => body.code)).toContain('query_timeout')
      expect(served).toBeGreaterThan(1)
      if (database === 'postgres')
        await until('all statements to end', async () => (await statementsIn(service.database)).length === 0)
    },
  )

  test('a write does not wait for another one for ever', async () => {
    const write = () => service.as('admin').patch('/api/rest/continents/EU', { name: 'Europe' }, json)
    // Signing in writes too.
    expect((await write()).status).toBe(204)
    const release = await (database === 'postgres' ? lockTable(service.database, 'continents') : holdWriter(service))
    const answer = await write()
    expect(codeOf(answer)).toEqual([503, 'unavailable'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    if (database === 'postgres')
      await until('the statement to end', async () => (await statementsIn(service.database)).length === 0)
    await release()
    expect((await write()).status).toBe(204)
  })
})

describe('on postgres, a statement ends in the database', () => {
  const settings = { 'app.api.queryTimeout': '60', 'app.log.level': 'silent' }
  const path = '/api/rest/countries?filter=name==*z*'
  let service: TestService
  let unlock: () => Promise<void>
  beforeAll(async () => {
    service = await startService('postgres', { settings })
    unlock = await lockAfterSizes(service, 'countries')
  })
  afterAll(() => unlock())

  const isSearching = async () => (await statementsIn(service.database)).some(text => !text.includes('EXPLAIN'))

  test.each([
    ['a search', path],
    ['an include', '/api/rest/continents/EU?include=children'],
  ])('when the caller of %s leaves', async (_, path) => {
    const leaving = new AbortController()
    const left = fetch(service.url + path, { signal: leaving.signal }).catch(error => error.name)
    await until('the search to run', isSearching)
    leaving.abort()
    expect(await left).toBe('AbortError')
    await until('the search to end', async () => (await statementsIn(service.database)).length === 0)
  })

  testAll('when the service stops', async () => {
    const answer = fetch(service.url + path).then(
      ({ status }) => status,
      () => 'cut off',
    )
    const write = service.as('admin').patch('/api/rest/countries/GR', { capital: 'Athens' })
    const cutOff = expect(write).rejects.toThrow()
    await until('the search to run', isSearching)
    await until('the write to run', async () => (await statementsIn(service.database)).length > 1)
    await service.stop()
    expect([503, 'cut off']).toContain(await answer)
    await cutOff
    // The server ends its processes on request, in its own time.
    await until('the statements to end', async () => (await statementsIn(service.database)).length === 0)
  })
})

/** The sizes of all tables are asked for before the first search. */
const lockAfterSizes = async ({ app, database }: TestService, table: string): Promise<() => Promise<void>> => {
  await app.platform.store.sizes()
  return lockTable(database, table)
}

/** SQLite has one writer: until it is released, all other writes wait. */
const holdWriter = async ({ app }: TestService): Promise<() => Promise<void>> => {
  const [start, released] = [signal('a transaction to begin'), signal('the transaction to be released')]
  const over = app.platform.store.transaction(() => {
    start.resolve()
    return released.promise
  })
  await start.promise
  return () => {
    released.resolve()
    return over
  }
}
