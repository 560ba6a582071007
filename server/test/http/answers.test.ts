// How a response becomes an answer.

import { request as nodeRequest } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Observation, Response, Route } from '../../src/core/http/exchange.ts'
import { bodyOf, exchange, get, json, lasting, open, signal, start, statusOf } from './harness.ts'

async function* pieces(...texts: (string | Buffer)[]): AsyncGenerator<string | Buffer> {
  yield* texts
}

describe('bodies', () => {
  test.each<[string, () => Response['body'], string]>([
    ['text', () => 'añ€😀', 'añ€😀'],
    ['bytes', () => Buffer.from('añ€', 'utf8'), 'añ€'],
    ['an empty text', () => '', ''],
    ['nothing', () => undefined, ''],
    ['pieces', () => pieces('[', 'ñ', Buffer.from('€'), ']'), '[ñ€]'],
    ['no pieces', () => pieces(), ''],
    ['a stream of Node', () => Readable.from(['a', 'b']), 'ab'],
  ])('%s is sent whole', async (_, body, text) => {
    const { url } = await start([get('/a', () => ({ status: 200, body: body() }))])
    const response = await fetch(`${url}/a`)
    expect(await response.text()).toBe(text)
  })

  test.each<[string, () => Response['body'], string | null]>([
    ['text', () => 'añ€', '6'],
    ['bytes', () => Buffer.alloc(5), '5'],
    ['nothing', () => undefined, '0'],
    ['pieces', () => pieces('a'), null],
  ])('the length of %s is %s', async (_, body, length) => {
    const { url } = await start([get('/a', () => ({ status: 200, body: body() }))])
    expect((await fetch(`${url}/a`)).headers.get('content-length')).toBe(length)
  })

  test('a length given for pieces is kept', async () => {
    const { url } = await start([
      get('/a', () => ({ status: 200, headers: { 'content-length': '2' }, body: pieces('a', 'b') })),
    ])
    const response = await fetch(`${url}/a`)
    expect(response.headers.get('content-length')).toBe('2')
    expect(await response.text()).toBe('ab')
  })

  test('a wrong length given for a text is put right', async () => {
    const { url } = await start([get('/a', () => ({ status: 200, headers: { 'Content-Length': '99' }, body: 'abc' }))])
    expect(await (await fetch(`${url}/a`)).text()).toBe('abc')
  })

  test.each([204, 304])('%i has neither body nor headers of one', async status => {
    const { url } = await start([
      get('/a', () => ({
        status,
        headers: { 'Content-Type': 'text/plain', etag: '"1"', 'content-length': '3' },
        body: 'abc',
      })),
    ])
    const response = await fetch(`${url}/a`)
    expect(response.status).toBe(status)
    expect(await response.text()).toBe('')
    expect(response.headers.get('etag')).toBe('"1"')
    for (const name of ['content-type', 'content-length', 'transfer-encoding'])
      expect(response.headers.has(name)).toBe(false)
  })
})

describe('headers', () => {
  test('JSON types are sent as given, without a charset', async () => {
    const type = 'application/vnd.api+json'
    const { url } = await start([get('/a', () => ({ status: 200, headers: { 'content-type': type }, body: '{}' }))])
    expect((await fetch(`${url}/a`)).headers.get('content-type')).toBe(type)
  })

  test('several cookies are several headers', async () => {
    const { url } = await start([get('/a', () => ({ status: 200, headers: { 'set-cookie': ['a=1', 'b=2'] } }))])
    expect((await fetch(`${url}/a`)).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  test("the handler's header wins over the server's, whatever its case", async () => {
    const { url } = await start([
      get('/a', () => ({
        status: 200,
        headers: { 'Content-Security-Policy': 'sandbox', 'Referrer-Policy': 'origin' },
      })),
    ])
    const { headers } = await fetch(`${url}/a`)
    expect(headers.get('content-security-policy')).toBe('sandbox')
    expect(headers.get('referrer-policy')).toBe('origin')
  })

  test('decoration is added to every answer, and joins Vary', async () => {
    const { url } = await start([get('/a', () => json(1, { Vary: 'Accept, Cookie' }))], {
      decorate: request => ({ vary: 'Origin, Cookie', 'x-path': request.path }),
    })
    const found = await fetch(`${url}/a`)
    expect(found.headers.get('vary')).toBe('Accept, Cookie, Origin')
    expect(found.headers.get('x-path')).toBe('/a')
    const missing = await fetch(`${url}/b`)
    expect(missing.headers.get('vary')).toBe('Origin, Cookie')
    const refused = await fetch(`${url}/a`, { method: 'PUT' })
    expect([refused.status, refused.headers.get('x-path')]).toEqual([405, '/a'])
  })

  test('an early answer goes ahead of every handler', async () => {
    const { url } = await start([get('/a', () => json(1))], {
      onRequest: request => (request.headers['x-early'] ? { status: 202 } : null),
    })
    const statuses = await Promise.all(
      ['/a', '/b'].map(async path => (await fetch(url + path, { headers: { 'x-early': '1' } })).status),
    )
    expect(statuses).toEqual([202, 202])
    expect((await fetch(`${url}/a`)).status).toBe(200)
  })
})

describe('HEAD', () => {
  test.each<[string, Response]>([
    ['a text', json({ a: 'ñ' }, { etag: '"7"' })],
    ['bytes', { status: 200, headers: { 'content-type': 'image/png' }, body: Buffer.alloc(70) }],
    ['nothing', { status: 200, headers: { 'x-a': 'b' } }],
    ['not modified', { status: 304, headers: { etag: '"7"' } }],
    ['not found', { status: 404 }],
  ])('has the headers of GET and no body for %s', async (_, response) => {
    const { url } = await start([get('/a', () => response)])
    const [full, head] = await Promise.all([fetch(`${url}/a`), fetch(`${url}/a`, { method: 'HEAD' })])
    expect(head.status).toBe(full.status)
    expect(await head.text()).toBe('')
    const length = full.headers.get('content-length')
    expect(lasting(head.headers).filter(([name]) => name !== 'content-length' || length !== '0')).toEqual(
      lasting(full.headers).filter(([name]) => name !== 'content-length' || length !== '0'),
    )
  })

  test('sends not a byte after the headers', async () => {
    const { port } = await start([get('/a', () => json('long enough to be seen'))])
    const answer = await exchange(port, 'HEAD /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(statusOf(answer)).toBe(200)
    expect(bodyOf(answer)).toBe('')
  })

  test('closes a source that is not read', async () => {
    const source = Readable.from(['a', 'b'])
    const { url } = await start([get('/a', () => ({ status: 200, body: source }))])
    await fetch(`${url}/a`, { method: 'HEAD' })
    expect(source.destroyed).toBe(true)
  })

  test('reaches the handler as what it is', async () => {
    const { url } = await start([get('/a', ({ method }) => ({ status: 200, headers: { 'x-method': method } }))])
    expect((await fetch(`${url}/a`, { method: 'HEAD' })).headers.get('x-method')).toBe('HEAD')
  })
})

describe('faults', () => {
  test.each<[string, () => Response | Promise<Response>]>([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    [
      'throws what is no error',
      () => {
        throw 'secret'
      },
    ],
    ['gives a header that would split the answer', () => ({ status: 200, headers: { a: 'b\r\nset-cookie: c=d' } })],
    ['gives an impossible status', () => ({ status: 42 })],
    ['fails to begin its pieces', () => ({ status: 200, body: failing(0) })],
  ])('a handler that %s answers 500 without internals', async (_, handler) => {
    const { url, faults } = await start([get('/a', handler)])
    const response = await fetch(`${url}/a`)
    expect(response.status).toBe(500)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.has('set-cookie')).toBe(false)
    expect(await response.text()).not.toContain('secret')
    expect(faults).toHaveLength(1)
    expect((await fetch(`${url}/a`)).status).toBe(500)
  })

  test.each<[string, () => Response | Promise<Response>]>([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    ['gives nonsense', () => ({ status: 42 })],
  ])('when the answer to faults itself %s, there is still a 500', async (_, onFault) => {
    const { url, logged } = await start([get('/a', () => Promise.reject(new Error('first')))], { onFault })
    const response = await fetch(`${url}/a`)
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Internal error',
      status: 500,
      code: 'internal',
    })
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(logged.some(({ level }) => level === 'error')).toBe(true)
  })

  test('decoration that throws is a fault, and answered', async () => {
    const decorate = () => {
      throw new Error('secret')
    }
    const { url } = await start([get('/a', () => json(1))], { decorate })
    const response = await fetch(`${url}/a`)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret')
  })

  test('a body that fails midway is cut off, not ended', async () => {
    const { port, faults } = await start([get('/a', () => ({ status: 200, body: failing(1) }))])
    const answer = await exchange(port, 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(answer).toContain('piece 0')
    expect(answer).not.toContain('\r\n0\r\n\r\n')
    expect(faults).toHaveLength(1)
  })
})

async function* failing(after: number): AsyncGenerator<string> {
  for (let n = 0; n < after; n += 1) {
    yield `piece ${n}`
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('secret')
}

describe('callers who leave', () => {
  test('end the source of a streamed body', async () => {
    const ended = signal()
    const source = async function* () {
      try {
        for (;;) yield 'x'.repeat(65_536)
      } finally {
        ended.resolve()
      }
    }
    const { port, faults } = await start([get('/a', () => ({ status: 200, body: source() }))])
    const connection = open(port)
    connection.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
    await connection.until('HTTP/1.1 200')
    connection.socket.destroy()
    await ended.promise
    expect(faults).toEqual([])
  })

  test('who do not read hold the source back', async () => {
    let made = 0
    const source = async function* () {
      for (; made < 10_000; made += 1) yield 'x'.repeat(65_536)
    }
    const { url } = await start([get('/a', () => ({ status: 200, body: source() }))])
    const response = await new Promise<NodeJS.ReadableStream>(resolve => nodeRequest(`${url}/a`, resolve).end())
    let before = -1
    while (made !== before) {
      before = made
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    expect(made).toBeLessThan(1000)
    response.on('error', () => {})
    ;(response as NodeJS.ReadableStream & { destroy(): void }).destroy()
  })

  test('abort the signal of a handler that waits, and are no fault', async () => {
    const waiting = signal()
    const aborted = signal()
    const { port, faults } = await start([
      get('/a', async ({ signal: left }) => {
        waiting.resolve()
        await new Promise((_, reject) => {
          left.addEventListener('abort', () => {
            aborted.resolve()
            reject(left.reason)
          })
        })
        return json(1)
      }),
    ])
    const connection = open(port)
    connection.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
    await waiting.promise
    connection.socket.destroy()
    await aborted.promise
    await new Promise(resolve => setImmediate(resolve))
    expect(faults).toEqual([])
  })

  test('find the signal aborted when it is first asked for later', async () => {
    const waiting = signal()
    const left = signal()
    const seen: boolean[] = []
    const done = signal()
    const { port } = await start([
      get('/a', async request => {
        waiting.resolve()
        await left.promise
        seen.push(request.signal.aborted)
        done.resolve()
        return json(1)
      }),
    ])
    const connection = open(port)
    connection.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
    await waiting.promise
    connection.socket.destroy()
    await new Promise(resolve => setTimeout(resolve, 50))
    left.resolve()
    await done.promise
    expect(seen).toEqual([true])
  })

  test('an answer that was sent whole does not abort the signal', async () => {
    const signals: AbortSignal[] = []
    const { port } = await start([
      get('/a', request => {
        signals.push(request.signal)
        return json(1)
      }),
    ])
    await exchange(port, 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(signals.map(one => one.aborted)).toEqual([false])
  })
})

test('whoever observes is told once of every exchange when it is over', async () => {
  const seen: Observation[] = []
  const route: Route = { method: 'POST', path: '/a/{pk}', handler: () => json('reply') }
  const { url } = await start([route], { observe: done => seen.push(done) })
  await fetch(`${url}/a/1?b=2`, { method: 'POST', body: 'text' })
  await fetch(`${url}/none`)
  await expect.poll(() => seen.length).toBe(2)
  expect(seen).toMatchObject([
    { route, status: 200, completed: true, request: { method: 'POST', path: '/a/1' } },
    { route: null, status: 404, completed: true, request: { method: 'GET', path: '/none' } },
  ])
  for (const { ms } of seen) expect(ms).toBeGreaterThan(0)
})

test('an exchange can be run inside another function', async () => {
  const order: string[] = []
  const handler = () => {
    order.push('handler')
    return json('reply')
  }
  const { url } = await start([get('/a', handler)], {
    around: async (_request, route, exchange) => {
      order.push(`before ${route?.path}`)
      await exchange()
      order.push('after')
    },
  })
  expect((await fetch(`${url}/a`)).status).toBe(200)
  await expect.poll(() => order).toEqual(['before /a', 'handler', 'after'])
})
