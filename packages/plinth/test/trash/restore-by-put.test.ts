// Whether a deleted record can be restored by a PUT of its fields, as `rights.restore` of the UI schema tells clients.

import { featureDatabases } from '@plinth/test-kit/databases'
import { makeSample } from '@plinth/test-kit/samples'
import { type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database)
  })
  afterAll(() => service.stop())

  const schemaOf = async (user: DemoUser, resource: string) =>
    (await service.as(user).get(`/api/rest/${resource}/uischema`, json)).body
  const canRestore = async (user: DemoUser, resource: string) => (await schemaOf(user, resource)).rights.restore

  test.each([
    ['users', 'records that belong to a user are deleted with it'],
    ['roles', 'its members lose it'],
    ['filmActors', 'films lose it'],
    ['clientErrors', 'some fields are written by the service alone'],
    ['contactDetails', 'parts of its fields are written by the service alone'],
    ['countries', 'hooks run when it is deleted'],
  ])('a record of %s cannot be restored: %s', async resource => {
    expect(await canRestore('admin', resource)).toBe(false)
  })

  test('only administrators restore a record whose identifier the service chose', async () => {
    expect(await canRestore('admin', 'films')).toBe(true)
    expect(await canRestore('staff', 'films')).toBe(false)
  })

  test('what is said to be restorable comes back as it was', async () => {
    const admin = service.as('admin')
    const listed: { name: string }[] = (await admin.get('/api/rest', json)).body
    const restored: string[] = []
    for (const { name } of listed) {
      const { rights, useCases } = await schemaOf('admin', name)
      if (!rights.restore || !rights.delete) continue
      const { pk } = (await makeSample(admin, service.app.platform.registry.resource(name))).body
      const path = `/api/rest/${name}/${pk}`
      const { version, createdDate, lastModifiedDate, ...before } = (await admin.get(path, json)).body
      expect((await admin.delete(path)).status).toBe(204)
      const fields = useCases.create.map(({ field }: { field: string }) => [field, before[field]])
      expect((await admin.put(path, Object.fromEntries(fields))).status).toBe(201)
      expect((await admin.get(path, json)).body).toMatchObject(before)
      restored.push(name)
    }
    expect(restored).toEqual(expect.arrayContaining(['films', 'filmPricingStrategies']))
  })
})
