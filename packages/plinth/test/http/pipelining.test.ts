// Requests that one connection sends at once, and long queries: when they begin, and what they hold in memory.

import { once } from 'node:events'
import { connect } from 'node:net'
import { testAll } from '@plinth/test-kit/extent'
import { describe, expect, test } from 'vitest'
import type { Response } from '../../src/core/http/exchange.ts'
import { until, waitingFor } from '../../src/testing/waiting.ts'
import {
  exchange,
  expectServed,
  get,
  json,
  mirror,
  mirrors,
  open,
  openDeaf,
  requestText,
  signal,
  start,
} from './test-server.ts'

/** Returns the turns of the event loop in which the requests begin that some connections send. */
const turnsOf = async (count: number, text: string): Promise<readonly number[]> => {
  const turns: number[] = []
  let turn = 0
  let isOver = false
  const tick = () => {
    turn += 1
    if (!isOver) setImmediate(tick)
  }
  const note = get('/{n}', ({ params }) => {
    turns.push(turn)
    return json(params.n)
  })
  const { port } = await start([note])
  const connections = Array.from({ length: count }, () => open(port))
  // Each has had its turn to begin.
  for (const connection of connections) {
    connection.send(requestText('/0'))
    await connection.until('"0"')
  }
  turns.length = 0
  tick()
  for (const connection of connections) connection.send(text)
  await Promise.all(connections.map(connection => connection.ended()))
  isOver = true
  return turns
}

describe('long queries', () => {
  const long = `/1?filter=${'x'.repeat(1000)}`

  test('begin one in each turn of the event loop, whatever number of connections they come from', async () => {
    const turns = await turnsOf(30, requestText(long, 'Connection: close\r\n'))
    expect(turns).toHaveLength(30)
    expect(new Set(turns).size).toBe(30)
  })

  test('are answered in the order of their connection', async () => {
    const { port } = await start([get('/{n}', ({ params }) => json(params.n))])
    const connection = open(port)
    connection.send(
      requestText(long) + requestText('/2') + requestText(long.replace('1', '3'), 'Connection: close\r\n'),
    )
    const numbers = [...(await connection.ended()).matchAll(/^"(\d)"/gm)].map(([, n]) => Number(n))
    expect(numbers).toEqual([1, 2, 3])
  })
})

describe('pipelining', () => {
  test('requests that waited begin one in each turn of the event loop, whatever number of connections they come from', async () => {
    const turns = await turnsOf(10, `${requestText('/1').repeat(30)}${requestText('/1', 'Connection: close\r\n')}`)
    // The first request of each connection begins at once, the other 300 one after the other.
    expect(turns).toHaveLength(310)
    expect((turns.at(-1) ?? 0) - (turns[0] ?? 0)).toBeGreaterThan(290)
  })

  test('a few requests of a connection are handled at a time, and the others follow in their order', async () => {
    let running = 0
    let most = 0
    const slow = get('/{n}', async ({ params }) => {
      running += 1
      most = Math.max(most, running)
      await new Promise(resolve => setTimeout(resolve, 1))
      running -= 1
      return json(params.n)
    })
    const { port } = await start([slow], { limits: { requestsPerConnection: 3 } })
    const count = 500
    const connection = open(port)
    for (let n = 1; n < count; n++) connection.send(requestText(`/${n}`))
    connection.send(requestText(`/${count}`, 'Connection: close\r\n'))
    const numbers = [...(await connection.ended()).matchAll(/"(\d+)"/g)].map(([, n]) => Number(n))
    expect(numbers).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    expect(most).toBe(3)
  })

  test('a body that follows waiting requests arrives whole', async () => {
    const release = signal('the first request to be released')
    const first = get('/held', async () => {
      await release.promise
      return json('held')
    })
    const { port } = await start([first, ...mirrors], { limits: { requestsPerConnection: 1 }, maxBodyBytes: 1_000_000 })
    const connection = open(port)
    const body = 'x'.repeat(500_000)
    connection.send(requestText('/held') + requestText('/a'))
    connection.send(`POST /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    release.resolve()
    expect(await connection.ended()).toContain(body)
  })

  test('a flood of short requests ends its connection, and is no way to hold up others', async () => {
    let handled = 0
    const counted = get('/a', request => {
      handled += 1
      return mirror(request)
    })
    const { port, logged } = await start([counted])
    const flood = requestText('/a').repeat(5000)
    await Promise.all(
      Array.from({ length: 5 }, () => {
        const connection = open(port)
        connection.send(flood)
        return connection.ended()
      }),
    )
    expect(handled).toBeLessThan(1000)
    // New connections are read one after the other, so the others are closed before anything is parsed.
    expect(logged.map(({ message }) => message)).toEqual(['connection closed: too many pipelined requests'])
    expect(await exchange(port, requestText('/a'))).toBe('')
    const other = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    other.write(requestText('/a', 'Connection: close\r\n'))
    const [answer] = await waitingFor('an answer', once(other.setEncoding('utf8'), 'data'))
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })

  test('unread responses are limited, and other callers are served', async () => {
    let handled = 0
    const size = 100_000
    const large = get('/large', () => {
      handled += 1
      return { status: 200, body: 'x'.repeat(size) }
    })
    const limits = { requestsPerConnection: 4, responseBytesPerConnection: 2 * size }
    const started = await start([large, ...mirrors], { limits })
    const count = 20
    for (let at = 0; at < count; at++) openDeaf(started.port, requestText('/large').repeat(700))
    await until('all of them to be held up', async () => {
      const before = handled
      for (let turn = 0; turn < 5; turn++) await expectServed(started)
      return handled > count && handled === before
    })
    const { responseBytes, waitingRequests } = started.server.traffic()
    expect(handled).toBeLessThan(count * 700)
    expect(waitingRequests).toBeGreaterThan(0)
    // Those handled at a time may each add a response, and waiting requests count as well.
    expect(responseBytes).toBeLessThan(count * (2 + 4) * size + waitingRequests * 4096)
  })

  test('when all connections together hold too much, those that hold the most are closed', async () => {
    const size = 1_000_000
    const large = get('/large', () => ({ status: 200, body: 'x'.repeat(size) }))
    const limits = { requestsPerConnection: 8, responseBytesPerConnection: 8 * size, responseBytes: 5 * size }
    const started = await start([large, ...mirrors], { limits })
    const sockets = Array.from({ length: 5 }, () => openDeaf(started.port, requestText('/large').repeat(50)))
    const small = open(started.port)
    small.send(requestText('/a'))
    await small.until('remoteAddress')
    await until('some to be closed', () => started.server.traffic().closedConnections > 0)
    await until('the rest to fit', () => started.server.traffic().responseBytes <= 5 * size)
    await expectServed(started)
    small.send(requestText('/a?again', 'Connection: close\r\n'))
    expect(await small.ended()).toContain('again')
    expect(sockets).toHaveLength(5)
  })

  test('responses that do not end keep no pipelined requests of others waiting', async () => {
    const endless = get('/endless', () => ({
      status: 200,
      body: (async function* () {
        yield 'begun'
        await new Promise(() => {})
      })(),
    }))
    const silent = get('/silent', () => new Promise<Response>(() => {}))
    const { port } = await start([endless, silent, ...mirrors])
    for (const path of ['/endless', '/silent'])
      for (let count = 0; count < 5; count++) {
        const connection = open(port)
        connection.send(requestText('/a') + requestText(path))
        await connection.until('remoteAddress')
      }
    expect(await exchange(port, requestText('/a') + requestText('/a?second', 'Connection: close\r\n'))).toContain(
      'second',
    )
  })

  test('a caller who takes a response too slowly is cut off', async () => {
    const { port, server } = await start([get('/a', () => ({ status: 200, body: 'x'.repeat(100_000_000) }))], {
      limits: { stallMs: 500, bytesPerSecond: 1_000_000_000 },
    })
    const socket = openDeaf(port, requestText('/a'))
    // Reads a piece, and the next one a little later.
    socket.on('data', () => {
      socket.pause()
      setTimeout(() => socket.resume(), 2)
    })
    socket.resume()
    await until('the response to wait', () => server.traffic().responseBytes > 0)
    await until('the connection to end', () => server.traffic().connections === 0)
    expect(socket.bytesRead).toBeLessThan(100_000_000)
  })

  testAll('a caller who takes no bytes of a response is cut off', async () => {
    const { port, server } = await start([get('/a', () => ({ status: 200, body: 'x'.repeat(30_000_000) }))], {
      limits: { stallMs: 300 },
    })
    openDeaf(port, requestText('/a'))
    await until('the response to wait', () => server.traffic().responseBytes > 0)
    await until('the connection to end', () => server.traffic().connections === 0)
  })
})
