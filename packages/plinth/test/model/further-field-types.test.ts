// Addresses, durations, points and JSON with a shape: what is accepted, stored, shown, searched and refused.

import { featureDatabases, featureTest } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { duration, email, geo, integer, json as jsonField, phone, text, url } from '../../src/core/model/fields.ts'
import type { Row } from '../../src/core/model/row.ts'
import type { ResourceSchema } from '../../src/core/model/schema-of.ts'
import { defineModule } from '../../src/core/module.ts'
import { access, at, faultOf } from './definition-faults.ts'

const workshops = defineResource('workshops', {
  about: 'Workshops.',
  label: 'name',
  history: true,
  fields: {
    name: text({ required: true }),
    mail: email({ unique: 'ignoreCase' }),
    telephone: phone(),
    site: url(),
    work: duration({ max: 'PT1000H', default: 'PT30M', indexed: true }),
    shift: duration({ min: '-PT2H' }),
    place: geo(),
    extras: jsonField({ maxLength: 60 }),
    opening: jsonField({ shape: { from: text({ required: true, max: 5 }), seats: integer({ min: 0 }) } }),
  },
  access,
})

const json = { Accept: 'application/json' }
const path = '/api/rest/workshops'

/** Sent and, where it differs, given back. */
const good: readonly [string, unknown, unknown?][] = [
  ['mail', 'Ann@Example.org'],
  ['mail', 'josé@exämple.de'],
  ['telephone', '+49 (40) 123-456'],
  ['telephone', ' 0123 456 ', '0123 456'],
  ['site', 'https://example.org/a?b=c#d'],
  ['site', 'http://localhost:8080'],
  ['work', 'PT2H26M'],
  ['work', 'P1DT2H', 'PT26H'],
  ['work', 'P1W', 'PT168H'],
  ['work', 'PT90S', 'PT1M30S'],
  ['work', 'PT0.5S'],
  ['work', 'PT0S'],
  ['shift', '-PT1H'],
  ['place', { lat: 47.3769, lng: 8.5417 }],
  ['place', { lat: -90, lng: 180, alt: 3 }, { lat: -90, lng: 180 }],
  ['place', '47.3769, -8.5417', { lat: 47.3769, lng: -8.5417 }],
  ['place', { lat: 0.123456789, lng: 1 }, { lat: 0.1234568, lng: 1 }],
  ['extras', { a: [1, null, 'x'] }],
  ['extras', 7],
  ['opening', { from: '08:00', seats: 4 }],
  ['opening', { from: '08:00', more: 1 }, { from: '08:00', seats: null }],
]

const bad: readonly [string, unknown, string, string?][] = [
  ['mail', 'not an e-mail', 'email'],
  ['mail', 'a@', 'email'],
  ['telephone', 'call me', 'telephone'],
  ['telephone', '12', 'telephone'],
  ['site', 'example.org', 'url'],
  ['site', '/path', 'url'],
  ['site', 'javascript:alert(1)', 'url'],
  ['site', 'https://', 'url'],
  ['work', '2 h', 'duration'],
  ['work', 'P', 'duration'],
  ['work', 'PT', 'duration'],
  ['work', 'P1M', 'duration'],
  ['work', 'P1Y', 'duration'],
  ['work', 7200, 'duration'],
  ['work', '-PT1S', 'min_duration'],
  ['work', 'PT1001H', 'max_duration'],
  ['work', 'PT99999999999999999999H', 'too_large'],
  ['shift', '-PT3H', 'min_duration'],
  ['place', { lat: 91, lng: 0 }, 'geo_point'],
  ['place', { lat: 1 }, 'geo_point'],
  ['place', [1, 2], 'geo_point'],
  ['place', '47,3769, 8,5417', 'geo_point'],
  ['extras', 'x'.repeat(60), 'max_json_length'],
  ['opening', { seats: 4 }, 'required', '/opening/from'],
  ['opening', { from: '08:00', seats: -1 }, 'min', '/opening/seats'],
  ['opening', [], 'parts'],
]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    const module = defineModule({ name: 'crafts', about: 'Crafts.', resources: [workshops] })
    service = await startService(database, { modules: [...modules, module] })
    staff = service.as('staff')
  })
  afterAll(() => service?.stop())

  test('values are stored and given back', async () => {
    const { pk } = (await staff.post(path, { name: 'W' }, json)).body
    for (const [field, sent, output = sent] of good) {
      const { status } = await staff.patch(`${path}/${pk}`, { [field]: sent }, json)
      expect([field, sent, status < 300]).toEqual([field, sent, true])
      expect((await staff.get(`${path}/${pk}`, json)).body[field]).toEqual(output)
    }
  })

  featureTest(import.meta.url, database)('other values are refused with a code', async () => {
    for (const [field, sent, code, pointer = `/${field}`] of bad) {
      const refused = await staff.post(path, { name: 'W', [field]: sent }, json)
      expect([sent, refused.status, refused.body.errors?.map((one: { code: string }) => one.code)]).toEqual([
        sent,
        400,
        [code],
      ])
      expect(refused.body.errors[0].pointer).toBe(pointer)
    }
  })

  test('an address is unique in any case, and durations are compared and sorted', async () => {
    expect((await staff.post(path, { name: 'E', mail: 'One@example.org' }, json)).status).toBe(201)
    const twice = await staff.post(path, { name: 'E', mail: 'one@EXAMPLE.org' }, json)
    expect(twice.body.errors?.[0]?.code ?? twice.body.code).toBe('taken')
    for (const work of ['PT10H', 'PT9H', 'PT90M', 'PT26H']) await staff.post(path, { name: 'D', work }, json)
    const found = await staff.get(`${path}?filter=name==D;work=gt=PT1H30M;work=le=P1D&sort=-work`, json)
    expect(found.body.content.map(({ work }: { work: string }) => work)).toEqual(['PT10H', 'PT9H'])
    expect((await staff.get(`${path}?filter=work=gt=soon`, json)).status).toBe(400)
    expect((await staff.get(`${path}?filter=place==x`, json)).status).toBe(400)
    expect((await staff.get(`${path}?filter=mail==*@EXAMPLE.ORG`, json)).body.content).toHaveLength(0)
    expect((await staff.get(`${path}?filter=mail=ilike=*@EXAMPLE.ORG`, json)).body.content).not.toHaveLength(0)
  })

  test('code works with milliseconds, and with the default', async () => {
    const { records } = service.app.platform
    const made = await records.create(workshops, { name: 'C', shift: 90_000 })
    expect([made.work, made.shift]).toEqual([1_800_000, 90_000])
    expect(await records.count(workshops, { where: { name: 'C', work: { lt: 3_600_000 } } })).toBe(1)
    await expect(records.create(workshops, { name: 'C', work: 1.5 })).rejects.toThrow('whole number of milliseconds')
    expect((await staff.get(`${path}/${made.pk}`, json)).body).toMatchObject({ work: 'PT30M', shift: 'PT1M30S' })
  })

  featureTest(import.meta.url, database)('files hold the values, and take them back', async () => {
    const values = {
      name: 'File',
      mail: 'file@example.org',
      telephone: '+49 40 1',
      site: 'https://example.org/',
      work: 'PT2H26M',
      place: { lat: 1.5, lng: -2.5 },
      opening: { from: '08:00', seats: 2 },
    }
    await staff.post(path, values, json)
    const fields = Object.keys(values).join(',')
    const csv = await staff.get(`${path}?filter=name==File&fields=${fields}`, { Accept: 'text/csv' })
    const body = csv.text.replace('file@example.org', 'copy@example.org').replace('File', 'Copy')
    const imported = await service.as('admin')('/api/import/workshops', {
      method: 'POST',
      body,
      headers: { ...json, 'Content-Type': 'text/csv' },
    })
    expect([imported.status, imported.text]).toEqual([200, expect.any(String)])
    const [copy] = (await staff.get(`${path}?filter=name==Copy`, json)).body.content
    expect(copy).toMatchObject({ ...values, name: 'Copy', mail: 'copy@example.org' })
  })

  featureTest(import.meta.url, database)('the formats show the values, and the history has them', async () => {
    const { pk } = (await staff.post(path, { name: 'F', work: 'PT1H', place: { lat: 1, lng: 2 } }, json)).body
    await staff.patch(`${path}/${pk}`, { work: 'PT2H' }, json)
    const xml = (await staff.get(`${path}/${pk}`, { Accept: 'application/xml' })).text
    expect(xml).toContain('PT2H')
    expect(xml).toContain('<entry name="lat">1</entry><entry name="lng">2</entry>')
    const document = await staff.get(`${path}/${pk}`, { Accept: 'application/vnd.api+json' })
    expect(document.body.data.attributes).toMatchObject({ work: 'PT2H', place: { lat: 1, lng: 2 } })
    const { content } = (await service.as('admin').get(`${path}/${pk}/history`, json)).body
    expect(content[0].fields).toMatchObject([{ field: 'work', before: 'PT1H', after: 'PT2H' }])
  })

  featureTest(import.meta.url, database)('schemas describe the values', async () => {
    const { properties } = (await staff.get(`${path}/jsonschema`, json)).body
    expect(properties.mail).toMatchObject({ format: 'email', maxLength: 254 })
    expect(properties.site).toMatchObject({ format: 'uri' })
    expect(properties.work).toMatchObject({ type: 'string', format: 'duration', default: 'PT30M' })
    expect(properties.place).toMatchObject({ properties: { lat: { minimum: -90 } }, required: ['lat', 'lng'] })
    expect(properties.opening).toMatchObject({ required: ['from'], properties: { seats: { title: 'Seats' } } })
    const { fields } = (await staff.get(`${path}/uischema`, json)).body
    expect(Object.values(fields).map(field => (field as { widget: string }).widget)).toEqual(
      expect.arrayContaining(['email', 'phone', 'url', 'duration', 'geo', 'json', 'structure']),
    )
  })
})

test('records in code and for callers have the types of the values', () => {
  type Workshop = Row<typeof workshops>
  type WorkshopSchema = ResourceSchema<typeof workshops>
  expectTypeOf<Workshop['mail']>().toEqualTypeOf<string | null>()
  expectTypeOf<Workshop['work']>().toEqualTypeOf<number>()
  expectTypeOf<Workshop['place']>().toEqualTypeOf<{ readonly lat: number; readonly lng: number } | null>()
  expectTypeOf<Workshop['opening']>().toEqualTypeOf<{
    readonly from: string
    readonly seats: number | null
  } | null>()
  expectTypeOf<WorkshopSchema['values']['work']>().toEqualTypeOf<string>()
  expectTypeOf<WorkshopSchema['values']['shift']>().toEqualTypeOf<string | null>()
  expectTypeOf<WorkshopSchema['create']['work']>().toEqualTypeOf<string | undefined>()
})

test('limits and defaults of durations are durations', async () => {
  expect(await faultOf(duration({ default: '2 h' }))).toBe(
    `${at}default "2 h" must be an ISO 8601 duration, such as PT2H26M, without years and months`,
  )
  expect(await faultOf(duration({ max: 'P1M' }))).toContain('a limit must be an ISO 8601 duration')
  expect(await faultOf(duration({ max: 'PT1H', default: 'PT2H' }))).toBe(`${at}default "PT2H" must be at most PT1H`)
  expect(await faultOf(email({ default: 'nobody' }))).toContain('must be a valid e-mail address')
})
