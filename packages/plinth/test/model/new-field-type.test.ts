// The promise of the platform: on the server, a field type is one record. `packages/web/test/new-field-type.all.test.ts` adds its widget.

import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fault } from '../../src/core/fault.ts'
import { defineResource } from '../../src/core/model/define.ts'
import type { Exactly, FieldOptions } from '../../src/core/model/field-options.ts'
import { fieldOptions, value } from '../../src/core/model/fields/value.ts'
import { text } from '../../src/core/model/fields.ts'
import { ValueFault } from '../../src/core/model/value-fault.ts'
import { defineModule } from '../../src/core/module.ts'

const readKeyword = (input: unknown): string => {
  if (typeof input !== 'string' || !/^\w{1,20}$/.test(input)) throw new ValueFault(fault('text'))
  return input.toLowerCase()
}

/** The record: a set of words, which no other type of the service is like. */
const keywords = <const O extends FieldOptions<readonly string[]>>(options?: Exactly<O, FieldOptions>) =>
  value<readonly string[], O>(
    {
      name: 'keywords',
      column: 'json',
      schema: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      widget: 'tags',
      read: input => {
        if (!Array.isArray(input)) throw new ValueFault(fault('list_of_text'))
        return [...new Set(input.map(readKeyword))].sort()
      },
      readText: written => [readKeyword(written)],
      show: stored => stored.map(word => `#${word}`),
      wildcards: false,
      searchesEntries: true,
      isBulky: true,
    },
    options ?? {},
    fieldOptions,
  )

const pictures = defineResource('pictures', {
  about: 'Pictures and what they show.',
  fields: { name: text({ required: true }), shows: keywords() },
  access: { read: 'true', write: 'caller.signedIn' },
})

const gallery = defineModule({ name: 'gallery', about: 'Pictures.', resources: [pictures] })

describe.each(featureDatabases(import.meta.url))('on %s, a new field type is one record', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, gallery] })
  })
  afterAll(() => service.stop())

  test('it reads, stores, shows, searches and describes itself', async () => {
    const staff = service.as('staff')
    const made = await staff.post('/api/rest/pictures', { name: 'Bay', shows: ['Sea', 'boat', 'sea'] })
    expect([made.status, made.body.shows]).toEqual([201, ['#boat', '#sea']])
    await staff.post('/api/rest/pictures', { name: 'Hut', shows: ['snow'] })

    const refused = await staff.post('/api/rest/pictures', { name: 'Fog', shows: 'fog' })
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([400, '/shows'])

    for (const filter of ['shows==SEA', 'shows=in=(boat,tree)']) {
      const found = await staff.get(`/api/rest/pictures?filter=${encodeURIComponent(filter)}`)
      expect(found.body.content?.map((one: { name: string }) => one.name)).toEqual(['Bay'])
    }
    const xml = await staff.get(`/api/rest/pictures/${made.body.pk}`, { Accept: 'application/xml' })
    expect(xml.text).toContain('<shows>#boat</shows><shows>#sea</shows>')

    const schema = (await staff.get('/api/rest/pictures/jsonschema')).body
    expect(schema.properties.shows).toMatchObject({ items: { type: 'string' }, uniqueItems: true })
    const ui = (await staff.get('/api/rest/pictures/uischema')).body
    expect(ui.fields.shows).toMatchObject({ fieldType: 'keywords', widget: 'tags', searchable: true, sortable: false })
  })
})
