// State machines: records begin in a first state, and every write keeps to the steps.

import { databases, type TestedDatabase } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { choice, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { defineEndpoint } from '../../src/core/rest/endpoint.ts'
import type { Parsed } from '../../src/testing/client.ts'
import { until } from '../../src/testing/waiting.ts'
import { at, faultOf, untyped } from './definition-faults.ts'

const states = ['new', 'diagnosed', 'repaired', 'scrapped'] as const

const repairs = defineResource('repairs', {
  about: 'What is repaired.',
  label: 'title',
  history: true,
  fields: {
    title: text({ required: true }),
    state: choice(states, { transitions: { new: ['diagnosed'], diagnosed: ['repaired', 'scrapped'] } }),
  },
  access: { read: 'true', write: 'caller.signedIn' },
})

/** Hooks may write states too. */
const orders = defineResource('orders', {
  about: 'What is ordered.',
  label: 'title',
  fields: {
    title: text({ required: true }),
    state: choice(['draft', 'placed', 'sent'], {
      initial: ['draft', 'placed'],
      transitions: { draft: ['placed'], placed: ['sent'] },
      about: 'How far it is.',
    }),
    note: text(),
  },
  access: { read: 'true', write: 'caller.signedIn' },
  hooks: {
    beforeUpdate: ({ values }) => {
      if (values.note === 'send it') values.state = 'sent'
    },
  },
})

const lost = defineResource('lostStates', {
  about: 'A state that nothing leads to.',
  fields: { state: choice(['open', 'closed', 'lost'], { transitions: { open: ['closed'], lost: ['open'] } }) },
  access: { read: 'true', write: 'caller.signedIn' },
})

/** Only an endpoint steps it. */
const claims = defineResource('claims', {
  about: 'What is claimed.',
  label: 'title',
  fields: {
    title: text({ required: true }),
    state: choice(['open', 'settled'], { transitions: { open: ['settled'] }, serverOwned: true }),
  },
  access: { read: 'true', write: 'caller.signedIn' },
})

const settleClaim = defineEndpoint({
  method: 'POST',
  path: '/api/rest/claims/{pk}/settle',
  id: 'settleClaim',
  summary: 'Settle',
  access: 'caller.signedIn',
  when: "record.state == 'open'",
  answers: { 200: claims },
  run: ({ params, records }) => records.update(claims, params.pk, { state: 'settled' }),
})

const resources = [repairs, orders, claims, lost]
const workshop = defineModule({ name: 'workshop', about: 'A workshop.', resources, endpoints: [settleClaim] })
const json = { Accept: 'application/json' }
const path = '/api/rest/repairs'

describe.each(extent<readonly TestedDatabase[]>(['postgres'], databases))('on %s', database => {
  const logged: string[] = []
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startService(database, {
      modules: [...modules, workshop],
      logTo: { write: (line: string) => void logged.push(line) },
      settings: { 'app.log.level': 'warn' },
    })
    staff = service.as('staff')
  })
  afterAll(() => service?.stop())

  const make = async () => (await staff.post(path, { title: 'Radio' }, json)).body
  const move = (pk: string, state: string | null) => staff.patch(`${path}/${pk}`, { state }, json)
  const errorsOf = ({ status, body }: { status: number; body: { errors?: object[] } }) => [status, body.errors]

  test('a record begins in the first state, and takes the steps', async () => {
    const { pk, state } = await make()
    expect(state).toBe('new')
    for (const next of ['diagnosed', 'repaired']) expect((await move(pk, next)).body.state).toBe(next)
  })

  test('other first states and other steps are refused with those that are possible', async () => {
    const refused = await staff.post(path, { title: '', state: 'repaired' }, json)
    expect(errorsOf(refused)).toMatchObject([
      400,
      [
        { pointer: '/title', code: 'not_empty' },
        {
          pointer: '/state',
          code: 'first_state',
          params: { states: ['new'] },
          message: 'must be new in a new record',
        },
      ],
    ])
    const { pk } = await make()
    expect(errorsOf(await move(pk, 'repaired'))).toMatchObject([
      400,
      [{ pointer: '/state', code: 'next_state', params: { state: 'new', next: ['diagnosed'] } }],
    ])
    await move(pk, 'diagnosed')
    await move(pk, 'scrapped')
    expect(errorsOf(await move(pk, 'repaired'))).toMatchObject([
      400,
      [{ code: 'final_state', params: { state: 'scrapped' }, message: "cannot change any more: 'scrapped' is final" }],
    ])
    const merge = { ...json, 'Content-Type': 'application/merge-patch+json' }
    expect((await staff.patch(`${path}/${pk}`, { state: null }, merge)).status).toBe(400)
    expect((await staff.get(`${path}/${pk}`, json)).body.state).toBe('scrapped')
  })

  test('the same state again is no step, and a replacement without a state keeps it', async () => {
    const { pk } = await make()
    await move(pk, 'diagnosed')
    expect((await move(pk, 'diagnosed')).status).toBe(204)
    const replaced = await staff.put(`${path}/${pk}`, { title: 'Tuner' }, json)
    expect(replaced.body).toMatchObject({ title: 'Tuner', state: 'diagnosed' })
  })

  test('code keeps to the steps as well, as the service and in hooks', async () => {
    const { records } = service.app.platform
    await expect(records.create(repairs, { title: 'Lamp', state: 'scrapped' })).rejects.toThrow(
      'repairs.state must be new in a new record',
    )
    await expect(records.createMany(repairs, [{ title: 'Lamp', state: 'scrapped' }])).rejects.toThrow('must be new')
    await expect(records.upsert(repairs, { title: 'Lamp', state: 'scrapped' })).rejects.toThrow('must be new')
    const { pk } = await records.create(repairs, { title: 'Lamp' })
    await expect(records.update(repairs, pk, { state: 'repaired' })).rejects.toThrow(
      "repairs.state 'new' can change to diagnosed only",
    )
    await expect(records.updateMany(repairs, { where: { pk } }, { state: 'repaired' })).rejects.toThrow(
      'diagnosed only',
    )
    expect((await records.update(repairs, pk, { state: 'diagnosed' })).state).toBe('diagnosed')
    const draft = (await staff.post('/api/rest/orders', { title: 'Screws', state: 'draft' }, json)).body
    expect(errorsOf(await staff.patch(`/api/rest/orders/${draft.pk}`, { note: 'send it' }, json))).toMatchObject([
      400,
      [{ pointer: '/state', code: 'next_state' }],
    ])
    await staff.patch(`/api/rest/orders/${draft.pk}`, { state: 'placed' }, json)
    const sent = await staff.patch(`/api/rest/orders/${draft.pk}`, { note: 'send it' }, json)
    expect(sent.body.state).toBe('sent')
  })

  test('code can write records of the past in any state', async () => {
    const { records } = service.app.platform
    const made = await records.transaction(inside =>
      inside.acting({ anyState: true }).create(repairs, { title: 'Clock', state: 'repaired' }),
    )
    expect(made.state).toBe('repaired')
    await expect(records.update(repairs, made.pk, { state: 'new' })).rejects.toThrow('final')
  })

  test('a state of the service is stepped by endpoints and not by callers, who get no buttons for it', async () => {
    const staff = service.as('staff')
    const { body: claim } = await staff.post('/api/rest/claims', { title: 'A scratch', state: 'settled' }, json)
    expect(claim.state).toBe('open')
    const one = `/api/rest/claims/${claim.pk}`
    await staff.patch(one, { state: 'settled' }, json)
    expect((await staff.get(one, json)).body.state).toBe('open')
    const { useCases } = (await staff.get('/api/rest/claims/uischema', json)).body
    const inForm = useCases.update.find(({ field }: Parsed) => field === 'state')
    expect(inForm?.readOnly ?? true).toBe(true)
    expect((await staff.post(`${one}/settle`, undefined, json)).body.state).toBe('settled')
    expect((await staff.post(`${one}/settle`, undefined, json)).status).toBe(409)
  })

  test('of callers who leave one state for different ones at the same time, one succeeds', async () => {
    const { pk } = await make()
    await move(pk, 'diagnosed')
    const both = await Promise.all(
      Array.from({ length: 12 }, (_, at) => move(pk, at % 2 === 0 ? 'repaired' : 'scrapped')),
    )
    const { state } = (await staff.get(`${path}/${pk}`, json)).body
    const steps = both.filter(({ status }) => status === 200)
    expect([...new Set(steps.map(({ body }) => body.state))]).toEqual([state])
    for (const { status, body } of both)
      if (status !== 200 && status !== 204) expect([status, body.errors[0].code]).toEqual([400, 'final_state'])
    expect(both.filter(({ status }) => status === 400)).toHaveLength(6)
    expect((await service.as('admin').get(`${path}/${pk}/history`, json)).body.content).toHaveLength(3)
  })

  test('imports and atomic operations keep to the steps', async () => {
    const admin = service.as('admin')
    const imported = await admin('/api/import/repairs', {
      method: 'POST',
      body: 'title,state\r\nRadio,new\r\nLamp,repaired\r\n',
      headers: { ...json, 'Content-Type': 'text/csv' },
    })
    expect(JSON.stringify(imported.body)).toContain('first_state')
    const { pk } = await make()
    const operation = { op: 'update', data: { type: 'repairs', id: pk, attributes: { state: 'repaired' } } }
    const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const atomic = await staff.post(
      '/api/rest/operations',
      { 'atomic:operations': [operation] },
      { 'Content-Type': type, Accept: type },
    )
    expect([atomic.status, JSON.stringify(atomic.body)]).toEqual([400, expect.stringContaining('next_state')])
  })

  test('restoring a version leaves the state as it is', async () => {
    const { pk } = await make()
    await staff.patch(`${path}/${pk}`, { title: 'Tuner', state: 'diagnosed' }, json)
    const restored = await service.as('admin').post(`${path}/${pk}/history/1/restore`, {}, json)
    expect([restored.status, restored.body.title, restored.body.state]).toEqual([200, 'Radio', 'diagnosed'])
  })

  test('schemas, the API description and types know the steps', async () => {
    const { state } = (await staff.get(`${path}/jsonschema`, json)).body.properties
    expect(state).toMatchObject({
      type: 'string',
      enum: [...states],
      default: 'new',
      'x-initial': ['new'],
      'x-transitions': { new: ['diagnosed'], diagnosed: ['repaired', 'scrapped'] },
      description:
        'New records: new. Steps: new → diagnosed; diagnosed → repaired, scrapped; repaired is final; scrapped is final.',
    })
    expect((await staff.get(`${path}/uischema`, json)).body.fields.state).toMatchObject({
      transitions: { new: ['diagnosed'] },
      initial: ['new'],
    })
    const openapi = (await staff.get('/api/openapi.json', json)).body
    expect(openapi.components.schemas.OrderCreate.properties.state.description).toMatch(
      /^How far it is\. New records: draft, placed\. Steps: draft → placed; .* Default: "draft"\.$/,
    )
  })

  test('a state that no step leads to is warned of', async () => {
    await until('the warning', () => logged.some(line => line.includes("lostStates.state: no step leads to 'lost'")))
  })
})

test('mistakes in the declaration stop the start', async () => {
  const wrong = (options: object) => faultOf(choice(['new', 'done'], untyped(options)))
  expect(await wrong({ transitions: { new: ['don'] } })).toBe(
    `${at}transitions names 'don', which is not a state; did you mean 'done'?`,
  )
  expect(await wrong({ transitions: { nwe: ['done'] } })).toBe(
    `${at}transitions names 'nwe', which is not a state; did you mean 'new'?`,
  )
  expect(await wrong({ transitions: { new: ['new'] } })).toContain("'new' leads to itself")
  expect(await wrong({ transitions: { new: ['done'] }, initial: ['begun'] })).toContain("initial names 'begun'")
  expect(await wrong({ transitions: { new: ['done'] }, initial: [] })).toContain('initial is empty')
  expect(await wrong({ transitions: { new: ['done'] }, initial: ['new'], default: 'done' })).toContain(
    "default 'done' is not among the states of new records",
  )
})
