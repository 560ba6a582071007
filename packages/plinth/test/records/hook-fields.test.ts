// Hooks of updates that say which fields they are about run where one of these changes, and nowhere else.

import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { defineModule, defineResource, extendResource, text } from 'plinth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const calls: string[] = []

const parcels = defineResource('parcels', {
  about: 'What is sent.',
  fields: {
    name: text({ required: true }),
    note: text(),
    state: text(),
    seal: text({ serverOwned: true }),
  },
  hooks: {
    fields: ['state'],
    beforeCreate: () => {
      calls.push('beforeCreate')
    },
    beforeUpdate: ({ values }) => {
      calls.push('beforeUpdate')
      values.seal = `sealed as ${values.state}`
    },
    afterUpdate: ({ record }) => {
      calls.push(`afterUpdate ${record.seal}`)
    },
    afterDelete: () => {
      calls.push('afterDelete')
    },
  },
  access: { read: 'true', write: "caller.has('ROLE_STAFF')" },
})

const sealed = extendResource(parcels, {
  hooks: {
    fields: ['seal'],
    beforeUpdate: ({ values }) => {
      calls.push(`extension ${values.seal}`)
    },
  },
})

const post = defineModule({ name: 'post', about: 'Parcels.', resources: [parcels], extensions: [sealed] })

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let path: string
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, post] })
    staff = service.as('staff')
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    const made = await staff.post('/api/rest/parcels', { name: 'A book', state: 'packed' })
    expect(made.status).toBe(201)
    path = `/api/rest/parcels/${made.body.pk}`
    calls.length = 0
  })

  test('an update of other fields runs none of them', async () => {
    const patched = await staff.patch(path, { note: 'Fragile' })
    expect([patched.status, patched.body.note, patched.body.seal]).toEqual([200, 'Fragile', null])
    expect(calls).toEqual([])
  })

  test('a change of the field runs them, and those that are about what they change', async () => {
    const patched = await staff.patch(path, { note: 'Fragile', state: 'sent' })
    expect([patched.status, patched.body.seal]).toEqual([200, 'sealed as sent'])
    expect(calls).toEqual(['beforeUpdate', 'extension sealed as sent', 'afterUpdate sealed as sent'])
  })

  test('a field that is sent with the value that it has does not change', async () => {
    expect((await staff.patch(path, { note: 'Fragile', state: 'packed' })).status).toBe(200)
    expect(calls).toEqual([])
  })

  test('code that writes runs them alike', async () => {
    const pk = path.slice(path.lastIndexOf('/') + 1)
    await service.records.update(parcels, pk, { note: 'Heavy' })
    expect(calls).toEqual([])
    await service.records.update(parcels, pk, { state: 'lost' })
    expect(calls).toEqual(['beforeUpdate', 'extension sealed as lost', 'afterUpdate sealed as lost'])
  })

  test('hooks of new and deleted records run always', async () => {
    expect((await staff.post('/api/rest/parcels', { name: 'A bell' })).status).toBe(201)
    expect((await staff.delete(path)).status).toBe(204)
    expect(calls).toEqual(['beforeCreate', 'afterDelete'])
  })
})

test('a field that does not exist is reported at the start', async () => {
  const misspelt = defineResource('letters', {
    about: 'What is written.',
    fields: { state: text() },
    // @ts-expect-error: no such field
    hooks: { fields: ['stat'], beforeUpdate: () => {} },
    access: {},
  })
  const module = defineModule({ name: 'post', about: 'Letters.', resources: [misspelt] })
  const [database = 'sqlite'] = featureDatabases(import.meta.url)
  await expect(startService(database, { modules: [...modules, module] })).rejects.toThrow(
    "unknown field 'stat'; did you mean 'state'?",
  )
})
