// Answers that are compressed for callers who ask for it, and those that never are.

import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fetchRaw } from '@plinth/test-kit/fetch-raw'
import { describe, expect, test } from 'vitest'
import type { Response, Route } from '../../src/core/http/exchange.ts'
import { get, start } from './test-server.ts'

const text = JSON.stringify(Array.from({ length: 200 }, (_, at) => ({ at, name: `the name of entry ${at}` })))

async function* pieces(): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 100) yield text.slice(at, at + 100)
}

const document = (more: Partial<Response> & { headers?: Record<string, string> } = {}): Response => ({
  status: 200,
  body: text,
  ...more,
  headers: { 'content-type': 'application/json', ETag: '"3-abc"', vary: 'Accept', ...more.headers },
})

const serve = async (response: () => Response, route: Partial<Route> = {}): Promise<string> => {
  const { url } = await start([{ ...get('/a', response), ...route }])
  return `${url}/a`
}

const unpack = { br: brotliDecompressSync, gzip: gunzipSync }

describe.each<[string, () => Response['body']]>([
  ['a text', () => text],
  ['bytes', () => Buffer.from(text)],
  ['a stream', () => pieces()],
])('%s', (_, body) => {
  test.each(['br', 'gzip'] as const)('is sent as %s to a caller who asks for it', async coding => {
    const url = await serve(() => document({ body: body() }))
    const { headers, bytes } = await fetchRaw(url, { 'Accept-Encoding': coding })
    expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept, Accept-Encoding' })
    expect(bytes.length).toBeLessThan(text.length / 4)
    expect(unpack[coding](bytes).toString()).toBe(text)
  })

  test('is sent as it is to everybody else, who learn that it could be otherwise', async () => {
    const url = await serve(() => document({ body: body() }))
    const { headers, bytes } = await fetchRaw(url)
    expect([headers['content-encoding'], headers.vary, headers.etag]).toEqual([
      undefined,
      'Accept, Accept-Encoding',
      '"3-abc"',
    ])
    expect(bytes.toString()).toBe(text)
  })

  test('has the same headers for HEAD, without a body', async () => {
    const url = await serve(() => document({ body: body() }))
    const got = await fetchRaw(url, { 'Accept-Encoding': 'br' })
    const { headers, bytes } = await fetchRaw(url, { 'Accept-Encoding': 'br' }, { method: 'HEAD' })
    expect(headers).toMatchObject({ 'content-encoding': 'br', etag: '"3-abc+br"', vary: 'Accept, Accept-Encoding' })
    expect([headers['content-length'], bytes.length]).toEqual([got.headers['content-length'], 0])
  })
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['gzip;q=0, br;q=0', undefined],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['GZIP', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['deflate, zstd', undefined],
  ['br;q=nonsense', undefined],
  ['', undefined],
])('Accept-Encoding: %s gets %s', async (accepted, coding) => {
  const { headers } = await fetchRaw(await serve(() => document()), { 'Accept-Encoding': accepted })
  expect(headers['content-encoding']).toBe(coding)
})

const cookie = { Cookie: 'access_token=x' }

describe('never compressed:', () => {
  test.each<[string, Partial<Response> & { headers?: Record<string, string> }, Partial<Route>, Record<string, string>]>(
    [
      ['1 kB and less', { body: 'a'.repeat(1024) }, {}, {}],
      ['pictures', { headers: { 'content-type': 'image/png' } }, {}, {}],
      ['files of an unknown type', { headers: { 'content-type': 'application/octet-stream' } }, {}, {}],
      ['server-sent events', { headers: { 'content-type': 'text/event-stream' } }, {}, {}],
      ['a part of something', { status: 206, headers: { 'content-range': 'bytes 0-9/10' } }, {}, {}],
      ['what is compressed already', { headers: { 'content-encoding': 'zstd' } }, {}, {}],
      ['what is shown only once', { isSecret: true }, {}, {}],
      ['an answer that sets a cookie', { headers: { 'set-cookie': 'a=1' } }, {}, {}],
      ['routes that hold secrets', {}, { holdsSecrets: true }, {}],
      ["what another site asks for in its visitor's name", {}, {}, { ...cookie, 'Sec-Fetch-Site': 'cross-site' }],
      ['what a neighbouring site asks for', {}, {}, { Authorization: 'Basic x', 'Sec-Fetch-Site': 'same-site' }],
    ],
  )('%s', async (_, response, route, headers) => {
    const url = await serve(() => document(response), route)
    const got = await fetchRaw(url, { 'Accept-Encoding': 'br, gzip', ...headers })
    expect(['br', 'gzip']).not.toContain(got.headers['content-encoding'])
    expect(got.headers.etag).toBe('"3-abc"')
    expect(got.bytes.toString()).toBe(response.body ?? text)
  })
})

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['its own pages', {}, { ...cookie, 'Sec-Fetch-Site': 'same-origin' }],
  ['a person who opens the address', {}, { ...cookie, 'Sec-Fetch-Site': 'none' }],
  ['another site without credentials', {}, { 'Sec-Fetch-Site': 'cross-site' }],
  [
    'an origin that CORS allows',
    { 'access-control-allow-origin': 'https://a.example' },
    { ...cookie, 'Sec-Fetch-Site': 'cross-site' },
  ],
])('compressed for %s', async (_, headers, request) => {
  const url = await serve(() => document({ headers }))
  const got = await fetchRaw(url, { 'Accept-Encoding': 'br', ...request })
  expect(got.headers['content-encoding']).toBe('br')
})

describe('tags', () => {
  const heard: unknown[] = []
  const conditional: Route['handler'] = ({ headers }) => {
    heard.push(headers['if-none-match'])
    return headers['if-none-match'] === '"3-abc"' ? { status: 304, headers: { ETag: '"3-abc"' } } : document()
  }

  test('each coding has its own, which comes back with 304 and which handlers never see', async () => {
    const { url } = await start([get('/a', conditional)])
    const first = await fetchRaw(`${url}/a`, { 'Accept-Encoding': 'gzip' })
    expect(first.headers.etag).toBe('"3-abc+gzip"')
    const second = await fetchRaw(`${url}/a`, { 'Accept-Encoding': 'gzip', 'If-None-Match': '"3-abc+gzip"' })
    expect([second.status, second.headers.etag, second.bytes.length]).toEqual([304, '"3-abc+gzip"', 0])
    const third = await fetchRaw(`${url}/a`, { 'If-None-Match': '"3-abc"' })
    expect([third.status, third.headers.etag]).toEqual([304, '"3-abc"'])
    expect(heard).toEqual([undefined, '"3-abc"', '"3-abc"'])
  })

  test('a weak tag stays as it is', async () => {
    const url = await serve(() => document({ headers: { ETag: 'W/"1"' } }))
    expect((await fetchRaw(url, { 'Accept-Encoding': 'br' })).headers.etag).toBe('W/"1"')
  })
})

test.each(['br', 'gzip'] as const)('a stream that pauses has sent every earlier piece as %s', async coding => {
  let resume = () => {}
  const isRead = new Promise<void>(resolve => {
    resume = resolve
  })
  async function* pausing(): AsyncGenerator<string> {
    yield 'the first piece'
    await isRead
    yield ', the last piece'
  }
  const url = await serve(() => document({ body: pausing() }))
  const answer = await fetch(url, { headers: { 'Accept-Encoding': coding } })
  expect(answer.headers.get('content-encoding')).toBe(coding)
  let got = ''
  for await (const piece of answer.body ?? []) {
    got += Buffer.from(piece).toString()
    if (got === 'the first piece') resume()
  }
  expect(got).toBe('the first piece, the last piece')
})

test('a stream that fails before its first piece is a fault, and one that fails later is cut off', async () => {
  async function* failing(count: number): AsyncGenerator<string> {
    for (let at = 0; at < count; at++) yield Math.random().toString(36).repeat(1000)
    throw new Error('the source broke')
  }
  const { url } = await start([
    get('/early', () => document({ body: failing(0) })),
    get('/late', () => document({ body: failing(50) })),
  ])
  const request = { 'Accept-Encoding': 'gzip' }
  expect((await fetchRaw(`${url}/early`, request)).status).toBe(500)
  await expect(fetchRaw(`${url}/late`, request)).rejects.toThrow(/aborted|socket hang up/)
})

test('a caller who leaves ends the source of a compressed stream', async () => {
  let isEnded = false
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield Math.random().toString(36).repeat(1000)
    } finally {
      isEnded = true
    }
  }
  const { url } = await start([get('/a', () => document({ body: endless() }))])
  const leaving = new AbortController()
  const answer = await fetch(`${url}/a`, { headers: { 'Accept-Encoding': 'gzip' }, signal: leaving.signal })
  expect(answer.status).toBe(200)
  leaving.abort()
  await expect.poll(() => isEnded, { timeout: 20_000 }).toBe(true)
})
