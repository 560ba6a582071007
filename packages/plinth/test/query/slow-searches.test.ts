// Long searches run outside the main thread, have a time limit, and do not delay other callers.

import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { testAll } from '@plinth/test-kit/extent'
import type { TestService } from '@plinth/test-kit/service'
import { slowSearch, startWithSlowSearch } from '@plinth/test-kit/slow-search'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'

let service: TestService
beforeAll(async () => {
  service = await startWithSlowSearch({ 'app.api.queryTimeout': '4' })
})
afterAll(() => service.stop())

const credentials = { Authorization: `Basic ${btoa('admin:admin')}` }

const json = { Accept: 'application/json' }

test('a search that takes too long is ended with 503, and other callers are served', async () => {
  let isOver = false
  const slow = service
    .as('admin')
    .get(slowSearch, json)
    .finally(() => {
      isOver = true
    })
  let served = 0
  while (!isOver) {
    expect((await service.as('anonymous').get('/api/rest/countries/GR', json)).status).toBe(200)
    expect((await service.as('anonymous').get('/api/management/health', json)).status).toBe(200)
    served += 1
    // More requests would only cost processor time.
    await sleep(100)
  }
  const answer = await slow
  expect([answer.status, answer.body.code]).toEqual([503, 'query_timeout'])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(served).toBeGreaterThan(2)
})

/** Processes for slow reads that this one has started. */
const readerProcesses = async (): Promise<readonly number[]> => {
  const pids = (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')).trim().split(' ')
  const commands = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((_, at) => commands[at]?.includes('sqlite-reader')).map(Number)
}

testAll('a search ends at its limit also when the process for it gets no time to start', async () => {
  const own = await startWithSlowSearch({ 'app.api.queryTimeout': '2' })
  onTestFinished(() => own.stop())
  const others = await readerProcesses()
  const slow = own.as('admin').get(slowSearch, json)
  const reader = await until('the process', async () => (await readerProcesses()).find(pid => !others.includes(pid)))
  process.kill(reader, 'SIGSTOP')
  const { status, body } = await slow
  expect([status, body.code]).toEqual([503, 'query_timeout'])
  process.kill(reader, 'SIGCONT')
  const paths = Array.from({ length: 10 }, (_, at) => `path==*z${at}*`).join(',')
  const search = `/api/rest/localities?_total=none&filter=${encodeURIComponent(`(${paths})`)}`
  await until(
    'the process to serve the next search',
    async () => (await own.as('admin').get(search, json)).status === 200,
  )
  expect(own.app.platform.store.slowReads).toBeGreaterThan(1)
})

testAll('more slow searches than there are places for all come to an end', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => service.as('admin').get(slowSearch, json)))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([503]))
  expect((await service.as('anonymous').get('/api/rest/countries?filter=name==G*', json)).status).toBe(200)
})

test('a prefix that an index serves is no slow search, whatever the size of the table', async () => {
  const path = '/api/rest/localities?filter=name==Zz*&sort=-name'
  // One caller has fewer places for slow searches.
  const all = await Promise.all(Array.from({ length: 30 }, () => service.as('admin').get(path, json)))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
})

testAll('when many records share a value, searches by it are slow ones, whatever else they ask for', async () => {
  const statusesOf = async (paths: readonly string[]) => {
    const all = await Promise.all(paths.map(path => service.as('operator').get(path, json)))
    return new Set(all.map(({ status }) => status))
  }
  /** Each with a statement of its own. */
  const searches = Array.from({ length: 18 }, (_, at) => {
    const others = Array.from({ length: at }, () => ';pk!=x').join('')
    return `/api/rest/localities?filter=${encodeURIComponent(`parent==GR;name=ilike=*é0*${others}`)}&_total=none`
  })
  // An index serves the value, so they look cheap, and turn out not to be.
  for (const search of searches.slice(0, 4)) expect(await statusesOf([search])).toEqual(new Set([200]))
  expect(await statusesOf(searches.slice(4))).toContain(429)
  // Of these an index gives the first in their order.
  const firsts = Array.from({ length: 14 }, () => '/api/rest/localities?filter=parent==GR&sort=name&_total=none')
  expect(await statusesOf(firsts)).toEqual(new Set([200]))
})

testAll('the search of a caller who has left makes room for others', async () => {
  const leaving = new AbortController()
  const left = Array.from({ length: 2 }, () =>
    fetch(service.url + slowSearch, { headers: credentials, signal: leaving.signal }).catch(error => error.name),
  )
  const quick = await service.as('anonymous').get('/api/rest/countries/GR', json)
  expect(quick.status).toBe(200)
  leaving.abort()
  expect(await Promise.all(left)).toEqual(['AbortError', 'AbortError'])
  await until(
    'a place for the next search',
    async () => (await service.as('admin').get(slowSearch, json)).status === 503,
  )
})

testAll(
  'when no place is left for slow searches, a small one whose statement was slow before runs all the same',
  async () => {
    const ask = (path: string) => fetch(service.url + path, { headers: credentials, signal: leaving.signal })
    const leaving = new AbortController()
    const paths = Array.from({ length: 20 }, (_, at) => `children.path==*z${at}*`).join(',')
    const inCountry = (pk: string) =>
      `/api/rest/countries?pks=${pk}&_total=none&filter=${encodeURIComponent(`(${paths})`)}`
    // The statement is the same for both countries, but only one of them has many records.
    const { store } = service.app.platform
    const before = store.slowReads
    expect((await ask(inCountry('GR'))).status).toBe(200)
    expect(store.slowReads - before).toBe(1)
    const statuses: (number | string)[] = []
    const searching = Array.from({ length: 12 }, async () => {
      statuses.push(
        await ask(slowSearch).then(
          ({ status }) => status,
          error => error.name,
        ),
      )
    })
    await until('no place is left', () => statuses.includes(429))
    expect((await ask(inCountry('FR'))).status).toBe(200)
    expect(statuses).toEqual([429])
    leaving.abort()
    await Promise.all(searching)
  },
)

testAll('the work of other threads, such as that of sign-ins, makes no search a slow one', async () => {
  const path = '/api/rest/countries?_ps=250'
  const { store } = service.app.platform
  const before = store.slowReads
  let isOver = false
  const signIn = async (): Promise<void> => {
    while (!isOver)
      expect(
        (await service.as('anonymous').post('/api/auth/userDetails', { username: 'simple', password: 'simple' }))
          .status,
      ).toBe(200)
  }
  const signingIn = Array.from({ length: 8 }, signIn)
  for (let at = 0; at < 60; at++) expect((await service.as('simple').get(path, json)).status).toBe(200)
  isOver = true
  await Promise.all(signingIn)
  const burst = await Promise.all(Array.from({ length: 100 }, () => service.as('simple').get(path, json)))
  expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([200]))
  expect(store.slowReads).toBe(before)
})

testAll('the service stops while slow searches are running', async () => {
  const own = await startWithSlowSearch({ 'app.api.queryTimeout': '60' })
  const slow = fetch(own.url + slowSearch, { headers: credentials }).then(
    response => response.status,
    () => 'cut off',
  )
  expect((await own.as('anonymous').get('/api/rest/countries/GR', json)).status).toBe(200)
  await own.stop()
  expect([503, 'cut off']).toContain(await slow)
})

test('a hundred comparisons behind the same relations are one look at the records there', async () => {
  const comparisons = Array.from({ length: 99 }, (_, at) => `parent.children.parent.children.name==z${at}`)
  const answer = await service
    .as('anonymous')
    .get(`/api/rest/countries?filter=${comparisons.join(',')},name==Greece`, json)
  expect([answer.status, answer.body.page.totalElements]).toEqual([200, 1])
})
