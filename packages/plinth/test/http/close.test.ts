// How a server ends.

import { once } from 'node:events'
import { expect, test } from 'vitest'
import { waitingFor } from '../../src/testing/waiting.ts'
import { get, json, make, open, signal, start, statusOf } from './test-server.ts'

const slow = () => {
  const beginning = signal('the slow request to begin')
  const release = signal('the slow request to be released')
  const route = get('/slow', async () => {
    beginning.resolve()
    await release.promise
    return json('done')
  })
  return { beginning, release, route }
}

test('a request under way is finished, its connection closed, and no new one taken', async () => {
  const { beginning, release, route } = slow()
  const { url, port, server } = await start([route])
  const connection = open(port)
  connection.send('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
  await beginning.promise
  const closed = server.close()
  await expect.poll(() => fetch(`${url}/slow`).then(String, () => 'refused')).toBe('refused')
  release.resolve()
  const answer = await connection.ended()
  await closed
  expect(statusOf(answer)).toBe(200)
  expect(answer).toContain('"done"')
  expect(answer).toMatch(/connection: close\r\n/i)
})

test('a request that follows on the same connection is still answered', async () => {
  const { beginning, release, route } = slow()
  const { port, server } = await start([route, get('/next', () => json('next'))])
  const connection = open(port)
  connection.send('GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n')
  await beginning.promise
  release.resolve()
  await connection.until('"next"')
  await server.close()
  expect(await connection.ended()).toContain('"next"')
})

test('idle connections, used and unused, do not hold it up', async () => {
  const { port, server } = await start([get('/a', () => json(1))], { timeouts: { drain: 60_000 } })
  const used = open(port)
  used.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
  await used.until('\r\n\r\n1')
  const unused = open(port)
  await waitingFor('a connection', once(unused.socket, 'connect'))
  await server.close()
  await Promise.all([used.ended(), unused.ended()])
})

test('an answer that began before the end and stays open afterwards is closed once it is idle', async () => {
  const beginning = signal('the response to begin')
  const release = signal('the rest of the response to be released')
  const body = async function* () {
    yield 'begun'
    beginning.resolve()
    await release.promise
    yield 'ended'
  }
  const { port, server } = await start([get('/a', () => ({ status: 200, body: body() }))], {
    timeouts: { drain: 60_000 },
  })
  const connection = open(port)
  connection.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
  await beginning.promise
  const closed = server.close()
  release.resolve()
  await closed
  expect(await connection.ended()).toMatch(/ended\r\n0\r\n\r\n$/)
})

test('what is left at the deadline is cut off', async () => {
  const { beginning, route } = slow()
  const { port, server } = await start([route], { timeouts: { drain: 200 } })
  const waiting = open(port)
  waiting.send('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
  const sending = open(port)
  sending.send('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc')
  await beginning.promise
  await server.close()
  expect(await waiting.ended()).toBe('')
  await sending.ended()
})

test('closing twice is closing once', async () => {
  const { server } = await start([get('/a', () => json(1))])
  const first = server.close()
  expect(server.close()).toBe(first)
  await first
})

test('a server that never listened closes too', async () => {
  await expect(make([]).server.close()).resolves.toBeUndefined()
})

test('two servers cannot listen on one port, and the second says so', async () => {
  const { port } = await start([])
  await expect(start([], { port })).rejects.toThrow('EADDRINUSE')
})
