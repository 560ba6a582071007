// Renames on PostgreSQL while instances of the earlier model run: both names work until the next release.

import { testAll } from '@plinth/test-kit/extent'
import { type KeptDatabase, keepDatabase } from '@plinth/test-kit/kept-database'
import { make } from '@plinth/test-kit/library'
import { createApp, modules } from '@plinth/test-kit/platform'
import { configOn } from '@plinth/test-kit/prepared-data'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterEach, beforeEach, expect } from 'vitest'
import { defineResource, type ResourceDefinition } from '../../src/core/model/define.ts'
import type { Field } from '../../src/core/model/field.ts'
import { links, ref, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'

const people = (name: string, fields: Record<string, Field>, renamedFrom?: string): ResourceDefinition =>
  defineResource(name, {
    about: 'People who buy.',
    label: 'name',
    fields: { name: text(), ...fields },
    access: { read: 'true', write: 'caller.signedIn' },
    history: true,
    trash: true,
    ...(renamedFrom && { renamedFrom }),
  })

const first = people('customers', {
  phone: text({ unique: 'ignoreCase', max: 50 }),
  country: ref('countries'),
  likes: links('countries', { embed: true }),
})
const second = people('customers', {
  telephone: text({ unique: 'ignoreCase', max: 50, renamedFrom: 'phone' }),
  home: ref('countries', { renamedFrom: 'country' }),
  wishes: links('countries', { embed: true, renamedFrom: 'likes' }),
})
const third = people('customers', {
  telephone: text({ unique: 'ignoreCase', max: 50 }),
  home: ref('countries'),
  wishes: links('countries', { embed: true }),
  phone: text({ max: 10 }),
})

let kept: KeptDatabase
const running: TestService[] = []
beforeEach(async () => {
  kept = await keepDatabase('postgres')
})
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop()
  await kept.remove()
})

const partsOf = (resource: ResourceDefinition) => ({
  modules: [...modules, defineModule({ name: 'shop', about: 'A shop.', resources: [resource] })],
})

const start = async (resource: ResourceDefinition): Promise<TestService> => {
  const service = await startService('postgres', { ...partsOf(resource), settings: kept.settings })
  running.push(service)
  return service
}

const planOf = async (resource: ResourceDefinition, contracts = false): Promise<string> => {
  const { 'app.dataDir': folder = '', 'app.database.url': url = '' } = kept.settings
  const app = await createApp(configOn({ folder, url }, {}), partsOf(resource))
  try {
    return await app.planMigration({ contracts })
  } finally {
    await app.close()
  }
}

testAll(
  'instances of both models write and read renamed fields, and the next release drops the former names',
  async () => {
    const old = (await start(first)).as('staff')
    const ann = await make(old, 'customers', { name: 'Ann', phone: '1', country: 'GR', likes: ['DE'] })
    const plan = await planOf(second)
    expect(plan).toContain('customers.telephone: formerly phone, which running instances can still use')
    expect(plan).not.toContain('BREAKS')

    const fresh = (await start(second)).as('staff')
    expect((await fresh.get(`/api/rest/customers/${ann.pk}`)).body).toMatchObject({
      telephone: '1',
      home: { pk: 'GR' },
    })
    expect((await old.get(`/api/rest/customers/${ann.pk}`)).body).toMatchObject({ phone: '1', country: { pk: 'GR' } })

    const bob = await make(old, 'customers', { name: 'Bob', phone: '2', country: 'FR', likes: ['IT'] })
    const cid = await make(fresh, 'customers', { name: 'Cid', telephone: '3', home: 'IT', wishes: ['FR'] })
    expect((await fresh.get(`/api/rest/customers/${bob.pk}`)).body).toMatchObject({
      ...{ telephone: '2', home: { pk: 'FR' }, wishes: [{ pk: 'IT' }] },
    })
    expect((await old.get(`/api/rest/customers/${cid.pk}`)).body).toMatchObject({
      ...{ phone: '3', country: { pk: 'IT' }, likes: [{ pk: 'FR' }] },
    })

    expect((await old.patch(`/api/rest/customers/${cid.pk}`, { phone: '33', country: 'GR' })).status).toBe(200)
    expect((await fresh.patch(`/api/rest/customers/${bob.pk}`, { telephone: '22' })).status).toBe(200)
    expect((await fresh.get('/api/rest/customers?filter=telephone==33;home==GR')).body.content).toHaveLength(1)
    expect((await old.get('/api/rest/customers?filter=phone==22')).body.content).toHaveLength(1)
    expect((await old.post('/api/rest/customers', { name: 'Dan', phone: '22' })).status).toBe(409)
    expect((await old.delete(`/api/rest/customers/${ann.pk}`)).status).toBe(204)
    expect((await fresh.get(`/api/rest/customers/${ann.pk}`)).status).toBe(404)

    for (const service of running.splice(0)) await service.stop()
    expect(await planOf(third)).toContain('customers.phone: the former name of telephone, no longer used')
    const next = (await start(third)).as('staff')
    expect((await next.get(`/api/rest/customers/${cid.pk}`)).body).toMatchObject({
      ...{ telephone: '33', home: { pk: 'GR' }, wishes: [{ pk: 'FR' }], phone: null },
    })
    expect(await planOf(third)).toContain('The database is up to date')
  },
)

testAll('instances of both models use a resource that was renamed', async () => {
  const old = (await start(first)).as('staff')
  const ann = await make(old, 'customers', { name: 'Ann', phone: '1', likes: ['DE'] })
  const renamed = people(
    'buyers',
    {
      telephone: text({ unique: 'ignoreCase', max: 50, renamedFrom: 'phone' }),
      country: ref('countries'),
      likes: links('countries', { embed: true }),
    },
    'customers',
  )
  const fresh = (await start(renamed)).as('staff')
  expect((await fresh.get(`/api/rest/buyers/${ann.pk}`)).body).toMatchObject({ telephone: '1', likes: [{ pk: 'DE' }] })
  const bob = await make(old, 'customers', { name: 'Bob', phone: '2', likes: ['IT'] })
  expect((await fresh.get(`/api/rest/buyers/${bob.pk}`)).body).toMatchObject({ telephone: '2', likes: [{ pk: 'IT' }] })
  expect((await fresh.patch(`/api/rest/buyers/${bob.pk}`, { telephone: '22' })).status).toBe(200)
  expect((await old.get('/api/rest/customers?filter=phone==22')).body.content).toHaveLength(1)
  expect((await old.patch(`/api/rest/customers/${ann.pk}`, { phone: '11' })).status).toBe(200)
  expect((await old.delete(`/api/rest/customers/${bob.pk}`)).status).toBe(204)
  expect((await fresh.get('/api/rest/buyers')).body.content).toMatchObject([{ telephone: '11' }])
  for (const service of running.splice(0)) await service.stop()
  expect(await planOf(renamed, true)).toContain('customers: the former name of buyers, no longer used')
})
