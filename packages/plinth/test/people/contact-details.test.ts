// Contact and personal details: made with each user, kept in parts, seen by few.

import { featureDatabases } from '@plinth/test-kit/databases'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
const client = '00000000-0000-7000-8000-000000000004'
const simple = '00000000-0000-7000-8000-000000000005'
const own = `/api/rest/contactDetails/${client}`

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let me: Client
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
    me = service.as('client')
    const admin = service.as('admin')
    await admin.post('/api/rest/localities', { pk: 'athens', name: 'Athens', parent: 'GR' }, json)
    await admin.post('/api/rest/postalCodes', { pk: 'GR-10551', name: '10551', parent: 'athens' }, json)
  })
  afterAll(() => service.stop())

  test('every user has both, the demo’s and those whom an administrator makes', async () => {
    const made = await service
      .as('admin')
      .post('/api/rest/users', { username: 'maria', email: 'maria@example.org' }, json)
    expect(made.status).toBe(201)
    for (const pk of [client, made.body.pk]) {
      for (const resource of ['contactDetails', 'personalDetails'])
        expect((await service.as('operator').get(`/api/rest/${resource}/${pk}`)).status).toBe(200)
    }
    const { body } = await service.as('admin').get(`/api/rest/contactDetails/${made.body.pk}`, json)
    expect(body.primaryEmail).toEqual({
      email: 'maria@example.org',
      description: null,
      value: 'maria@example.org',
      verified: false,
    })
    await service.as('admin').delete(`/api/rest/users/${made.body.pk}`)
    for (const resource of ['contactDetails', 'personalDetails'])
      expect((await service.as('admin').get(`/api/rest/${resource}/${made.body.pk}`)).status).toBe(404)
  })

  test('parts are kept, and what the service owns is its own', async () => {
    const details = {
      primaryCellphone: { number: '+30 210 123-4567', description: 'work', verified: true, value: 'mine' },
      primaryAddress: { addressLine1: 'Main Street 1', postCode: { pk: 'GR-10551' }, verified: true },
      cellphones: [{ number: '12345', verified: true }, { number: '67890' }],
      emails: [{ email: 'second@example.org', verified: true }],
    }
    const patched = await me.patch(own, details, json)
    expect(patched).toHaveStatus(200)
    expect(patched.body).toMatchObject({
      primaryCellphone: { number: '+30 210 123-4567', description: 'work', verified: false, value: '+302101234567' },
      primaryAddress: {
        addressLine1: 'Main Street 1',
        addressLine2: null,
        postCode: { pk: 'GR-10551' },
        value: 'Main Street 1, GR-10551',
        verified: false,
      },
      cellphones: [
        { number: '12345', verified: false },
        { number: '67890', verified: false },
      ],
      emails: [{ email: 'second@example.org', verified: false }],
    })
    expect((await me.patch(own, { cellphones: patched.body.cellphones }, json)).status).toBe(204)
  })

  test('parts have names of their own in XML and in the schema', async () => {
    const xml = await me.get(own, { Accept: 'application/xml' })
    expect(xml.text).toContain('<primaryCellphone><number>+30 210 123-4567</number><description>work</description>')
    expect(xml.text).toContain('<postCode><pk>GR-10551</pk></postCode>')
    const schema = (await me.get('/api/rest/contactDetails/jsonschema')).body
    expect(schema.properties.primaryEmail).toMatchObject({
      type: ['object', 'null'],
      required: ['email'],
      properties: { email: { format: 'email' }, verified: { readOnly: true }, value: { readOnly: true } },
    })
  })

  test.each<[string, object, number]>([
    ['an address that is none', { primaryEmail: { email: 'nonsense' } }, 400],
    ['an address with a line break', { primaryEmail: { email: 'a@example.org\r\nBcc: b@example.org' } }, 400],
    ['an e-mail without its address', { primaryEmail: { description: 'x' } }, 400],
    ['text for a structure', { primaryEmail: 'a@example.org' }, 400],
    ['a list for a structure', { primaryEmail: ['a@example.org'] }, 400],
    ['a structure for a list', { emails: { email: 'a@example.org' } }, 400],
    ['the same entry twice', { cellphones: [{ number: '12345' }, { number: '12 345' }] }, 400],
    ['too many entries', { cellphones: Array.from({ length: 21 }, (_, at) => ({ number: `${10000 + at}` })) }, 400],
    ['a number that is none', { primaryCellphone: { number: 'call me' } }, 400],
    ['a postal code that does not exist', { primaryAddress: { addressLine1: 'x', postCode: 'nowhere' } }, 422],
    ['a postal code that is an object of nothing', { primaryAddress: { addressLine1: 'x', postCode: {} } }, 400],
    ['a part that is too long', { primaryAddress: { addressLine1: 'x'.repeat(256) } }, 400],
    ['a prototype', JSON.parse('{"primaryEmail":{"__proto__":{"email":"a@example.org"}}}'), 400],
  ])('%s is refused and changes nothing', async (_, change, status) => {
    const before = (await me.get(own, json)).body
    const refused = await me.patch(own, change, json)
    expect([refused.status, refused.body.errors?.length ?? 0]).toEqual([status, 1])
    expect((await me.get(own, json)).body).toEqual(before)
  })

  test('every fault inside a structure is named', async () => {
    const sent = { primaryAddress: { addressLine2: 3, postOfficeBoxNumber: {} }, emails: [{ email: 'nonsense' }] }
    const refused = await me.patch(own, sent, json)
    expect(refused.body.errors).toMatchObject([
      { pointer: '/primaryAddress/addressLine1', member: 'primaryAddress', code: 'required' },
      { pointer: '/primaryAddress/addressLine2', member: 'primaryAddress', code: 'text' },
      { pointer: '/primaryAddress/postOfficeBoxNumber', member: 'primaryAddress', code: 'text' },
      { pointer: '/emails/0/email', member: 'emails', code: 'email' },
    ])
  })

  test('the parts cannot be searched or sorted by, so that nothing hidden can be guessed', async () => {
    for (const query of [
      'primaryEmail=a',
      'filter=primaryEmail==a*',
      'filter=primaryEmail.email==a*',
      'sort=primaryEmail',
      'sort=emails',
    ])
      expect([query, (await service.as('admin').get(`/api/rest/contactDetails?${query}`)).status]).toEqual([query, 400])
  })

  test.each(['contactDetails', 'personalDetails'])(
    '%s are for their owner and for those who run the site',
    async resource => {
      const path = `/api/rest/${resource}/${client}`
      const change =
        resource === 'contactDetails' ? { primaryCellphone: { number: '999999' } } : { birthDay: '1990-02-28' }
      expect((await service.as('anonymous').get(path)).status).toBe(401)
      for (const user of ['simple', 'staff'] as const) {
        expect((await service.as(user).get(path)).status).toBe(404)
        expect((await service.as(user).patch(path, change, json)).status).toBe(404)
        expect((await service.as(user).put(path, { user: client, ...change }, json)).status).toBe(404)
        expect((await service.as(user).delete(path)).status).toBe(404)
        const { body } = await service.as(user).get(`/api/rest/${resource}?page=no`, json)
        expect(body.content.map((one: { pk: string }) => one.pk)).not.toContain(client)
        // As if there were none.
        expect((await service.as(user).get(`/api/rest/users/${client}/${resource}`, json)).status).toBe(204)
      }
      for (const user of ['client', 'operator', 'admin'] as const)
        expect((await service.as(user).get(path)).status).toBe(200)
      expect((await service.as('operator').patch(path, change, json)).status).toBe(200)
      expect((await me.post(`/api/rest/${resource}`, { user: simple, ...change }, json)).status).toBeGreaterThanOrEqual(
        403,
      )
      expect((await me.patch(path, { user: simple }, json)).status).toBe(400)
    },
  )

  test.each([
    ['2000-02-30', 400],
    ['yesterday', 400],
    [20000101, 400],
    ['2000-02-29', 200],
  ])('a birthday of %j gets %i', async (birthDay, status) => {
    expect((await me.patch(`/api/rest/personalDetails/${client}`, { birthDay }, json)).status).toBe(status)
  })
})
