// Rules by configuration: they win over the model's own, and a bad one stops the start.

import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { make, startLibrary } from '@plinth/test-kit/library'
import { library } from '@plinth/test-kit/library-module'
import { ConfigError, loadConfig, modules } from '@plinth/test-kit/platform'
import { describe, expect, test } from 'vitest'
import { readAccessOverrides } from '../../src/app/access-overrides.ts'
import { createRegistry } from '../../src/core/model/registry.ts'

const registry = createRegistry([...modules, library].flatMap(module => module.resources))

const faultsOf = (settings: Record<string, string>, env: Record<string, string> = {}): string => {
  try {
    readAccessOverrides(loadConfig({ env, cwd: '/nowhere', overrides: settings }), registry)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  test('an override takes the place of the rule, the more specific one first', async () => {
    const service = await startLibrary(database, {
      settings: {
        'app.access.shelves.read': 'caller.signedIn',
        'app.access.shelves.write': 'false',
        'app.access.shelves.create': "caller.username == 'simple'",
        'app.access.readers.read': "record.name != 'closed'",
      },
    })
    try {
      const [simple, staff, anonymous] = [service.as('simple'), service.as('staff'), service.as('anonymous')]
      expect((await anonymous.get('/api/rest/shelves')).status).toBe(401)
      const shelf = await make(simple, 'shelves', { name: 'mine' })
      expect((await staff.post('/api/rest/shelves', { name: 'theirs' })).status).toBe(403)
      expect((await simple.patch(`/api/rest/shelves/${shelf.pk}`, { name: 'other' })).status).toBe(403)
      expect((await service.as('admin').delete(`/api/rest/shelves/${shelf.pk}`)).status).toBe(403)
      expect((await anonymous.get('/api/rest/readers')).status).toBe(200)
    } finally {
      await service.stop()
    }
  })

  testAll('the API description says what is open to callers without credentials by the rules that hold', async () => {
    const service = await startLibrary(database, {
      settings: {
        'app.access.shelves.read': 'caller.signedIn',
        'app.access.readers.read': "caller.signedIn || record.name != 'closed'",
        'app.access.books.read': "record.title == 'caller'",
        'app.access.cards.read': 'false && true',
      },
    })
    try {
      const anonymous = service.as('anonymous')
      const { paths } = (await anonymous.get('/api/openapi.json')).body
      const says = (path: string) => paths[path].get.security?.some((one: object) => Object.keys(one).length === 0)
      for (const [name, isOpen] of [
        ['shelves', false],
        ['readers', true],
        ['books', true],
        ['cards', false],
      ] as const) {
        const path = `/api/rest/${name}`
        expect([name, says(path) ?? false, (await anonymous.get(path)).status]).toEqual([
          name,
          isOpen,
          isOpen ? 200 : 401,
        ])
      }
    } finally {
      await service.stop()
    }
  })

  testAll('a rule may look at the clock, which is the one of the service', async () => {
    let now = new Date('2030-01-01T00:00:00Z')
    const settings = { 'app.access.cards.read': 'record.validUntil > now || record.validUntil == null' }
    const service = await startLibrary(database, {
      clock: () => now,
      settings: { ...settings, 'app.access.books.read': 'record.acquired <= now' },
    })
    try {
      const staff = service.as('staff')
      const { pk } = await make(staff, 'books', { title: 'B', acquired: '2030-06-01T00:00:00Z' })
      expect((await service.as('simple').get(`/api/rest/books/${pk}`)).status).toBe(404)
      now = new Date('2030-06-01T00:00:01Z')
      expect((await service.as('simple').get(`/api/rest/books/${pk}`)).status).toBe(200)
    } finally {
      await service.stop()
    }
  })

  test('bad overrides stop the start, and all of them are named', async () => {
    const settings = {
      'app.access.shelves.read': 'record.colour == 1',
      'app.access.shelfs.read': 'true',
      'app.access.books.burn': 'true',
      'app.access.books.read': 'caller.signedIn &&',
    }
    const failure = await startLibrary(database, { settings }).catch(error => error)
    expect(failure).toBeInstanceOf(ConfigError)
    for (const name of Object.keys(settings)) expect(failure.message).toContain(name)
  })
})

test('names from the environment, which are in lower case, find their resource and operation', () => {
  const config = loadConfig({
    env: { APP_ACCESS_POSTALCODES_READ: 'true', app_access_Books_Write: 'false' },
    cwd: '/nowhere',
  })
  expect([...readAccessOverrides(config, registry)]).toEqual([
    ['postalCodes.read', 'true'],
    ['books.write', 'false'],
  ])
})

test.each([
  ['app.access.books.read', 'record.colour == 1', "books has no field 'colour'"],
  ['app.access.books.read', 'record.title', "'title' is not a boolean"],
  ['app.access.books.read', 'record.pages == "many"', "'pages' must be a whole number"],
  ['app.access.books.read', 'record.title == record.isbn', 'two fields cannot be compared'],
  ['app.access.books.read', 'caller.shoeSize == 1', "the caller has no property 'shoeSize'"],
  ['app.access.books.read', 'caller.constructor == 1', "the caller has no property 'constructor'"],
  ['app.access.books.read', 'caller.__proto__.x', 'this syntax is not supported'],
  ['app.access.books.read', 'record.constructor.name == 1', "books has no field 'constructor'"],
  ['app.access.books.read', 'title.matches("(a+)+$")', "the function 'matches' is not supported"],
  ['app.access.books.read', '[1].exists(x, x == 1)', "the function 'exists' is not supported"],
  ['app.access.books.read', 'record.authors', "name a field of 'authors'"],
  ['app.access.books.read', '(((', 'is not an expression'],
  ['app.access.books.read', '', 'must not be empty'],
  ['app.access.nothing.read', 'true', 'there is no such resource'],
  ['app.access.idempotencyKeys.read', 'true', 'there is no such resource'],
  ['app.access.books.reads', 'true', 'unknown operation; use one of'],
])('%s: %j is refused, since %s', (name, rule, why) => {
  const said = faultsOf({ [name]: rule })
  expect(said).toContain(name)
  expect(said).toContain(why)
})
