// What an application changes in standard modules: fields, rules and hooks of their resources, and modules that it does without.

import { defineApp, defineModule, extendResource, integer, text, users } from 'plinth'
import { version } from 'plinth/module'
import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modulesFor } from '../../src/app/define-app.ts'
import { loadConfig } from '../../src/config.ts'
import { withAdditions } from '../../src/core/model/extend.ts'

const customers = extendResource(users, {
  fields: { loyaltyCard: text({ max: 20, unique: true }), points: integer({ default: 0, min: 0 }) },
  access: { read: "record.pk == caller.pk || caller.has('ROLE_STAFF', 'ROLE_ADMIN')" },
  hooks: {
    beforeUpdate: ({ values }) => {
      if (values.loyaltyCard) values.points = 100
    },
  },
})

const loyalty = defineModule({ name: 'loyalty', about: 'Loyalty cards.', resources: [], extensions: [customers] })

describe('an application with extended users, without friends, geography and hosts', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startPlinth({
      app: defineApp({
        name: 'Shop',
        version: '3.4.5',
        modules: [loyalty],
        without: ['friends', 'geography', 'hosts'],
      }),
    })
  })
  afterAll(() => service.stop())

  const json = { Accept: 'application/json' }

  test('added fields are stored, checked and described', async () => {
    const admin = service.as('admin')
    const { body } = await admin.get('/api/rest/users?username=client', json)
    const { pk } = body.content[0]
    expect(body.content[0].points).toBe(0)
    expect((await admin.patch(`/api/rest/users/${pk}`, { points: -1 }, json)).status).toBe(400)
    const changed = await admin.patch(`/api/rest/users/${pk}`, { loyaltyCard: 'L-1' }, json)
    expect(changed.body).toMatchObject({ loyaltyCard: 'L-1', points: 100 })
    // Typed: the row has the added fields.
    const row = await service.records.get(customers, pk)
    expect(row.loyaltyCard?.length).toBe(3)
    expect((await service.records.get(users, pk)).username).toBe('client')
  })

  test('a replaced rule decides, and the hooks of the module still run', async () => {
    const seen = await service.as('client').get('/api/rest/users', json)
    expect(seen.body.content.map(({ username }: { username: string }) => username)).toEqual(['client'])
    const admin = service.as('admin')
    const taken = await admin.post('/api/rest/users', { username: 'Client', email: 'x@example.com' }, json)
    expect(taken.status).toBe(409)
  })

  test('modules that are left out have no resources, and no relations lead to them', async () => {
    const admin = service.as('admin')
    expect((await admin.get('/api/rest/friendships')).status).toBe(404)
    expect((await admin.get('/api/rest/countries')).status).toBe(404)
    const schema = await admin.get('/api/rest/users/jsonschema', json)
    expect(schema.text).toContain('loyaltyCard')
    expect(schema.text).not.toContain('friendships')
    expect((await admin.get('/api/rest/hosts')).status).toBe(404)
    const origin = { Origin: 'https://elsewhere.example' }
    expect((await admin.get('/api/rest/roles', origin)).headers.get('access-control-allow-origin')).toBeNull()
  })

  test('the API description and the build information have the version of the application, by default that of Plinth', async () => {
    expect((await service.anonymous.get('/api/openapi.json')).body.info).toMatchObject({
      title: 'Shop',
      version: '3.4.5',
    })
    expect((await service.anonymous.get('/api/management/info')).body.app.version).toBe('3.4.5')
    expect(defineApp({ name: 'Shop' }).version).toBe(version)
  })

  test('without geography a postal code is a text', async () => {
    const { pk } = (await service.as('client').get('/api/auth/userDetails', json)).body
    const path = `/api/rest/contactDetails/${pk}`
    const address = { addressLine1: '1 Main Street', postCode: '10115' }
    const changed = await service.as('client').patch(path, { primaryAddress: address }, json)
    expect(changed).toHaveStatus(200)
    expect(changed.body.primaryAddress).toMatchObject({ postCode: '10115', value: '1 Main Street, 10115' })
  })
})

test.each([
  [{ write: 'W' }, { read: 'r', write: 'W' }],
  [
    { write: 'W', delete: 'D' },
    { read: 'r', write: 'W', delete: 'D' },
  ],
  [{ update: 'U' }, { read: 'r', create: 'c', update: 'U', delete: 'd' }],
  [{ patch: 'P' }, { read: 'r', create: 'c', replace: 'p', patch: 'P', delete: 'd' }],
])('the rules %o replace those that they include', (access, merged) => {
  const base = { ...users, access: { read: 'r', create: 'c', replace: 'p', patch: 'p', delete: 'd' } }
  const extension = extendResource(users, { access })
  expect(withAdditions(base, { module: 'shop', extension }).access).toEqual(merged)
})

test('a standard module loses its references to one that is left out', () => {
  const app = defineApp({ name: 'Shop', without: ['geography'] })
  const modules = modulesFor(app, loadConfig(app, { env: {}, cwd: import.meta.dirname }))
  const hosts = modules.flatMap(({ resources }) => resources).find(({ name }) => name === 'hosts')
  expect(Object.keys(hosts?.fields ?? {})).toEqual(['name', 'description', 'aliases'])
})

test('mistakes in extensions stop the start, all of them together', async () => {
  const wrong = defineModule({
    name: 'wrong',
    about: 'Mistakes.',
    resources: [],
    extensions: [
      // Code in JavaScript has no compiler that finds the required field and the misspelt name.
      extendResource(users, {
        fields: { username: text(), card: text(Object.assign({ max: 20 }, { required: true })) },
      }),
      extendResource(users, Object.assign({ fields: { points: integer() } }, { acces: {} })),
    ],
  })
  await expect(startPlinth({ modules: [loyalty, wrong] })).rejects.toThrow(
    new RegExp(
      [
        'users\\.username.*cannot replace a field',
        'users\\.card.*must be optional or have a default',
        "users.*unknown option 'acces'; did you mean 'access'\\?",
        'users\\.points.*several extensions add this field; rename all but one',
      ].join('[\\s\\S]*'),
    ),
  )
})

test('only standard modules that no other needs can be left out', () => {
  const without =
    (...names: string[]) =>
    () =>
      Reflect.apply(defineApp, null, [{ name: 'Shop', without: names }])
  expect(without('freinds', 'users')).toThrow(
    /'freinds' in `without` is not an optional standard module; did you mean 'friends'\?[\s\S]*'users' in `without`/,
  )
  expect(without('friends', 'geography', 'hosts')).not.toThrow()
})
