// defineEndpoint: one declaration gives input checks, permissions, formats, idempotency and the OpenAPI operation.

import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { choice, integer, money, ref, text, timestamp } from '../../src/core/model/fields.ts'
import { defineShape, list, manyOf, mapOf, number, object, optional } from '../../src/core/model/shape.ts'
import { defineModule } from '../../src/core/module.ts'
import { defineEndpoint, oneOrMany } from '../../src/core/rest/endpoint.ts'
import { toValueAnswer } from '../../src/core/rest/endpoint-answers.ts'
import { formats, itemIn } from './format-readers.ts'

const loans = defineResource('loans', {
  about: 'Who has which book, and until when.',
  label: 'title',
  fields: {
    title: text({ required: true }),
    condition: choice(['good', 'damaged']),
    returned: timestamp({ serverOwned: true }),
    remark: text({ readable: "caller.has('ROLE_ADMIN')" }),
    country: ref('countries'),
  },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

const returnLoan = defineEndpoint({
  method: 'POST',
  path: '/api/rest/loans/{pk}/return',
  id: 'returnLoan',
  summary: 'Return a book',
  params: { pk: 'The loan.' },
  access: "caller.has('ROLE_STAFF')",
  body: { condition: choice(['good', 'damaged'], { required: true }), days: integer({ min: 1, max: 30 }) },
  answers: { 200: loans },
  run: async ({ params, body, records, now }) => {
    expectTypeOf(body).toEqualTypeOf<{ readonly condition: 'good' | 'damaged'; readonly days: number | null }>()
    expectTypeOf(params).toEqualTypeOf<Readonly<Record<'pk', string>>>()
    const loan = await records.get(loans, params.pk)
    return records.update(loans, loan.pk, { returned: now.toISOString(), condition: body.condition })
  },
})

const fee = defineShape(
  'LoanFee',
  {
    amount: money({ required: true }),
    reason: choice(['late', 'damaged'], { about: 'Null when there is none.' }),
    perDay: list(number(), { required: true }),
    byKind: mapOf(money(), { required: true }),
    remark: optional(text({ required: true })),
    payer: object({ name: text({ required: true, max: 20 }), card: integer() }),
  },
  { element: 'fee', about: 'What is due.' },
)

const fees = defineEndpoint({
  method: 'GET',
  path: '/api/rest/loans/{pk}/fee',
  id: 'calculateFee',
  summary: 'Calculate what is due',
  access: 'caller.signedIn',
  query: {
    days: integer({ min: 1, max: 10, default: 1, about: 'How many days late.' }),
    kinds: list(choice(['late', 'damaged']), { about: 'Only these.' }),
    remark: text({ max: 5 }),
  },
  answers: { 200: fee },
  run: ({ query }) => {
    expectTypeOf(query.days).toEqualTypeOf<number>()
    expectTypeOf(query.kinds).toEqualTypeOf<readonly ('late' | 'damaged')[] | null>()
    return {
      amount: 125 * query.days,
      reason: query.kinds?.[0] ?? null,
      perDay: [1.5],
      byKind: { late: 125 },
      ...(query.remark !== null && { remark: query.remark }),
      payer: null,
    }
  },
})

const extension = defineShape(
  'LoanExtension',
  { loan: text({ max: 3 }), card: text({ max: 3 }), payer: object({ name: text({ required: true, max: 20 }) }) },
  { needsOneOf: ['loan', 'card'] },
)

const extended = defineShape('ExtendedLoan', { loan: text(), card: text(), payer: object({ name: text() }) })

const extend = defineEndpoint({
  method: 'POST',
  path: '/api/rest/loans/extensions',
  id: 'extendLoan',
  summary: 'Extend a loan',
  access: 'true',
  ownSite: true,
  body: extension,
  check: ({ card }) =>
    card === 'xxx' ? [{ pointer: '/card', member: 'card', code: 'taken', message: 'is taken' }] : [],
  answers: { 200: extended, 201: extended },
  answer: ({ body }) => toValueAnswer(extended, body, { status: 201, headers: { 'X-Extended': 'yes' } }),
})

const entries = defineShape('LoanEntry', { loan: text({ required: true, max: 3 }) }, { element: 'entry' })

const imported = defineShape('ImportedLoan', { loan: text({ required: true }) }, { element: 'entry' })

const importLoans = defineEndpoint({
  method: 'PUT',
  path: '/api/rest/loans/entries',
  id: 'importEntries',
  summary: 'Import entries',
  access: "caller.has('ROLE_STAFF')",
  refusesOtherParameters: true,
  query: { dry: text() },
  body: oneOrMany(entries),
  answers: { 200: manyOf(imported, 'entries') },
  run: ({ body }) => body.entries,
})

let count = 0

const touch = defineEndpoint({
  method: 'POST',
  path: '/api/rest/loans/touch',
  id: 'touchLoans',
  summary: 'Count',
  access: 'caller.signedIn',
  answers: { 204: 'Counted.' },
  run: () => {
    count++
  },
})

const broken = defineEndpoint({
  method: 'DELETE',
  path: '/api/rest/loans/touch',
  id: 'breakLoans',
  summary: 'Fail',
  access: 'caller.signedIn',
  answers: { 204: 'Never.' },
  run: () => {
    throw new Error('of the handler')
  },
})

const lending = defineModule({
  name: 'lending',
  about: 'Loans.',
  resources: [loans],
  endpoints: [returnLoan, fees, extend, importLoans, touch, broken],
})

test('what does not fit the declaration does not compile', () => {
  const shared = { id: 'x', summary: 'x', method: 'POST', access: 'true' } as const
  const endpoints = [
    // @ts-expect-error: the field has another type
    defineEndpoint({ ...shared, path: '/x', answers: { 200: fee }, run: () => ({ amount: 'a lot' }) }),
    // @ts-expect-error: there is no such part of the path
    defineEndpoint({ ...shared, path: '/x/{pk}', run: ({ params }) => void params.pkk }),
    // @ts-expect-error: there is no such field in the body
    defineEndpoint({ ...shared, path: '/x', body: { name: text() }, run: ({ body }) => void body.nmae }),
    // @ts-expect-error: what is not said who may call
    defineEndpoint({ id: 'x', summary: 'x', method: 'POST', path: '/x', run: () => {} }),
  ]
  expect(endpoints).toHaveLength(4)
})

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let pk = ''
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, lending] })
    const body = { title: 'Emma', remark: 'hidden', country: 'GR' }
    pk = (await service.as('staff').post('/api/rest/loans', body)).body.pk
  })
  afterAll(() => service.stop())

  const faultsOf = async (answer: Promise<{ status: number; body: { code: string; errors: object[] } }>) => {
    const { status, body } = await answer
    return [status, body.code, body.errors]
  }

  test('a record is answered in every format, as far as the caller may read it', async () => {
    for (const [name, type] of Object.entries(formats)) {
      const sent = { condition: 'good', unknown: 'is ignored' }
      const answer = await service.as('staff').post(`/api/rest/loans/${pk}/return`, sent, { Accept: type })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
      const { fields } = itemIn(name as keyof typeof formats, answer.text)
      expect([fields.condition, fields.title, 'remark' in fields]).toEqual(['good', 'Emma', false])
      expect(answer.headers.get('etag')).toMatch(/^"/)
    }
  })

  test('all faults of a body are reported together, and a body that is no object is refused', async () => {
    const staff = service.as('staff')
    const path = `/api/rest/loans/${pk}/return`
    expect(await faultsOf(staff.post(path, { condition: 'worn', days: 31 }))).toEqual([
      400,
      'invalid',
      [
        expect.objectContaining({ pointer: '/condition', member: 'condition', code: 'choice' }),
        expect.objectContaining({ pointer: '/days', code: 'max', params: { max: 30 } }),
      ],
    ])
    expect(await faultsOf(staff.post(path, { days: '1' }))).toEqual([
      400,
      'invalid',
      [expect.objectContaining({ code: 'required' }), expect.objectContaining({ code: 'whole_number' })],
    ])
    expect((await staff.post(path, [])).body.code).toBe('bad_request')
    expect((await staff.post(path, { condition: 'good' }, { 'Content-Type': 'text/plain' })).status).toBe(415)
  })

  test('nested values, checks of the endpoint and one of several fields', async () => {
    const post = (body: object) => service.as('anonymous').post('/api/rest/loans/extensions', body)
    const good = await post({ loan: 'abc', payer: { name: 'Ann', other: 1 } })
    expect([good.status, good.body]).toEqual([201, { loan: 'abc', card: null, payer: { name: 'Ann' } }])
    expect(good.headers.get('x-extended')).toBe('yes')
    expect(await faultsOf(post({ payer: {} }))).toEqual([
      400,
      'invalid',
      [
        expect.objectContaining({ pointer: '/payer/name', code: 'required' }),
        expect.objectContaining({ pointer: '/loan', code: 'required' }),
      ],
    ])
    expect(await faultsOf(post({ card: 'xxx', loan: 'long' }))).toEqual([
      400,
      'invalid',
      [expect.objectContaining({ pointer: '/loan' }), expect.objectContaining({ pointer: '/card', code: 'taken' })],
    ])
  })

  test('parameters are read by their fields', async () => {
    const simple = service.as('simple')
    const path = `/api/rest/loans/${pk}/fee`
    const plain = await simple.get(path)
    expect(plain.body).toEqual({ amount: 1.25, reason: null, perDay: [1.5], byKind: { late: 1.25 }, payer: null })
    const response = await simple.get(`${path}?days=2&kinds=damaged,late&kinds=late&remark=hi&other=1`)
    expect(response.body).toMatchObject({ amount: 2.5, reason: 'damaged', remark: 'hi' })
    const xml = await simple.get(path, { Accept: 'application/xml' })
    expect(xml.text).toContain('<fee>')
    expect(await faultsOf(simple.get(`${path}?days=11&kinds=worn&remark=too+long`))).toEqual([
      400,
      'bad_parameter',
      [
        expect.objectContaining({ parameter: 'days', params: { max: 10, value: '11', reason: 'max' } }),
        expect.objectContaining({ parameter: 'kinds' }),
        expect.objectContaining({ parameter: 'remark' }),
      ],
    ])
    expect((await simple.get(`${path}?days=1&days=2`)).body.errors).toMatchObject([{ code: 'repeated' }])
  })

  test('one value or a list of them, and parameters that are not known', async () => {
    const put = (body: object, query = '') => service.as('staff').put(`/api/rest/loans/entries${query}`, body)
    expect((await put({ loan: 'a' })).body).toEqual([{ loan: 'a' }])
    expect((await put([{ loan: 'a' }, { loan: 'b' }])).body).toEqual([{ loan: 'a' }, { loan: 'b' }])
    expect(await faultsOf(put([{ loan: 'a' }, {}, { loan: 'long' }]))).toEqual([
      400,
      'invalid',
      [expect.objectContaining({ pointer: '/1/loan' }), expect.objectContaining({ pointer: '/2/loan' })],
    ])
    expect((await put([])).status).toBe(400)
    expect((await put({ loan: 'a' }, '?dyr=1')).body.errors).toMatchObject([{ code: 'unknown_parameter' }])
  })

  test('permissions come before everything else, and refusals are in the audit trail', async () => {
    const path = `/api/rest/loans/${pk}/return`
    const strange = { Accept: 'image/png' }
    expect((await service.as('anonymous').post(path, 'no object', strange)).status).toBe(401)
    expect((await service.as('simple').post(path, 'no object', strange)).status).toBe(403)
    expect((await service.as('staff').post(path, 'no object', strange)).status).toBe(406)
    const { body } = await service.as('admin').get('/api/management/auditevents?type=AUTHORIZATION_FAILURE')
    expect(JSON.stringify(body.events)).toContain(path)
    const value = { Accept: 'application/vnd.api+json' }
    expect((await service.as('simple').get(`/api/rest/loans/${pk}/fee`, value)).status).toBe(406)
  })

  test('pages of foreign sites are refused where only own pages may call', async () => {
    const post = (headers: Record<string, string>) =>
      service.as('anonymous').post('/api/rest/loans/extensions', { loan: 'a' }, headers)
    expect((await post({ Origin: 'https://evil.example' })).status).toBe(403)
    expect((await post({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await post({ Origin: service.url })).status).toBe(201)
  })

  test('a preflight is answered, and allowed origins may read', async () => {
    const path = '/api/rest/loans/touch'
    const answer = await service.as('anonymous')(path, { method: 'OPTIONS' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'POST, DELETE, OPTIONS'])
    expect(
      (await service.as('anonymous').post(path, {}, { Origin: 'https://a.example' })).headers.get('vary'),
    ).toContain('Origin')
  })

  test('a repeated Idempotency-Key runs the handler once', async () => {
    const headers = { 'Idempotency-Key': 'once' }
    const before = count
    for (let at = 0; at < 2; at++)
      expect((await service.as('simple').post('/api/rest/loans/touch', undefined, headers)).status).toBe(204)
    expect(count).toBe(before + 1)
  })

  test('a failure of the handler is answered without internals', async () => {
    const answer = await service.as('simple').delete('/api/rest/loans/touch')
    expect([answer.status, answer.body.code, answer.text.includes('of the handler')]).toEqual([500, 'internal', false])
  })
  test('the OpenAPI document has the operations, with schemas derived from the fields', async () => {
    const { paths, components } = (await service.as('anonymous').get('/api/openapi.json')).body
    const operation = paths['/api/rest/loans/{pk}/return'].post
    expect(operation).toMatchObject({ operationId: 'returnLoan', tags: ['loans'], summary: 'Return a book' })
    expect(operation.requestBody.content['application/json'].schema).toEqual({
      type: 'object',
      properties: {
        condition: { type: 'string', enum: ['good', 'damaged'] },
        days: { type: ['integer', 'null'], minimum: 1, maximum: 30 },
      },
      required: ['condition'],
    })
    expect(operation.responses['200']).toEqual({ $ref: '#/components/responses/LoanItemJ' })
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '401', '403', '404', '406', '415']))
    expect(paths['/api/rest/loans/{pk}/fee'].get.parameters).toEqual([
      expect.objectContaining({ name: 'pk', in: 'path' }),
      {
        name: 'days',
        in: 'query',
        description: 'How many days late.',
        schema: { type: 'integer', minimum: 1, maximum: 10, default: 1 },
      },
      expect.objectContaining({ name: 'kinds', schema: expect.objectContaining({ type: 'array' }) }),
      expect.objectContaining({ name: 'remark', schema: { type: 'string', maxLength: 5 } }),
    ])
    expect(components.schemas.LoanFee).toMatchObject({
      description: 'What is due.',
      required: ['amount', 'reason', 'perDay', 'byKind', 'payer'],
      properties: {
        reason: { type: ['string', 'null'], description: 'Null when there is none.' },
        perDay: { type: 'array', items: { type: 'number' } },
        byKind: { type: 'object', additionalProperties: { type: 'number', 'x-decimals': 2 } },
      },
    })
    expect(components.schemas.LoanExtension.anyOf).toEqual([{ required: ['loan'] }, { required: ['card'] }])
    expect(paths['/api/rest/loans/extensions'].post.security).toContainEqual({})
    expect(paths['/api/rest/loans/touch'].post.security).toBeUndefined()
  })
})
