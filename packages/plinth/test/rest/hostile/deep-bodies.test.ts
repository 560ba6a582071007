// Bodies that are nested so deeply that walking through them would exhaust the stack.

import { type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite')
})
afterAll(() => service.stop())

const json = 'application/json'
const jsonApi = 'application/vnd.api+json'
const atomic = `${jsonApi};ext="https://jsonapi.org/ext/atomic"`

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const operation = (nested: string): string =>
  `{"atomic:operations":[{"op":"add","data":{"type":"clientErrors","attributes":{"message":"m"},"relationships":{"userAgent":{"data":${nested}}}}}]}`
const document = (nested: string): string => `{"data":{"type":"users","id":"x","attributes":{"metadata":${nested}}}}`

const user = '/api/rest/users/00000000-0000-7000-8000-000000000005'

test.each<[string, DemoUser | 'anonymous', string, string, string, string]>([
  ['an atomic operation', 'anonymous', 'POST', '/api/rest/operations', atomic, operation(lists(2000))],
  ['an atomic operation, far deeper', 'anonymous', 'POST', '/api/rest/operations', atomic, operation(lists(200_000))],
  ['a client error', 'anonymous', 'POST', '/api/rest/clientErrors', json, `{"message":${lists(5000)}}`],
  ['a login', 'anonymous', 'POST', '/api/auth/userDetails', json, objects(5000)],
  ['a bulk creation', 'admin', 'POST', '/api/rest/hosts', json, lists(5000)],
  ['HAL', 'simple', 'PATCH', user, 'application/hal+json', `{"metadata":${objects(5000)}}`],
  ['a merge patch', 'simple', 'PATCH', user, 'application/merge-patch+json', `{"metadata":${objects(5000)}}`],
  ['a JSON:API document', 'simple', 'PATCH', user, jsonApi, document(objects(5000))],
  ['a JSON:API linkage', 'admin', 'PATCH', `${user}/relationships/roles`, jsonApi, `{"data":${lists(5000)}}`],
  ['an order', 'staff', 'POST', '/api/rest/order/orders', json, `{"items":${lists(5000)}}`],
  ['the level of a logger', 'admin', 'POST', '/api/management/loggers/ROOT', json, objects(5000)],
])('%s is refused before anything walks through it', async (_, as, method, path, type, body) => {
  const answer = await service.as(as)(path, { method, headers: { 'Content-Type': type }, body })
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('more than 64 levels')])
})

test('brackets within texts do not count, and depth within the limit is taken', async () => {
  const brackets = '[{\\"'.repeat(100)
  const answer = await service.as('simple')(user, {
    method: 'PATCH',
    headers: { 'Content-Type': json },
    body: `{"description":"${brackets}"}`,
  })
  expect(answer).toHaveStatus(200)
  const nested = await service.as('admin')('/api/rest/hosts', {
    method: 'POST',
    headers: { 'Content-Type': json },
    body: `{"name":"deep.example","unknown":${lists(63)}}`,
  })
  expect(nested).toHaveStatus(201)
})

test('none of that counts as a failure of the service', async () => {
  const { body } = await service.as('admin').get('/api/rest/systemErrors', { Accept: json })
  expect(body.content).toEqual([])
})
