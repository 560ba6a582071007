import { expect, test } from 'vitest'
import { anonymous } from '../model/caller.ts'
import { films, registry, studios, viewOf } from './sample.fixture.ts'
import { toUiSchema } from './ui-schema.ts'

interface Shape {
  readonly fields: Record<string, Record<string, unknown>>
  readonly useCases: Record<string, { readonly field: string; readonly [flag: string]: unknown }[]>
  readonly [field: string]: unknown
}
const asShape = (schema: object) => schema as Shape

const schema = asShape(toUiSchema(viewOf(films)))
const namesIn = (useCase: string, shape = schema) => shape.useCases[useCase]?.map(({ field }) => field)

test('a schema says where its records live and how to name them', () => {
  expect(schema).toMatchObject({ pathFragment: 'films', title: 'Films', label: 'title', defaultSort: 'title' })
  expect(schema).not.toHaveProperty('superPathFragment')
})

test('a resource with a parent names where the parents live', () => {
  expect(toUiSchema(viewOf(studios))).toMatchObject({ pathFragment: 'studios', superPathFragment: 'studios' })
  expect(toUiSchema(viewOf(studios, ['parent']))).not.toHaveProperty('superPathFragment')
})

test('records without a label that is kept in order are sorted by pk', () => {
  expect(toUiSchema(viewOf(registry.resource('actors')))).toMatchObject({ label: null, defaultSort: 'pk' })
})

test.each([
  ['title', { fieldType: 'text', label: 'Title', widget: 'text', required: true, readOnly: false, maxLength: 200 }],
  ['description', { widget: 'textarea', help: 'A summary of the story.', nullable: true }],
  ['rating', { fieldType: 'choice', widget: 'select', options: ['unrated', 'G', 'PG-13'], default: 'unrated' }],
  ['runtimeInSeconds', { fieldType: 'integer', widget: 'number', min: 1, max: 100_000 }],
  ['replacementCost', { fieldType: 'money', widget: 'money', decimals: 2, default: 19.99 }],
  ['site', { format: 'uri' }],
  ['slug', { readOnly: true, searchable: true }],
  ['metadata', { widget: 'map', searchable: false, sortable: false }],
  ['releaseKey', { widget: 'password', writeOnly: true, searchable: false, required: true }],
  ['barcode', { unique: true, fixed: true }],
  ['studio', { fieldType: 'toOne', widget: 'lookup', relation: { resource: 'studios', kind: 'one', label: 'name' } }],
  ['actors', { fieldType: 'toMany', widget: 'lookups', relation: { resource: 'actors', kind: 'links' } }],
  ['sequels', { fieldType: 'toMany', widget: 'related', relation: { resource: 'films', kind: 'many' } }],
  ['sequelCount', { fieldType: 'integer', readOnly: true, sortable: true }],
])('the field %s is ready to be drawn', (name, expected) => {
  expect(schema.fields[name]).toMatchObject(expected)
})

test('a list begins with the label and leaves out what is bulky or kept by the platform', () => {
  const columns = namesIn('list')
  expect(columns?.[0]).toBe('title')
  expect(columns).toEqual(expect.arrayContaining(['rating', 'studio', 'sequelCount', 'actors']))
  for (const name of ['pk', 'description', 'metadata', 'keywords', 'version', 'createdDate', 'sequels', 'releaseKey']) {
    expect(columns).not.toContain(name)
  }
  expect(namesIn('list', asShape(toUiSchema(viewOf(studios))))).toEqual(['name', 'pk', 'parent'])
})

test('forms hold what may be written, and say what must be', () => {
  expect(schema.useCases.create).toContainEqual({ field: 'releaseKey', required: true })
  expect(schema.useCases.create).toContainEqual({ field: 'rating', required: false })
  expect(schema.useCases.update).toContainEqual({ field: 'releaseKey', required: false, readOnly: false })
  expect(schema.useCases.update).toContainEqual({ field: 'barcode', required: false, readOnly: true })
  for (const name of ['pk', 'slug', 'sequelCount', 'lastSeen', 'version', 'sequels']) {
    expect(namesIn('create')).not.toContain(name)
  }
  expect(asShape(toUiSchema(viewOf(studios))).useCases.create?.[0]).toEqual({ field: 'pk', required: true })
})

test('searches and relations are listed with what they can do', () => {
  expect(schema.useCases.search).toContainEqual({ field: 'title', wildcards: true })
  expect(schema.useCases.search).toContainEqual({ field: 'studio', wildcards: false })
  expect(namesIn('search')).not.toContain('metadata')
  expect(namesIn('relations')).toEqual(['actors', 'fans', 'sequels'])
})

test('the rights of the caller decide what is offered', () => {
  const limited = asShape(
    toUiSchema(viewOf(films, ['barcode']), {
      may: operation => operation === 'patch',
      mayWrite: field => field.name !== 'rating',
      caller: anonymous,
      mayRestore: false,
      mayReadHistory: false,
    }),
  )
  expect(limited.rights).toEqual({
    create: false,
    replace: false,
    patch: true,
    delete: false,
    restore: false,
    trash: false,
    history: false,
  })
  expect(limited.fields.rating).toMatchObject({ readOnly: true })
  expect(namesIn('update', limited)).toContain('title')
  expect(namesIn('update', limited)).not.toContain('rating')
  expect(JSON.stringify(limited)).not.toContain('barcode')
})
