// The details of a user and the code of a registration are to-one: each user has one of each at most.

import { featureDatabases } from '@plinth/test-kit/databases'
import { accountOf, jsonApi, speaking } from '@plinth/test-kit/library'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let pk: string
  beforeAll(async () => {
    service = await startService(database)
    pk = await accountOf(service, 'simple')
  })
  afterAll(() => service.stop())

  test.each(['contactDetails', 'personalDetails'])('%s is one record', async relation => {
    const admin = service.as('admin')
    for (const path of [`users/${pk}/${relation}`, `users/${pk}/relationships/${relation}`]) {
      expect((await admin.get(`/api/rest/${path}`, json)).body.pk).toBe(pk)
      const { data } = (await admin.get(`/api/rest/${path}`, { Accept: jsonApi })).body
      expect([data.type, data.id]).toEqual([relation, pk])
    }
    const { body } = await admin.get(`/api/rest/users/${pk}`, json)
    expect(body[relation]).toEqual({ pk })
    const document = await admin.get(`/api/rest/users/${pk}`, { Accept: jsonApi })
    expect(document.body.data.relationships[relation].data).toEqual({ type: relation, id: pk })
    const included = await admin.get(`/api/rest/users/${pk}?include=${relation}`, json)
    expect(included.body[relation]).toMatchObject({ pk, user: { pk } })
    const { properties } = (await admin.get('/api/rest/users/jsonschema')).body
    expect(properties[relation]).toMatchObject({ type: ['object', 'null'], 'x-relation': { kind: 'one' } })
  })

  test('a registration code is one record or none, and hidden from those who may not read codes', async () => {
    const path = `/api/rest/userCredentials/${pk}`
    expect((await service.as('admin').get(`${path}/registrationCode`, json)).status).toBe(204)
    const own = await service.as('simple').get(path, json)
    expect([own.status, own.body.registrationCode]).toEqual([200, null])
    expect((await service.as('simple').get(`${path}/registrationCode`, json)).status).toBe(403)
  })

  test('others do not see the details of a user', async () => {
    const { body } = await service.as('client').get(`/api/rest/users/${pk}`, json)
    expect([body.username, body.contactDetails]).toEqual(['simple', null])
  })

  test('a user is taken back as it was read', async () => {
    const admin = service.as('admin')
    const path = `/api/rest/users/${pk}`
    const { data } = (await admin.get(path, { Accept: jsonApi })).body
    expect((await admin.patch(path, { data }, speaking)).status).toBe(200)
    expect((await admin.put(path, (await admin.get(path, json)).body, json)).status).toBe(200)
  })
})
