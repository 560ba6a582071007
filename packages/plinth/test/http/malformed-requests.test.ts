// What is no proper HTTP, or hardly: the server answers what it can, and goes on.

import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { get, json, mirror, open, type Started, signal, start, statusOf } from './test-server.ts'

const routes = [get('/a', mirror), { method: 'POST' as const, path: '/a', handler: mirror }]

const stillServes = async ({ url }: Started) => expect((await fetch(`${url}/a`)).status).toBe(200)

describe('what the parser refuses', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['no version, as in HTTP/0.9', 'GET /a\r\n\r\n', 505],
    ['a version of its own', 'GET /a HTTP/9.9\r\nHost: a\r\n\r\n', 505],
    ['a header without a name', 'GET /a HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n', 400],
    ['a blank in a header name', 'GET /a HTTP/1.1\r\nHost : a\r\n\r\n', 400],
    ['a folded header', 'GET /a HTTP/1.1\r\nHost: a\r\n b\r\n\r\n', 400],
    ['a NUL in a header', 'GET /a HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 400],
    ['a lone CR in a header', 'GET /a HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n', 400],
    ['two lengths', 'POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    ['a length that is none', 'POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
    ['a length that is too long', `POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: ${'9'.repeat(30)}\r\n\r\n`, 400],
    [
      'a length and chunks',
      'POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /a HTTP/1.1\r\n\r\n',
      400,
    ],
    ['an unknown transfer coding', 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n', 400],
    ['a chunk size that is none', 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['too many bytes of headers', `GET /a HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ['a target that is too long', `GET /a?${'x'.repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['many headers', `GET /a HTTP/1.1\r\nHost: a\r\n${'X-Header: abc\r\n'.repeat(6000)}\r\n`, 431],
    ['no Host', 'GET /a HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['HTTP/2.0', 'GET /a HTTP/2.0\r\nHost: a\r\n\r\n', 505],
    ['HTTP/0.9', 'GET /a HTTP/0.9\r\nHost: a\r\n\r\n', 505],
    ['chunks in HTTP/1.0', 'POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n', 400],
    [
      'chunks in HTTP/1.0 on a kept connection',
      'POST /a HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n',
      400,
    ],
  ])('%s', async (_, text, status) => {
    const started = await start(routes, { timeouts: { headers: 5000, request: 5000 } })
    const connection = open(started.port)
    connection.send(text)
    const answer = await connection.ended()
    expect(statusOf(answer)).toBe(status)
    expect(answer).toMatch(/content-type: application\/problem\+json\r\n/i)
    expect(answer).toMatch(/x-content-type-options: nosniff\r\n/i)
    expect(answer).toMatch(/connection: close\r\n/i)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(answer).not.toMatch(/parse|HPE_|node/i)
    await stillServes(started)
  })
})

test('HTTP/1.0 without a Host is served', async () => {
  const { port } = await start(routes)
  const connection = open(port)
  connection.send('GET /a HTTP/1.0\r\n\r\n')
  expect(statusOf(await connection.ended())).toBe(200)
})

test('a query near the limit is served', async () => {
  const { url } = await start(routes)
  expect((await fetch(`${url}/a?pks=${'x'.repeat(60_000)}`)).status).toBe(200)
})

describe('slow callers', () => {
  const timeouts = { headers: 200, request: 400 }

  test.each([
    ['headers that do not end', 'GET /a HTTP/1.1\r\nHost: a\r\nX: '],
    ['a body that does not come', 'POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc'],
    ['a chunk that does not come', 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'],
  ])('are cut off: %s', async (_, text) => {
    const started = await start(routes, { timeouts })
    const connection = open(started.port)
    connection.send(text)
    const answer = await connection.ended()
    expect(statusOf(answer)).toBe(408)
    expect(answer).toMatch(/connection: close\r\n/i)
    await stillServes(started)
  })

  test('who drip one byte after the other are cut off too', async () => {
    const started = await start(routes, { timeouts })
    const connection = open(started.port)
    connection.send('GET /a HTTP/1.1\r\nHost: a\r\nX: ')
    const dripping = setInterval(() => connection.socket.writable && connection.send('x'), 50)
    onTestFinished(() => clearInterval(dripping))
    expect(statusOf(await connection.ended())).toBe(408)
  })

  test('who send nothing more on a kept connection are let go', async () => {
    const { port } = await start(routes, { timeouts: { keepAlive: 100 } })
    const connection = open(port)
    connection.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(statusOf(await connection.ended())).toBe(200)
  })

  test('who take no bytes of an answer are let go', async () => {
    const ended = signal('the source to end')
    const source = async function* () {
      try {
        for (;;) yield 'x'.repeat(65_536)
      } finally {
        ended.resolve()
      }
    }
    const { port } = await start([get('/a', () => ({ status: 200, body: source() }))], { timeouts: { idle: 300 } })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => {
      socket.destroy()
    })
    socket.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
    socket.pause()
    await ended.promise
  })
})

describe('several requests on one connection', () => {
  test('pipelined ones are answered in their order', async () => {
    const release = signal('the second request')
    const { port } = await start([
      get('/slow', async () => {
        await release.promise
        return json('slow')
      }),
      get('/fast', () => {
        release.resolve()
        return json('fast')
      }),
    ])
    const connection = open(port)
    const ask = (path: string, last = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${last}\r\n`
    connection.send(ask('/slow') + ask('/fast') + ask('/fast', 'Connection: close\r\n'))
    const answer = await connection.ended()
    expect(answer.match(/"(slow|fast)"/g)).toEqual(['"slow"', '"fast"', '"fast"'])
  })

  test('a body that GET carries is not taken for the next request', async () => {
    const { port } = await start(routes)
    const connection = open(port)
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n'
    connection.send(`GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`)
    connection.send('GET /a?last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    const answer = await connection.ended()
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    expect(answer).toContain('"search":"last"')
  })
})

describe('callers who break off', () => {
  test.each([
    ['in the request line', 'GET /a'],
    ['in the headers', 'GET /a HTTP/1.1\r\nHost'],
    ['in the body', 'POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc'],
    ['in a chunk', 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'],
  ])('%s, by closing or by resetting, do no harm', async (_, text) => {
    const started = await start(routes)
    for (const leave of ['end', 'resetAndDestroy', 'destroy'] as const) {
      const connection = open(started.port)
      await new Promise(resolve => connection.socket.write(text, resolve))
      connection.socket[leave]()
      await connection.ended()
    }
    await stillServes(started)
  })

  test('a caller who has sent all and closes its half is taken to have left', async () => {
    const waiting = signal('the handler to begin')
    const aborted = signal('the handler to be aborted')
    const started = await start([
      ...routes,
      get('/wait', async request => {
        request.signal.addEventListener('abort', aborted.resolve)
        waiting.resolve()
        await aborted.promise
        return json(1)
      }),
    ])
    const connection = open(started.port)
    connection.send('GET /wait HTTP/1.1\r\nHost: a\r\n\r\n')
    await waiting.promise
    connection.socket.end()
    await aborted.promise
    await stillServes(started)
  })
})
