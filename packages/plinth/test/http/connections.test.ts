// Limits on what connections take: places, requests at a time, unread responses and bodies in memory.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Response } from '../../src/core/http/exchange.ts'
import { until } from '../../src/testing/waiting.ts'
import { exchange, get, json, mirror, open, type Started, signal, start, statusOf } from './harness.ts'

const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const routes = [get('/a', mirror), { method: 'POST' as const, path: '/a', handler: mirror }]

const expectServed = async ({ url }: Started) => expect((await fetch(`${url}/a`)).status).toBe(200)

/** A client that sends and never reads. */
const openDeaf = (port: number, text: string): Socket => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(text)
  onTestFinished(() => {
    socket.destroy()
  })
  return socket
}

describe('too many connections', () => {
  const openServed = async (port: number) => {
    const connection = open(port)
    connection.send(request('/a'))
    await connection.until('remoteAddress')
    return connection
  }

  test.each([
    ['in all', { connections: 2 }, 503, 'overloaded'],
    ['from one address', { connectionsPerAddress: 2 }, 429, 'too_many_requests'],
  ])('%s are refused with an answer until another one ends', async (_, limits, status, code) => {
    const { port, server } = await start(routes, { limits })
    const [first] = [await openServed(port), await openServed(port)]
    const refused = await exchange(port, `POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc`)
    expect(statusOf(refused)).toBe(status)
    expect(refused).toContain(`"code":"${code}"`)
    expect(refused).toMatch(/retry-after: \d+\r\n/i)
    expect(refused).toMatch(/connection: close\r\n/i)
    expect(refused).toMatch(/x-content-type-options: nosniff\r\n/i)
    expect(server.traffic().refusedConnections).toBe(1)
    first.socket.destroy()
    await until('a place', async () => statusOf(await exchange(port, request('/a', 'Connection: close\r\n'))) === 200)
  })

  test('a refused connection that asks for nothing is closed', async () => {
    const { port } = await start(routes, { limits: { connections: 1 } })
    await openServed(port)
    expect(await open(port).ended()).toBe('')
  })

  test('many from one address leave places for others', async () => {
    const { port } = await start(routes, { limits: { connections: 120, connectionsPerAddress: 2 } })
    const sockets = Array.from({ length: 300 }, () => openDeaf(port, ''))
    await until('all to have been tried', () => sockets.every(socket => !socket.connecting))
    const other = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    other.write(request('/a', 'Connection: close\r\n'))
    const [answer] = await once(other.setEncoding('utf8'), 'data')
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })

  test('trusted proxies have no limit of their own', async () => {
    const { port } = await start(routes, { limits: { connectionsPerAddress: 1 }, trustedProxies: ['127.0.0.0/8'] })
    for (let count = 0; count < 3; count++) await openServed(port)
  })
})

describe('pipelining', () => {
  test('requests that waited begin one in each turn of the event loop, whatever number of connections they come from', async () => {
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
    const connections = Array.from({ length: 10 }, () => open(port))
    tick()
    for (const connection of connections)
      connection.send(`${request('/1').repeat(30)}${request('/1', 'Connection: close\r\n')}`)
    await Promise.all(connections.map(connection => connection.ended()))
    isOver = true
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
    for (let n = 1; n < count; n++) connection.send(request(`/${n}`))
    connection.send(request(`/${count}`, 'Connection: close\r\n'))
    const numbers = [...(await connection.ended()).matchAll(/"(\d+)"/g)].map(([, n]) => Number(n))
    expect(numbers).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    expect(most).toBe(3)
  })

  test('a body that follows waiting requests arrives whole', async () => {
    const release = signal()
    const held = get('/held', async () => {
      await release.promise
      return json('held')
    })
    const { port } = await start([held, ...routes], { limits: { requestsPerConnection: 1 }, maxBodyBytes: 1_000_000 })
    const connection = open(port)
    const body = 'x'.repeat(500_000)
    connection.send(request('/held') + request('/a'))
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
    const flood = request('/a').repeat(5000)
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
    expect(await exchange(port, request('/a'))).toBe('')
    const other = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    other.write(request('/a', 'Connection: close\r\n'))
    const [answer] = await once(other.setEncoding('utf8'), 'data')
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
    const started = await start([large, ...routes], { limits })
    const count = 20
    for (let at = 0; at < count; at++) openDeaf(started.port, request('/large').repeat(700))
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
    const started = await start([large, ...routes], { limits })
    const sockets = Array.from({ length: 5 }, () => openDeaf(started.port, request('/large').repeat(50)))
    const small = open(started.port)
    small.send(request('/a'))
    await small.until('remoteAddress')
    await until('some to be closed', () => started.server.traffic().closedConnections > 0)
    await until('the rest to fit', () => started.server.traffic().responseBytes <= 5 * size)
    await expectServed(started)
    small.send(request('/a?again', 'Connection: close\r\n'))
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
    const { port } = await start([endless, silent, ...routes])
    for (const path of ['/endless', '/silent'])
      for (let count = 0; count < 5; count++) {
        const connection = open(port)
        connection.send(request('/a') + request(path))
        await connection.until('remoteAddress')
      }
    expect(await exchange(port, request('/a') + request('/a?second', 'Connection: close\r\n'))).toContain('second')
  })

  test('a caller who takes a response too slowly is cut off', async () => {
    const { port, server } = await start([get('/a', () => ({ status: 200, body: 'x'.repeat(100_000_000) }))], {
      limits: { stallMs: 500, bytesPerSecond: 1_000_000_000 },
    })
    const socket = openDeaf(port, request('/a'))
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

  test('a caller who takes no bytes of a response is cut off', async () => {
    const { port, server } = await start([get('/a', () => ({ status: 200, body: 'x'.repeat(30_000_000) }))], {
      limits: { stallMs: 300 },
    })
    openDeaf(port, request('/a'))
    await until('the response to wait', () => server.traffic().responseBytes > 0)
    await until('the connection to end', () => server.traffic().connections === 0)
  })
})

describe('bodies', () => {
  const post = (length: number, sent: number) =>
    `POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(sent)}`

  test('whose last bytes are held back are bounded, the oldest refused first, and other callers are served', async () => {
    const limits = { bodyBytes: 500_000 }
    const started = await start(routes, { maxBodyBytes: 100_000, limits })
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
  })

  test('that arrive in the smallest chunks take no more memory than their bytes', async () => {
    const started = await start(routes, { maxBodyBytes: 100_000 })
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
    const { port } = await start(routes, { limits: { stallMs: 100 } })
    const connection = open(port)
    connection.send(post(10, 3))
    const answer = await connection.ended()
    expect(statusOf(answer)).toBe(408)
    expect(answer).toContain('"code":"request_timeout"')
  })

  test('that arrive byte by byte are refused with 408', async () => {
    const { port } = await start(routes, { limits: { stallMs: 200, bytesPerSecond: 1000 } })
    const connection = open(port)
    connection.send(post(1000, 0))
    const drip = setInterval(() => connection.send('x'), 10)
    onTestFinished(() => clearInterval(drip))
    expect(statusOf(await connection.ended())).toBe(408)
  })

  test('that are too large are refused whether they say so or not', async () => {
    const { port } = await start(routes)
    expect(statusOf(await exchange(port, post(2000, 2000).replace('Content', 'Connection: close\r\nContent')))).toBe(
      413,
    )
    const chunked = 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
    expect(statusOf(await exchange(port, `${chunked}7d0\r\n${'x'.repeat(2000)}\r\n0\r\n\r\n`))).toBe(413)
  })
})

describe('what is no request after requests', () => {
  test('leaves a response under way whole, and is refused after it', async () => {
    const release = signal()
    const body = async function* () {
      yield 'begun'
      await release.promise
      yield 'ended'
    }
    const started = await start([get('/stream', () => ({ status: 200, body: body() })), ...routes])
    const connection = open(started.port)
    connection.send(request('/stream'))
    await connection.until('begun')
    connection.send('rubbish\r\n\r\n')
    await expectServed(started)
    release.resolve()
    const answer = await connection.ended()
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(answer).toMatch(/ended\r\n0\r\n\r\nHTTP\/1\.1 400/)
  })

  test('is refused after the responses to all of them', async () => {
    const { port } = await start(routes, { limits: { requestsPerConnection: 2 } })
    const answer = await exchange(port, `${request('/a').repeat(5)}rubbish\r\n\r\n`)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array(5).fill('HTTP/1.1 200'), 'HTTP/1.1 400'])
    const unknown = await exchange(port, `${request('/a')}BREW /a HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(unknown.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 405'])
  })

  test('does not keep a connection whose response never ends', async () => {
    const body = async function* () {
      yield 'begun'
      await new Promise(() => {})
    }
    const { port } = await start([get('/stream', () => ({ status: 200, body: body() }))], { limits: { stallMs: 200 } })
    const connection = open(port)
    connection.send(request('/stream'))
    await connection.until('begun')
    connection.send('rubbish\r\n\r\n')
    expect((await connection.ended()).match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})
