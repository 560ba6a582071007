// Compression as callers meet it: records, streams, exports and documents, but nothing that holds secrets.

import { brotliDecompressSync } from 'node:zlib'
import { fetchRaw } from '@plinth/test-kit/fetch-raw'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite')
})
afterAll(() => service.stop())

interface CompressedRequest {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: object
}

const travels = async (path: string, { method = 'GET', headers = {}, body }: CompressedRequest = {}) => {
  const credentials = { Authorization: `Basic ${btoa('admin:admin')}` }
  const type = body && { 'Content-Type': 'application/json' }
  const request = { 'Accept-Encoding': 'br', Accept: 'application/json', ...credentials, ...type, ...headers }
  const answer = await fetchRaw(service.url + path, request, { method, ...(body && { body: JSON.stringify(body) }) })
  return { ...answer, coding: answer.headers['content-encoding'], etag: String(answer.headers.etag) }
}

test.each([
  ['a page of records', '/api/rest/countries?_ps=50'],
  ['a collection as a stream', '/api/rest/countries?page=no'],
  ['a schema', '/api/rest/users/jsonschema'],
  ['the OpenAPI document', '/api/openapi.json'],
  ['the list of resources', '/api/rest'],
  ['a page for people', '/docs/problems'],
  ['the metrics', '/api/management/prometheus'],
])('%s is compressed', async (_, path) => {
  const { coding, bytes } = await travels(path, { headers: { Accept: '*/*' } })
  expect(coding).toBe('br')
  const plain = await travels(path, { headers: { Accept: '*/*', 'Accept-Encoding': 'identity' } })
  expect(plain.coding).toBe(undefined)
  expect(brotliDecompressSync(bytes).length).toBeGreaterThan(plain.bytes.length / 2)
  expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
})

test('a registration code batch is exported as a compressed stream', async () => {
  const body = { name: 'many', batchSize: 500 }
  const made = await service.as('admin').post('/api/rest/registrationCodeBatches', body, { Accept: 'application/json' })
  const { coding, bytes } = await travels(`/api/rest/registrationCodeBatches/${made.body.pk}/csv`, {
    headers: { Accept: 'text/csv' },
  })
  expect([coding, brotliDecompressSync(bytes).toString().trim().split('\r\n').length]).toEqual(['br', 501])
})

test.each<[string, string, CompressedRequest]>([
  ['signing in', '/api/auth/userDetails', { method: 'POST', body: { username: 'admin', password: 'admin' } }],
  [
    'tokens',
    '/api/auth/jwt/access',
    { method: 'POST', body: { username: 'admin', password: 'admin', tokens: 'body' } },
  ],
  ['the sessions of a user', '/api/auth/sessions', {}],
])('%s: never compressed, however large the answer is', async (_, path, request) => {
  const { body } = await service.as('admin').get('/api/rest/users?username=admin', { Accept: 'application/json' })
  for (const predicate of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const metadatum = { predicate, object: 'much the same '.repeat(15) }
    await service.as('admin').put(`/api/rest/users/${body.content[0].pk}/metadata`, metadatum)
    await service.as('anonymous').post('/api/auth/userDetails', { username: 'admin', password: 'admin' })
  }
  const { coding, bytes } = await travels(path, request)
  expect(coding).toBe(undefined)
  expect(bytes.length).toBeGreaterThan(1024)
})

test('the tag of a compressed record works for reading it again and for changing it', async () => {
  const description = 'a text that is long enough '.repeat(35)
  const { body } = await service.as('admin').post('/api/rest/users', { username: 'long', description })
  const path = `/api/rest/users/${body.pk}`
  const read = await travels(path)
  expect([read.coding, read.etag]).toEqual(['br', expect.stringMatching(/^"\d+-\w+\+br"$/)])
  const again = await travels(path, { headers: { 'If-None-Match': read.etag } })
  expect([again.status, again.etag]).toEqual([304, read.etag])
  const change = (text: string) => ({
    method: 'PATCH',
    body: { description: text },
    headers: { 'If-Match': read.etag },
  })
  expect((await travels(path, change('short'))).status).toBe(200)
  expect((await travels(path, change('shorter'))).status).toBe(412)
})
