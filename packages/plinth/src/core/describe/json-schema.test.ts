import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../model/json.ts'
import { toInputSchema, toJsonSchema } from './json-schema.ts'
import { filmAsShown, films, registry, studios, viewOf } from './sample.fixture.ts'

const id = 'http://localhost:8080/api/rest/films/jsonschema'
const schema = toJsonSchema(viewOf(films), { id })
const properties = schema.properties as Record<string, JsonSchema>

const compile = (document: JsonSchema) => {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  addFormats.default(ajv)
  const validate = ajv.compile(document)
  return (value: unknown): string[] => {
    validate(value)
    return (validate.errors ?? []).map(error => `${error.instancePath} ${error.keyword}`)
  }
}
const faults = compile(schema)

test('a record as JSON shows it fits its schema', () => {
  expect(faults(filmAsShown)).toEqual([])
})

test.each([
  ['a required field that is null', { title: null }, '/title type'],
  ['a word that is no choice', { rating: 'X' }, '/rating enum'],
  ['a number out of range', { score: 6 }, '/score maximum'],
  ['a number for text', { title: 7 }, '/title type'],
  ['a text that breaks its pattern', { language: 'english' }, '/language pattern'],
  ['a day that does not exist', { released: '1979-02-31' }, '/released format'],
  ['a pk that is no UUID', { pk: 'alien' }, ['/pk pattern', '/pk format']],
  ['a related record without its pk', { studio: {} }, '/studio required'],
  ['a required relation that is empty', { studio: null }, '/studio type'],
  ['a list in place of a map', { metadata: ['A7'] }, '/metadata type'],
])('%s breaks the schema', (_, change, fault) => {
  expect(faults({ ...filmAsShown, ...change })).toEqual([fault].flat())
})

test.each(['description', 'audience', 'runtimeInSeconds', 'score', 'released', 'keywords', 'metadata', 'sequelOf'])(
  '%s may be null',
  field => {
    expect(faults({ ...filmAsShown, [field]: null })).toEqual([])
  },
)

test('fields stand in the order of the model, write-only ones and links at the end', () => {
  expect(Object.keys(properties)).toEqual([...Object.keys(filmAsShown).slice(0, -1), 'releaseKey', 'links'])
})

test('the schema names its draft, its address and its subject', () => {
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: 'Film',
    description: 'A title the store rents out.',
    required: ['title', 'inPrint', 'studio'],
  })
})

test.each([
  ['title', { title: 'Title', type: 'string', minLength: 1, maxLength: 200 }],
  ['description', { type: ['string', 'null'], description: 'A summary of the story.' }],
  ['runtimeInSeconds', { title: 'Runtime in seconds' }],
  ['rating', { type: 'string', default: 'unrated', enum: ['unrated', 'G', 'PG-13'] }],
  ['audience', { enum: ['children', 'adults', null] }],
  ['replacementCost', { type: 'number', default: 19.99, 'x-decimals': 2 }],
  ['lastSeen', { format: 'date-time', readOnly: true }],
  ['slug', { readOnly: true }],
  ['sequelCount', { type: 'integer', readOnly: true }],
  ['pk', { format: 'uuid', readOnly: true }],
  ['barcode', { 'x-unique': 'ignoreCase', 'x-fixed': true }],
  ['releaseKey', { writeOnly: true }],
  ['studio', { type: 'object', 'x-relation': { resource: 'studios', kind: 'one', label: 'name' } }],
  ['actors', { type: 'array', 'x-relation': { resource: 'actors', kind: 'links' } }],
])('%s is described by its field', (field, expected) => {
  expect(properties[field]).toMatchObject(expected)
})

test('relations that are not part of the record are listed apart', () => {
  expect(schema['x-relations']).toEqual({
    fans: { title: 'Fans', resource: 'actors', kind: 'links' },
    sequels: { title: 'Sequels', resource: 'films', kind: 'many', label: 'title', by: 'sequelOf' },
  })
})

test('a field that the caller may not read does not appear', () => {
  const text = JSON.stringify(toJsonSchema(viewOf(films, ['barcode', 'sequels']), { id }))
  expect(text).not.toContain('barcode')
  expect(text).not.toContain('"sequels"')
})

test('identifiers are described by where they come from', () => {
  const pkOf = (name: string) =>
    (toJsonSchema(viewOf(registry.resource(name)), { id }).properties as Record<string, JsonSchema>).pk
  expect(pkOf('studios')).toMatchObject({ pattern: '^[A-Z]{2}$', maxLength: 2 })
  expect(pkOf('studios')).not.toHaveProperty('readOnly')
  expect(pkOf('studioDetails')).toMatchObject({ pattern: '^[A-Z]{2}$', readOnly: true })
  expect(pkOf('errorLogs')).toMatchObject({ pattern: '^[0-9a-f]{64}$', readOnly: true })
})

const newFilm = { title: 'Alien', inPrint: true, releaseKey: '12345678', studio: 'FX' }

test.each([
  ['create', newFilm, []],
  ['create', { ...newFilm, studio: { pk: 'FX', name: 'Fox' }, actors: ['a', { id: 'b' }], sequelOf: null }, []],
  ['create', {}, [' required', ' required', ' required', ' required']],
  ['replace', { title: 'Alien', inPrint: true, version: 3 }, []],
  ['replace', { title: 'Alien' }, [' required']],
  ['patch', {}, []],
  ['patch', { title: null, studio: null }, []],
  ['patch', { title: '' }, ['/title minLength']],
] as const)('a body to %s a film: %j has the faults %j', (mode, body, expected) => {
  expect(compile(toInputSchema(films, { mode, language: 'en' }))(body)).toEqual(expected)
})

test('bodies offer only what callers may write', () => {
  const offered = (mode: 'create' | 'patch') =>
    Object.keys(toInputSchema(films, { mode, language: 'en' }).properties as JsonSchema)
  for (const field of ['lastSeen', 'slug', 'sequelCount', 'sequels', 'createdDate']) {
    expect(offered('create')).not.toContain(field)
  }
  expect(offered('create')).toContain('barcode')
  expect(offered('create')).toContain('fans')
  expect(offered('patch')).not.toContain('barcode')
})

test('an assigned identifier must be given at creation', () => {
  expect(toInputSchema(studios, { mode: 'create', language: 'en' }).required).toEqual(['pk', 'name'])
  expect(toInputSchema(studios, { mode: 'replace', language: 'en' }).required).toEqual(['name'])
})
