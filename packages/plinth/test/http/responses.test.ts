// How a response becomes an answer.

import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Response } from '../../src/core/http/exchange.ts'
import { bodyOf, exchange, get, json, lasting, start, statusOf } from './test-server.ts'

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

  test('the rate limit of a request is added to every answer', async () => {
    const { url } = await start([get('/a', () => json(1, { RateLimit: 'of the handler' }))], {
      onRequest: request => {
        request.rateLimit = { ratelimit: `"requests";r=${request.path.length}` }
        return null
      },
    })
    const limitOf = async (path: string, method = 'GET') => {
      const { status, headers } = await fetch(url + path, { method })
      return [status, headers.get('ratelimit')]
    }
    expect(await limitOf('/a')).toEqual([200, '"requests";r=2'])
    expect(await limitOf('/bc')).toEqual([404, '"requests";r=3'])
    expect(await limitOf('/a', 'POST')).toEqual([405, '"requests";r=2'])
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
