// Titles and descriptions in the language that the caller prefers.

import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRegistry } from '../../src/core/model/registry.ts'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite')
})
afterAll(() => service?.stop())

const read = (path: string, language?: string, headers = {}) =>
  service.as('admin').get(path, { ...(language && { 'Accept-Language': language }), ...headers })

test.each([
  ['/api/rest/countries/uischema', ['title'], ['Countries', 'Länder']],
  ['/api/rest/countries/uischema', ['fields', 'parent', 'label'], ['Continent', 'Kontinent']],
  ['/api/rest/countries/uischema', ['fields', 'createdDate', 'label'], ['Created', 'Angelegt am']],
  ['/api/rest/mails/uischema', ['fields', 'state', 'optionLabels', 'sent'], [undefined, 'gesendet']],
  ['/api/rest/countries/jsonschema', ['title'], ['Country', 'Land']],
  [
    '/api/rest/countries/jsonschema',
    ['properties', 'languages', 'description'],
    ['ISO 639 codes.', 'Sprachcodes nach ISO 639.'],
  ],
  [
    '/api/rest/contactDetails/jsonschema',
    ['properties', 'primaryAddress', 'properties', 'addressLine1', 'title'],
    ['Address line 1', 'Anschrift'],
  ],
  [
    '/api/openapi.json',
    ['components', 'schemas', 'CountryMembers', 'properties', 'capital', 'title'],
    ['Capital', 'Hauptstadt'],
  ],
])('%s has %j in English and in German', async (path, place, texts) => {
  const at = (document: object) => place.reduce<unknown>((part, name) => Object(part)[name], document)
  const answers = [await read(path), await read(path, 'de-AT, de;q=0.8, en;q=0.5')]
  expect(answers.map(({ body }) => at(body))).toEqual(texts)
  expect(answers.map(({ headers }) => headers.get('content-language'))).toEqual(['en', 'de'])
  for (const { headers } of answers) expect(headers.get('vary')).toContain('Accept-Language')
  const [english, german] = answers.map(({ headers }) => headers.get('etag'))
  expect(english).not.toBe(german)
  expect((await read(path, 'de', { 'If-None-Match': german })).status).toBe(304)
  expect((await read(path, 'en', { 'If-None-Match': german })).status).toBe(200)
})

test('the entry point and the list of modules are in the language of the caller', async () => {
  const entry = (await read('/api/rest', 'de')).body.find(({ name }: { name: string }) => name === 'countries')
  expect(entry).toMatchObject({ title: 'Länder', module: 'geography', moduleTitle: 'Geografie' })
  const modules = await read('/api/modules', 'de')
  expect(modules.body[0]).toMatchObject({ name: 'audit', about: 'Das Audit-Log für Administratoren.' })
  expect([modules.headers.get('content-language'), modules.headers.get('vary')]).toEqual([
    'de',
    expect.stringContaining('Accept-Language'),
  ])
})

test('a page of another origin also gets an answer that varies with the language', async () => {
  const { headers } = await read('/api/rest/countries/uischema', 'de', { Origin: 'https://elsewhere.example' })
  expect(headers.get('vary')).toContain('Accept-Language')
})

test.each([
  ['fr, de;q=0.5', 'de'],
  ['fr', 'en'],
  ['*', 'en'],
  ['de;q=0, en', 'en'],
  ['DE-ch', 'de'],
  ['den', 'en'],
  [`${'x,'.repeat(5000)}de`, 'en'],
  [';;,q=', 'en'],
])('%.20s is answered in %s', async (accepted, language) => {
  expect((await read('/api/rest/countries/uischema', accepted)).headers.get('content-language')).toBe(language)
})

test('every resource and field that callers see has a German title, and German for each description', () => {
  const env = { APP_MODULES: 'rental,membership' }
  const modules = modulesFor(loadConfig({ env, cwd: import.meta.dirname }))
  const { resources } = createRegistry(modules.flatMap(module => module.resources))
  const isGerman = (text: unknown) => typeof text === 'object' && text !== null && 'de' in text
  const english = resources
    .filter(({ definition }) => !definition.internal)
    .flatMap(({ name, definition, fields }) => [
      ...(['title', 'singularTitle', 'about'] as const)
        .filter(part => !isGerman(definition[part]))
        .map(part => `${name} ${part}`),
      ...[...fields.values()].flatMap(({ name: field, definition: { options } }) => [
        ...(isGerman(options.title) ? [] : [`${name}.${field}`]),
        ...(options.about === undefined || isGerman(options.about) ? [] : [`${name}.${field} about`]),
      ]),
    ])
  expect(english).toEqual([])
})
