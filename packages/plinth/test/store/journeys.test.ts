// How often a request sends something to PostgreSQL. What is sent together is one journey, however many statements it holds; most of the
// processor time of a write goes into its journeys.

import { startDatabaseProxy } from '@plinth/test-kit/database-proxy'
import { fresh, startLibrary } from '@plinth/test-kit/library'
import type { Answer } from '@plinth/test-kit/service'
import { expect, onTestFinished, test } from 'vitest'

type Request = (number: number) => Promise<Answer>

const times = 20
const numbers = Array.from({ length: times }, (_, number) => number)

const atMost = (count: number) => expect.toSatisfy((journeys: number) => journeys <= count, `at most ${count}`)

test('a write takes few journeys to PostgreSQL, and writes that come together share them', async () => {
  const proxy = await startDatabaseProxy()
  const settings = { 'app.database.url': proxy.url, 'app.log.level': 'silent' }
  const service = await startLibrary('sqlite', { settings })
  onTestFinished(service.stop)
  const [staff, admin] = [service.as('staff'), service.as('admin')]
  const journeysOf = async (requests: () => Promise<readonly Answer[]>): Promise<number> => {
    const before = proxy.sends()
    for (const { status } of await requests()) expect([200, 201, 204]).toContain(status)
    return proxy.sends() - before
  }
  /** The least of several times: background work sends something too, and what is new to a connection is prepared. */
  const least = async (request: Request): Promise<number> => {
    const counts: number[] = []
    for (const number of numbers) counts.push(await journeysOf(async () => [await request(number)]))
    return Math.min(...counts)
  }
  const leastTogether = async (request: Request): Promise<number> => {
    const counts: number[] = []
    for (let time = 0; time < 4; time++) counts.push(await journeysOf(() => Promise.all(numbers.map(request))))
    return Math.min(...counts)
  }
  const hosts: string[] = []
  const createHost = async (number: number) => {
    const made = await admin.post('/api/rest/hosts', { name: `${fresh('h')}.example` })
    hosts[number] = made.body.pk
    return made
  }
  const createAuthor = () => staff.post('/api/rest/authors', { name: fresh('A') })
  const changeHost = (number: number) => admin.patch(`/api/rest/hosts/${hosts[number]}`, { description: fresh('D') })
  const removeHost = (number: number) => admin.delete(`/api/rest/hosts/${hosts[number]}`)
  for (const request of [createHost, createAuthor]) await least(request)
  // Two more than the write itself takes: the caller is checked by one, which requests share as well, and events may be numbered in the meantime.
  expect({
    createWithHook: await least(createHost),
    create: await least(createAuthor),
    change: await least(changeHost),
    createsTogether: await leastTogether(createAuthor),
    changesTogether: await leastTogether(changeHost),
    remove: await least(removeHost),
  }).toEqual({
    createWithHook: atMost(6),
    create: atMost(3),
    change: atMost(4),
    createsTogether: atMost(times * 0.75),
    changesTogether: atMost(times * 0.75),
    remove: atMost(9),
  })
})
