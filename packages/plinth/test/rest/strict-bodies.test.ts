// The settings app.api.strictBodies and app.api.problemBodies: what an application can choose beyond the interface of the platform.

import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh, make, pointers, speaking } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import type { Answer, TestService } from '@plinth/test-kit/service'
import { startService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { listOf, structure } from '../../src/core/model/fields/structure.ts'
import { boolean, integer, ref, text } from '../../src/core/model/fields.ts'
import { list, object } from '../../src/core/model/shape.ts'
import { defineModule } from '../../src/core/module.ts'
import { defineEndpoint } from '../../src/core/rest/endpoint.ts'

const json = { Accept: 'application/json' }
const merge = { 'Content-Type': 'application/merge-patch+json' }
const atomic = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

const address = { street: text({ required: true, max: 100 }), town: text({ max: 100 }) }

const customers = defineResource('customers', {
  about: 'Customers of the tests of strict bodies.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 100 }),
    email: text({ max: 100 }),
    margin: integer({ readable: "caller.has('ROLE_STAFF')", writable: "caller.has('ROLE_STAFF')" }),
    score: integer({ serverOwned: true }),
    home: structure(address, { identity: 'street' }),
    others: listOf(address, { identity: 'street' }),
    parent: ref('customers'),
  },
  access: { read: 'caller.signedIn', write: 'caller.signedIn' },
})

const greet = defineEndpoint({
  method: 'POST',
  path: '/api/rest/greetings',
  id: 'greet',
  summary: 'Greet people',
  access: 'caller.signedIn',
  body: { people: list(object({ name: text({ required: true, max: 50 }) }), { required: true }), loud: boolean() },
  answers: { 204: 'Done.' },
  run: () => {},
})

const shop = defineModule({ name: 'shop', about: 'A shop.', resources: [customers], endpoints: [greet] })

const faultsOf = (answer: Answer) => [
  answer.status,
  (answer.body?.errors ?? []).map(({ pointer, code, message }: Record<string, string>) => [pointer, code, message]),
]

const misspelt = (pointer: string, nearest: string) => [
  pointer,
  'misspelt_field',
  `is not a known field; did you mean '${nearest}'?`,
]
const unknown = (pointer: string) => [pointer, 'unknown_field', 'is not a known field']

describe.each(featureDatabases(import.meta.url))('strict bodies on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, {
      modules: [...modules, shop],
      settings: { 'app.api.strictBodies': 'true', 'app.api.problemBodies': 'true' },
    })
  })
  afterAll(() => service.stop())

  test('an unknown field is reported with the field that was meant, whatever the request does', async () => {
    const staff = service.as('staff')
    const { pk } = await make(staff, 'customers', { name: fresh('c') })
    const path = `/api/rest/customers/${pk}`
    const body = { name: 'c', emial: 'a@example.com' }
    const expected = [400, [misspelt('/emial', 'email')]]
    expect(faultsOf(await staff.post('/api/rest/customers', body))).toEqual(expected)
    expect(faultsOf(await staff.put(path, body))).toEqual(expected)
    expect(faultsOf(await staff.patch(path, { emial: null }))).toEqual(expected)
    expect(faultsOf(await staff.patch(path, { emial: null }, merge))).toEqual(expected)
    expect(faultsOf(await staff.post('/api/rest/customers', body, { 'Content-Type': 'application/hal+json' }))).toEqual(
      expected,
    )
    expect(faultsOf(await staff.post('/api/rest/customers', [{ name: 'x' }, body]))).toEqual([
      400,
      [misspelt('/1/emial', 'email')],
    ])
    expect((await staff.patch(path, { nothingLikeIt: 1 })).body).toMatchObject({
      code: 'invalid',
      detail: 'nothingLikeIt is not a known field.',
      errors: [{ pointer: '/nothingLikeIt', code: 'unknown_field' }],
    })
    expect((await staff.patch(path, { emial: 1 })).body.detail).toBe(
      "emial is not a known field; did you mean 'email'?",
    )
  })

  test('documents of JSON:API and atomic operations report it at its place', async () => {
    const staff = service.as('staff')
    const data = { type: 'customers', attributes: { name: 'c', emial: 'x' } }
    const document = await staff.post('/api/rest/customers', { data }, speaking)
    expect([document.status, pointers(document), document.body.errors[0].meta]).toEqual([
      400,
      ['/data/attributes/emial'],
      { fault: 'misspelt_field', member: 'emial', params: { nearest: 'email' } },
    ])
    const operations = { 'atomic:operations': [{ op: 'add', data }] }
    const several = await staff.post('/api/rest/operations', operations, { 'Content-Type': atomic, Accept: atomic })
    expect([several.status, pointers(several)]).toEqual([400, ['/atomic:operations/0/data/attributes/emial']])
  })

  test('parts of structures and of the bodies of endpoints are checked at any depth', async () => {
    const staff = service.as('staff')
    const nested = {
      name: 'c',
      home: { street: 's', twon: 't' },
      others: [{ street: 'a' }, { street: 'b', planet: 'Mars' }],
    }
    expect(faultsOf(await staff.post('/api/rest/customers', nested))).toEqual([
      400,
      [misspelt('/home/twon', 'town'), unknown('/others/1/planet')],
    ])
    const people = [{ name: 'Ann' }, { name: 'Ben', nmae: 'x' }]
    expect(faultsOf(await staff.post('/api/rest/greetings', { people, luod: true }))).toEqual([
      400,
      [misspelt('/people/1/nmae', 'name'), misspelt('/luod', 'loud')],
    ])
    expect((await staff.post('/api/rest/greetings', { people: [{ name: 'Ann' }] })).status).toBe(204)
  })

  test('a record can be sent back as it was read, in every format', async () => {
    const staff = service.as('staff')
    const parent = await make(staff, 'customers', { name: fresh('parent') })
    const { pk } = await make(staff, 'customers', { name: fresh('c'), home: { street: 's' }, parent: parent.pk })
    const path = `/api/rest/customers/${pk}`
    for (const type of ['application/json', 'application/hal+json', 'application/vnd.api+json']) {
      const read = await staff.get(path, { Accept: type })
      expect([type, (await staff.put(path, read.body, { 'Content-Type': type, Accept: type })).status]).toEqual([
        type,
        200,
      ])
    }
  })

  test('a hidden field is as unknown as one that does not exist, and is never proposed', async () => {
    const client = service.as('client')
    const [hidden, absent] = [
      await client.post('/api/rest/customers', { name: 'c', margin: 1 }, json),
      await client.post('/api/rest/customers', { name: 'c', margni: 1 }, json),
    ]
    expect(faultsOf(hidden)).toEqual([400, [unknown('/margin')]])
    expect(faultsOf(absent)).toEqual([400, [unknown('/margni')]])
    expect((await service.as('staff').post('/api/rest/customers', { name: 'c', margin: 1 })).status).toBe(201)
  })

  test('401, 403 and 404 have a problem body in the format of the caller', async () => {
    const [anonymous, staff] = [service.as('anonymous'), service.as('staff')]
    const path = '/api/rest/customers/00000000-0000-4000-8000-000000000000'
    const of = ({ status, headers, body }: Answer) => [status, headers.get('content-type'), body?.code]
    expect(of(await anonymous.get(path, json))).toEqual([401, 'application/problem+json', 'unauthorized'])
    expect(of(await staff.get('/api/management/env', json))).toEqual([403, 'application/problem+json', 'forbidden'])
    expect(of(await staff.get(path, json))).toEqual([404, 'application/problem+json', 'not_found'])
    expect(of(await staff.get('/api/rest/nothing', {}))).toEqual([404, 'application/problem+json', 'not_found'])
    const document = await staff.get(path, speaking)
    expect([document.status, document.headers.get('content-type'), document.body.errors[0].code]).toEqual([
      404,
      'application/vnd.api+json',
      'not_found',
    ])
    const xml = await staff.get(path, { Accept: 'application/xml' })
    expect([xml.status, xml.headers.get('content-type')]).toEqual([404, 'application/problem+xml'])
    const description = await staff.get('/api/openapi.json', json)
    const { Problem404 } = description.body.components.responses
    expect(Object.keys(Problem404.content)).toContain('application/problem+json')
  })
})

describe('by default', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService('sqlite', { modules: [...modules, shop] })
  })
  afterAll(() => service.stop())

  test('unknown fields are ignored, and 401, 403 and 404 have no body', async () => {
    const staff = service.as('staff')
    const { pk } = await make(staff, 'customers', { name: 'c', emial: 'x', home: { street: 's', twon: 't' } })
    expect((await staff.patch(`/api/rest/customers/${pk}`, { naem: 'x' })).status).toBe(204)
    expect((await staff.post('/api/rest/greetings', { people: [{ name: 'Ann', nmae: 'x' }] })).status).toBe(204)
    for (const answer of [
      await service.as('anonymous').get('/api/rest/customers', json),
      await staff.get('/api/management/env', json),
      await staff.get('/api/rest/customers/nobody', json),
    ])
      expect([answer.status, answer.text]).toEqual([answer.status, ''])
  })
})
