// Endpoints that clients can offer as buttons: which there are, what their forms hold, and for which records they can be called.

import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { DefinitionError } from '../../src/core/model/definition-error.ts'
import { choice, integer, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { defineEndpoint } from '../../src/core/rest/endpoint.ts'

const staff = "caller.has('ROLE_STAFF')"

const parcels = defineResource('parcels', {
  about: 'Parcels that are sent.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 100 }),
    state: choice(['packed', 'sent'], { default: 'packed', required: true }),
    owner: text(),
  },
  access: { read: `record.owner == caller.username || ${staff}`, write: staff },
})

const sendParcel = defineEndpoint({
  method: 'POST',
  path: '/api/rest/parcels/{pk}/send',
  id: 'sendParcel',
  summary: 'Send',
  description: 'The parcel leaves the house.',
  access: staff,
  when: "record.state == 'packed'",
  button: {
    title: { en: 'Send', de: 'Verschicken' },
    confirm: { en: 'Send it now?', de: 'Jetzt verschicken?' },
    bulk: true,
  },
  body: {
    carrier: choice(['rail', 'road'], { required: true, labels: { rail: { en: 'Rail', de: 'Bahn' } } }),
    days: integer({ min: 1, max: 9, default: 2, title: { de: 'Tage' } }),
  },
  answers: { 200: parcels },
  run: ({ params, records }) => records.update(parcels, params.pk, { state: 'sent' }),
})

const weighParcel = defineEndpoint({
  method: 'POST',
  path: '/api/rest/parcels/{pk}/weigh',
  id: 'weighParcel',
  summary: 'Weigh',
  access: 'caller.signedIn',
  answers: { 204: 'It is weighed.' },
  run: () => {},
})

const countParcels = defineEndpoint({
  method: 'POST',
  path: '/api/rest/parcels/count',
  id: 'countParcels',
  summary: 'Count',
  access: staff,
  answers: { 204: 'They are counted.' },
  run: () => {},
})

const returnParcel = defineEndpoint({
  method: 'POST',
  path: '/api/rest/parcels/{pk}/return',
  id: 'returnParcel',
  summary: 'Return',
  access: staff,
  when: {
    rule: "record.state == 'sent'",
    message: { en: 'The parcel is still in the house.', de: 'Das Paket ist noch im Haus.' },
  },
  button: { destructive: true },
  answers: { 204: 'It is back.' },
  run: () => {},
})

/** Clients have no button for it. */
const burnParcel = defineEndpoint({
  method: 'POST',
  path: '/api/rest/parcels/{pk}/burn',
  id: 'burnParcel',
  summary: 'Burn',
  access: 'true',
  button: false,
  body: { reason: text({ required: true, max: 50, title: { en: 'Reason', de: 'Grund' } }) },
  answers: { 204: 'It is gone.' },
  run: () => {},
})

const findLockers = defineEndpoint({
  method: 'GET',
  path: '/api/lockers',
  id: 'findLockers',
  summary: 'Find lockers',
  access: 'true',
  query: { town: text({ required: true }) },
  answers: { 204: 'They are found.' },
  run: () => {},
})

const post = defineModule({
  name: 'post',
  about: 'Parcels.',
  resources: [parcels],
  endpoints: [sendParcel, weighParcel, countParcels, returnParcel, burnParcel, findLockers],
})

const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, post], settings: { 'app.modules': '' } })
  })
  afterAll(() => service.stop())

  const idsFor = async (user: Parameters<TestService['as']>[0]): Promise<string[]> => {
    const answer = await service.as(user).get('/api/actions/parcels', json)
    expect(answer).toHaveStatus(200)
    return answer.body.actions.map(({ id }: { id: string }) => id)
  }
  const make = async (owner: string): Promise<string> => {
    const made = await service.as('staff').post('/api/rest/parcels', { name: 'Books', owner })
    expect(made).toHaveStatus(201)
    return made.body.pk
  }
  const possibleFor = async (user: Parameters<TestService['as']>[0], pk: string): Promise<readonly string[]> => {
    const answer = await service.as(user).get(`/api/actions/parcels/${pk}`, json)
    expect(answer).toHaveStatus(200)
    return answer.body.actions
  }

  test('a caller is offered the endpoints that they may call, and no others', async () => {
    expect(await idsFor('staff')).toEqual(['sendParcel', 'weighParcel', 'countParcels', 'returnParcel'])
    expect(await idsFor('admin')).toEqual(['sendParcel', 'weighParcel', 'countParcels', 'returnParcel'])
    expect(await idsFor('client')).toEqual(['weighParcel'])
    expect(await service.as('anonymous').get('/api/actions/parcels', json)).toHaveStatus(401)
    expect(await service.as('staff').get('/api/actions/nothing', json)).toHaveStatus(404)
  })

  test('an endpoint comes with its words, its question and the form of its body in the language of the caller', async () => {
    const answer = await service.as('staff').get('/api/actions/parcels', { ...json, 'Accept-Language': 'de' })
    const [send, , count, back] = answer.body.actions
    expect(send).toMatchObject({
      place: 'record',
      method: 'POST',
      path: '/api/rest/parcels/{pk}/send',
      title: 'Verschicken',
      about: 'The parcel leaves the house.',
      confirm: 'Jetzt verschicken?',
      isDestructive: false,
      isBulk: true,
      isConditional: true,
      fields: {
        carrier: {
          widget: 'select',
          label: 'Carrier',
          required: true,
          options: ['rail', 'road'],
          optionLabels: { rail: 'Bahn' },
        },
        days: { widget: 'number', label: 'Tage', required: false, min: 1, max: 9, default: 2 },
      },
    })
    expect(count).toMatchObject({
      place: 'list',
      path: '/api/rest/parcels/count',
      isBulk: false,
      isConditional: false,
      fields: {},
    })
    expect(back).toMatchObject({
      isDestructive: true,
      isConditional: true,
      unavailable: 'Das Paket ist noch im Haus.',
    })
    expect(send).not.toHaveProperty('unavailable')
  })

  test('an endpoint that cannot be called for a record says why, in its own words', async () => {
    const pk = await make('client')
    const refusal = async (language: string) => {
      const answer = await service
        .as('staff')
        .post(`/api/rest/parcels/${pk}/return`, undefined, { 'Accept-Language': language })
      expect(answer).toHaveStatus(409)
      return answer.body
    }
    expect(await refusal('en')).toMatchObject({ code: 'conflict', detail: 'The parcel is still in the house.' })
    expect(await refusal('de')).toMatchObject({ code: 'conflict', detail: 'Das Paket ist noch im Haus.' })
  })

  test('any endpoint that the caller may call has a form, also without a button and for parameters', async () => {
    const formOf = (user: Parameters<TestService['as']>[0], endpoint: string) =>
      service.as(user).get(`/api/forms?endpoint=${encodeURIComponent(endpoint)}`, { ...json, 'Accept-Language': 'de' })
    const burn = await formOf('anonymous', 'POST /api/rest/parcels/{pk}/burn')
    expect(burn).toHaveStatus(200)
    expect(burn.body).toMatchObject({
      ...{ id: 'burnParcel', title: 'Burn' },
      fields: { reason: { widget: 'text', label: 'Grund', required: true, maxLength: 50 } },
    })
    const find = await formOf('anonymous', 'GET /api/lockers')
    expect(Object.keys(find.body.fields)).toEqual(['town'])
    expect((await formOf('staff', 'POST /api/rest/parcels/{pk}/send')).body.title).toBe('Verschicken')
    expect(await formOf('client', 'POST /api/rest/parcels/{pk}/send')).toHaveStatus(403)
    expect(await formOf('anonymous', 'POST /api/rest/parcels/{pk}/send')).toHaveStatus(401)
    expect(await formOf('staff', 'POST /api/nothing')).toHaveStatus(404)
    expect(await formOf('staff', '')).toHaveStatus(400)
  })

  test('an endpoint with a condition is called for records that fulfil it alone, by administrators too', async () => {
    const pk = await make('client')
    expect(await possibleFor('staff', pk)).toEqual(['sendParcel', 'weighParcel'])
    const send = (user: 'staff' | 'admin') => service.as(user).post(`/api/rest/parcels/${pk}/send`, { carrier: 'rail' })
    expect(await send('staff')).toHaveStatus(200)
    expect(await possibleFor('staff', pk)).toEqual(['weighParcel', 'returnParcel'])
    expect(await possibleFor('admin', pk)).toEqual(['weighParcel', 'returnParcel'])
    const refused = await send('admin')
    expect(refused).toHaveStatus(409)
    expect(refused.body).toMatchObject({ code: 'conflict' })
  })

  test('records that the caller cannot see are not found, whatever the condition', async () => {
    const pk = await make('stranger')
    expect(await possibleFor('staff', pk)).toEqual(['sendParcel', 'weighParcel'])
    expect(await service.as('client').get(`/api/actions/parcels/${pk}`, json)).toHaveStatus(404)
    expect(await service.as('staff').post('/api/rest/parcels/none/send', { carrier: 'rail' })).toHaveStatus(404)
  })

  test('of several records, each endpoint names those for which it can be called', async () => {
    const [packed, sent, foreign] = [await make('client'), await make('client'), await make('stranger')]
    expect(await service.as('staff').post(`/api/rest/parcels/${sent}/send`, { carrier: 'rail' })).toHaveStatus(200)
    const possible = async (user: 'staff' | 'client') => {
      const { body } = await service.as(user).get(`/api/actions/parcels?pks=${[packed, sent, foreign, 'none']}`, json)
      return Object.fromEntries(body.actions.map(({ id, pks }: { id: string; pks?: string[] }) => [id, pks]))
    }
    const sorted = (...pks: string[]) => pks.sort()
    expect(await possible('staff')).toEqual({
      sendParcel: sorted(packed, foreign),
      weighParcel: sorted(packed, sent, foreign),
      countParcels: undefined,
      returnParcel: [sent],
    })
    expect(await possible('client')).toEqual({ weighParcel: sorted(packed, sent) })
    const many = await service.as('staff').get(`/api/actions/parcels?pks=${Array(250).fill(packed)}`, json)
    expect(many).toHaveStatus(400)
  })

  test.each([
    [
      { path: '/api/rest/parcels/countAll', button: { bulk: true } },
      "button.bulk: needs a path below a record, such as '/api/rest/loans/{pk}/return'",
    ],
    [
      { path: '/api/rest/parcels/weighAll', button: {} },
      "when: needs a path below a record, such as '/api/rest/loans/{pk}/return'",
    ],
    [{ when: "record.stat == 'packed'", button: {} }, "when: 'record.stat == 'packed'': parcels has no"],
    [
      { when: { rule: "record.stat == 'packed'", message: 'It is not packed.' }, button: {} },
      "when: 'record.stat == 'packed'': parcels has no",
    ],
  ])('the condition %o stops the start', async (change, message) => {
    const faulty = defineModule({
      name: 'faulty',
      about: 'A mistake.',
      resources: [],
      endpoints: [{ ...sendParcel, id: 'faulty', path: '/api/rest/parcels/{pk}/faulty', ...change }],
    })
    const starting = startService(database, { modules: [...modules, post, faulty], settings: { 'app.modules': '' } })
    await expect(starting).rejects.toThrow(DefinitionError)
    await expect(starting).rejects.toThrow(message)
  })
})
