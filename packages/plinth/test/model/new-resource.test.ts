// The promise of the platform: a resource is one declaration and one name in a list.

import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { ref, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { bodyIn, type FormatName, formats, itemIn, pageIn } from '../rest/format-readers.ts'

const bookmarks = defineResource('bookmarks', {
  about: 'Pages worth finding again.',
  label: 'title',
  fields: {
    title: text({ required: true, max: 200 }),
    address: text({ required: true, max: 2000, format: 'uri' }),
    country: ref('countries'),
  },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

const reading = defineModule({ name: 'reading', about: 'Reading lists.', resources: [bookmarks] })

describe.each(featureDatabases(import.meta.url))(
  'on %s, a new resource is one declaration and one name in a list',
  database => {
    let service: TestService
    beforeAll(async () => {
      service = await startService(database, { modules: [...modules, reading] })
    })
    afterAll(() => service.stop())

    test.each(['json', 'hal', 'json-api'] as const)('it is written in %s and read in every format', async sent => {
      const staff = service.as('staff')
      const resource = service.app.platform.registry.resource('bookmarks')
      const { type, body } = bodyIn(sent, resource, { title: `A <${sent}> & "page"`, address: 'a:b', country: 'GR' })
      const made = await staff.post('/api/rest/bookmarks', body, { 'Content-Type': type, Accept: formats[sent] })
      expect([made.status, made.headers.get('content-type')]).toEqual([201, formats[sent]])
      const { pk } = itemIn(sent, made.text)
      for (const format of Object.keys(formats) as FormatName[]) {
        const headers = { Accept: formats[format] }
        const item = itemIn(format, (await staff.get(`/api/rest/bookmarks/${pk}`, headers)).text)
        expect([item.pk, item.fields.title]).toEqual([pk, `A <${sent}> & "page"`])
        const filter = encodeURIComponent(`country.name==Greece;title=='*<${sent}>*'`)
        const found = await staff.get(`/api/rest/bookmarks?filter=${filter}`, headers)
        expect(pageIn(format, found.text, resource).items.map(one => one.pk)).toEqual([pk])
      }
      expect((await staff.get(`/api/rest/bookmarks/${pk}/country`)).body.name).toBe('Greece')
      expect((await staff.patch(`/api/rest/bookmarks/${pk}`, { title: 'B' })).body.title).toBe('B')
      expect((await staff.put(`/api/rest/bookmarks/${pk}`, { title: 'C', address: 'c:d' })).body.title).toBe('C')
      expect((await service.as('simple').delete(`/api/rest/bookmarks/${pk}`)).status).toBe(403)
      expect((await staff.delete(`/api/rest/bookmarks/${pk}`)).status).toBe(204)
    })

    test('it keeps its rules, describes itself and stands in the OpenAPI document', async () => {
      expect((await service.as('anonymous').get('/api/rest/bookmarks')).status).toBe(401)
      expect((await service.as('simple').post('/api/rest/bookmarks', {})).status).toBe(403)
      const schema = (await service.as('simple').get('/api/rest/bookmarks/jsonschema')).body
      expect(schema.required).toEqual(expect.arrayContaining(['title', 'address']))
      const ui = (await service.as('simple').get('/api/rest/bookmarks/uischema')).body
      expect(ui.fields).toHaveProperty('address')
      const { paths } = service.app.openapi() as { paths: object }
      expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/rest/bookmarks', '/api/rest/bookmarks/{pk}']))
    })
  },
)
