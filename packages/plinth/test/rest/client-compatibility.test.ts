// What browsers, proxies and clients that others wrote rely on, on every kind of answer.

import { inSample, testAll } from '@plinth/test-kit/extent'
import { fresh, jsonApi, make, speaking, startLibrary } from '@plinth/test-kit/library'
import type { Ask, DemoUser, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let service: TestService
let book: string
let etag: string
beforeAll(async () => {
  service = await startLibrary('sqlite')
  book = (await make(service.as('staff'), 'books', { title: 'Known' })).pk
  etag =
    (await service.as('staff').get(`/api/rest/books/${book}`, { 'Accept-Encoding': 'gzip' })).headers.get('etag') ?? ''
})
afterAll(() => service?.stop())

interface Case extends Omit<Ask, 'headers'> {
  readonly as: DemoUser | 'anonymous'
  readonly path: string
  readonly headers?: Record<string, string> | (() => Record<string, string>)
}

const login = { username: 'simple', password: 'simple' }

const cases: Readonly<Record<string, readonly [Case, status: number, cacheControl: string]>> = {
  'a record': [{ as: 'staff', path: 'rest/books/BOOK' }, 200, 'private, no-cache'],
  'a record that has not changed': [
    { as: 'staff', path: 'rest/books/BOOK', headers: () => ({ 'If-None-Match': etag }) },
    304,
    'private, no-cache',
  ],
  'a page': [{ as: 'staff', path: 'rest/books' }, 200, 'private, no-cache'],
  'a whole collection': [{ as: 'anonymous', path: 'rest/continents?page=no' }, 200, 'private, no-cache'],
  'related records': [{ as: 'staff', path: 'rest/books/BOOK/copies' }, 200, 'private, no-cache'],
  'an empty relation': [
    { as: 'staff', path: 'rest/books/BOOK/shelf', headers: { Accept: 'application/json' } },
    204,
    'private, no-cache',
  ],
  'a schema': [{ as: 'staff', path: 'rest/books/jsonschema' }, 200, 'private, no-cache'],
  'a new record': [
    { as: 'staff', path: 'rest/books', method: 'POST', body: { title: 'New' } },
    201,
    'private, no-cache',
  ],
  'a change of nothing': [
    { as: 'staff', path: 'rest/books/BOOK', method: 'PATCH', body: { title: 'Known' } },
    204,
    'private, no-cache',
  ],
  'a bad request': [{ as: 'staff', path: 'rest/books?sort=colour' }, 400, 'no-store'],
  'a caller who is unknown': [{ as: 'anonymous', path: 'rest/copies' }, 401, 'no-store'],
  'a caller who may not': [{ as: 'simple', path: 'rest/ledgers' }, 403, 'no-store'],
  'a record that is not there': [{ as: 'staff', path: 'rest/books/none' }, 404, 'no-store'],
  'a path that is not there': [{ as: 'staff', path: 'rest/nothing' }, 404, 'no-store'],
  'a method that is not there': [{ as: 'staff', path: 'rest/books', method: 'DELETE' }, 405, 'no-store'],
  'an unsupported type': [{ as: 'staff', path: 'rest/books', headers: { Accept: 'image/png' } }, 406, 'no-store'],
  'a sign-in': [{ as: 'anonymous', path: 'auth/jwt/access', method: 'POST', body: login }, 201, 'no-store'],
  'the present user': [{ as: 'simple', path: 'auth/userDetails' }, 200, 'no-store'],
  'a sign-in that fails': [
    { as: 'anonymous', path: 'auth/jwt/access', method: 'POST', body: { ...login, password: 'wrong' } },
    401,
    'no-store',
  ],
}

describe('caches', () => {
  test.each(Object.entries(cases))('%s says who may keep it and what it depends on', async (_, testCase) => {
    const [{ as, path, headers = {}, ...ask }, status, cacheControl] = testCase
    const answer = await service.as(as)(`/api/${path.replace('BOOK', book)}`, {
      ...ask,
      headers: { 'Accept-Encoding': 'gzip', ...(typeof headers === 'function' ? headers() : headers) },
    })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, cacheControl])
    const isCoded = Buffer.byteLength(answer.text) > 1024 || /\+\w+"$/.test(answer.headers.get('etag') ?? '')
    // Schemas have titles in the language of the caller, and problems have texts in it.
    const isInLanguage = path.endsWith('jsonschema') || answer.headers.get('content-type')?.includes('problem')
    const language = isInLanguage ? 'Accept-Language, ' : ''
    expect(answer.headers.get('vary')).toBe(
      `Accept, ${language}Origin, Authorization, Cookie${isCoded ? ', Accept-Encoding' : ''}`,
    )
  })
})

/** Answers that have no end, or that stop the whole service while they are made. */
const unending = new Set(['/api/rest/events', '/api/management/heapdump', '/api/management/heapdump.json'])

testAll('every address that answers GET answers HEAD alike, without a body', async () => {
  const { paths } = service.app.openapi() as { paths: Record<string, object> }
  const readable = Object.keys(paths).filter(path => 'get' in (paths[path] ?? {}) && !unending.has(path))
  expect(readable.length).toBeGreaterThan(100)
  const admin = service.as('admin')
  for (const { path } of inSample(readable.map(path => ({ path })))) {
    const address = path.replaceAll(/\{\w+\}/g, 'none')
    const [get, head] = [await admin.get(address), await admin(address, { method: 'HEAD' })]
    const cacheHeaders = (answer: typeof get) => [
      path,
      answer.status,
      ...['content-type', 'cache-control', 'vary'].map(name => answer.headers.get(name)),
    ]
    expect(cacheHeaders(head)).toEqual(cacheHeaders(get))
    expect([path, head.text]).toEqual([path, ''])
  }
})

describe('DELETE', () => {
  test.each<[string, Omit<Ask, 'method'>]>([
    ['without anything', {}],
    ['with a JSON:API type and no body', { headers: speaking }],
    ['with a JSON type and no body', { headers: { 'Content-Type': 'application/json' } }],
    ['with a JSON:API document', { headers: { 'Content-Type': jsonApi }, body: { data: { type: 'books', id: 'x' } } }],
    ['with a JSON body', { body: {} }],
  ])('%s deletes', async (_, ask) => {
    const { pk } = await make(service.as('staff'), 'books', { title: fresh('gone') })
    const answer = await service.as('staff')(`/api/rest/books/${pk}`, { ...ask, method: 'DELETE' })
    expect([answer.status, answer.text]).toEqual([204, ''])
  })
})

test('what a caller traces by comes back, also with a refusal', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  for (const path of ['/api/rest/books', '/api/rest/books/none', '/nothing']) {
    const { headers } = await service.as('staff').get(path, { 'X-Request-Id': 'mine-1', traceparent })
    expect([headers.get('x-request-id'), headers.get('traceparent')]).toEqual(['mine-1', traceparent])
  }
})
