// Limits on what connections take: places, and bodies in memory.

import { once } from 'node:events'
import { connect } from 'node:net'
import { testAll } from '@plinth/test-kit/extent'
import { describe, expect, onTestFinished, test } from 'vitest'
import { until, waitingFor } from '../../src/testing/waiting.ts'
import {
  exchange,
  expectServed,
  get,
  mirrors,
  open,
  openDeaf,
  requestText,
  signal,
  start,
  statusOf,
} from './test-server.ts'

describe('too many connections', () => {
  const openServed = async (port: number) => {
    const connection = open(port)
    connection.send(requestText('/a'))
    await connection.until('remoteAddress')
    return connection
  }

  test.each([
    ['in all', { connections: 2 }, 503, 'overloaded'],
    ['from one address', { connectionsPerAddress: 2 }, 429, 'too_many_requests'],
  ])('%s are refused with an answer until another one ends', async (_, limits, status, code) => {
    const { port, server } = await start(mirrors, { limits })
    const [first] = [await openServed(port), await openServed(port)]
    const refused = await exchange(port, `POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc`)
    expect(statusOf(refused)).toBe(status)
    expect(refused).toContain(`"code":"${code}"`)
    expect(refused).toMatch(/retry-after: \d+\r\n/i)
    expect(refused).toMatch(/connection: close\r\n/i)
    expect(refused).toMatch(/x-content-type-options: nosniff\r\n/i)
    expect(server.traffic().refusedConnections).toBe(1)
    first.socket.destroy()
    await until(
      'a place',
      async () => statusOf(await exchange(port, requestText('/a', 'Connection: close\r\n'))) === 200,
    )
  })

  testAll('a refused connection that asks for nothing is closed', async () => {
    const { port } = await start(mirrors, { limits: { connections: 1 } })
    await openServed(port)
    expect(await open(port).ended()).toBe('')
  })

  test('many from one address leave places for others', async () => {
    const { port } = await start(mirrors, { limits: { connections: 120, connectionsPerAddress: 2 } })
    const sockets = Array.from({ length: 300 }, () => openDeaf(port, ''))
    await until('all to have been tried', () => sockets.every(socket => !socket.connecting))
    const other = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    other.write(requestText('/a', 'Connection: close\r\n'))
    const [answer] = await waitingFor('an answer', once(other.setEncoding('utf8'), 'data'))
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })

  test('trusted proxies have no limit of their own', async () => {
    const { port } = await start(mirrors, { limits: { connectionsPerAddress: 1 }, trustedProxies: ['127.0.0.0/8'] })
    for (let count = 0; count < 3; count++) await openServed(port)
  })
})

describe('bodies', () => {
  const post = (length: number, sent: number) =>
    `POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(sent)}`

  testAll(
    'whose last bytes are held back are bounded, the oldest refused first, and other callers are served',
    async () => {
      const limits = { bodyBytes: 500_000 }
      const started = await start(mirrors, { maxBodyBytes: 100_000, limits })
      const connections = Array.from({ length: 20 }, () => {
        const connection = open(started.port)
        connection.send(post(100_000, 99_990))
        return connection
      })
      const first = await connections[0]?.ended()
      expect(statusOf(first ?? '')).toBe(503)
      expect(first).toMatch(/retry-after: \d+\r\n/i)
      expect(started.server.traffic().bodyBytes).toBeLessThanOrEqual(500_000)
      const answer = await fetch(`${started.url}/a`, { method: 'POST', body: 'y'.repeat(90_000) })
      expect(answer.status).toBe(200)
      for (const connection of connections) connection.socket.destroy()
      await until('the bodies to be dropped', () => started.server.traffic().bodyBytes === 0)
    },
  )

  testAll('that arrive in the smallest chunks take no more memory than their bytes', async () => {
    const started = await start(mirrors, { maxBodyBytes: 100_000 })
    const connection = open(started.port)
    connection.send('POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n')
    connection.send('1\r\nx\r\n'.repeat(20_000))
    await until('the body to arrive', () => started.server.traffic().bodyBytes >= 20_000)
    expect(started.server.traffic().bodyBytes).toBeLessThanOrEqual(40_000)
    connection.send('0\r\n\r\n')
    expect(await connection.ended()).toContain('x'.repeat(20_000))
    await until('the body to be dropped', () => started.server.traffic().bodyBytes === 0)
  })

  test('that stop arriving are refused with 408', async () => {
    const { port } = await start(mirrors, { limits: { stallMs: 100 } })
    const connection = open(port)
    connection.send(post(10, 3))
    const answer = await connection.ended()
    expect(statusOf(answer)).toBe(408)
    expect(answer).toContain('"code":"request_timeout"')
  })

  testAll('that arrive byte by byte are refused with 408', async () => {
    const { port } = await start(mirrors, { limits: { stallMs: 200, bytesPerSecond: 1000 } })
    const connection = open(port)
    connection.send(post(1000, 0))
    const drip = setInterval(() => connection.send('x'), 10)
    onTestFinished(() => clearInterval(drip))
    expect(statusOf(await connection.ended())).toBe(408)
  })

  test('that are too large are refused whether they say so or not', async () => {
    const { port } = await start(mirrors)
    expect(statusOf(await exchange(port, post(2000, 2000).replace('Content', 'Connection: close\r\nContent')))).toBe(
      413,
    )
    const chunked = 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
    expect(statusOf(await exchange(port, `${chunked}7d0\r\n${'x'.repeat(2000)}\r\n0\r\n\r\n`))).toBe(413)
  })
})

describe('what is no request after requests', () => {
  test('leaves a response under way whole, and is refused after it', async () => {
    const release = signal('the rest of the response to be released')
    const body = async function* () {
      yield 'begun'
      await release.promise
      yield 'ended'
    }
    const started = await start([get('/stream', () => ({ status: 200, body: body() })), ...mirrors])
    const connection = open(started.port)
    connection.send(requestText('/stream'))
    await connection.until('begun')
    connection.send('rubbish\r\n\r\n')
    await expectServed(started)
    release.resolve()
    const answer = await connection.ended()
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(answer).toMatch(/ended\r\n0\r\n\r\nHTTP\/1\.1 400/)
  })

  test('is refused after the responses to all of them', async () => {
    const { port } = await start(mirrors, { limits: { requestsPerConnection: 2 } })
    const answer = await exchange(port, `${requestText('/a').repeat(5)}rubbish\r\n\r\n`)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array(5).fill('HTTP/1.1 200'), 'HTTP/1.1 400'])
    const unknown = await exchange(port, `${requestText('/a')}BREW /a HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(unknown.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 405'])
  })

  test('does not keep a connection whose response never ends', async () => {
    const body = async function* () {
      yield 'begun'
      await new Promise(() => {})
    }
    const { port } = await start([get('/stream', () => ({ status: 200, body: body() }))], { limits: { stallMs: 200 } })
    const connection = open(port)
    connection.send(requestText('/stream'))
    await connection.until('begun')
    connection.send('rubbish\r\n\r\n')
    expect((await connection.ended()).match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})
