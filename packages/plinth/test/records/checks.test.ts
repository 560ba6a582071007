// Checks over several fields of one record: held by every write, described to clients, and noticed by migrations.

import { featureDatabases } from '@plinth/test-kit/databases'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { make, pointers, speaking } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defineResource, type ResourceDefinition } from '../../src/core/model/define.ts'
import { boolean, choice, date, decimal, money, ref, text } from '../../src/core/model/fields.ts'
import { createRegistry } from '../../src/core/model/registry.ts'
import { defineModule } from '../../src/core/module.ts'

const fields = {
  name: text({ required: true, max: 100 }),
  from: date(),
  until: date(),
  low: decimal({ scale: 3 }),
  high: money(),
  state: choice(['draft', 'sent']),
  sent: boolean(),
  first: ref('periods'),
  second: ref('periods'),
}

const checks = {
  dates: {
    rule: 'record.from == null || record.until == null || record.from <= record.until',
    message: { en: 'must not be before the start', de: 'Das Ende liegt vor dem Anfang.' },
  },
  amounts: 'record.high == null || record.low == null || record.low < record.high',
  sending: "!record.sent || record.state in ['sent'] && record.from != null",
  partners: 'record.first == null || record.first != record.second',
}

const everyone = { read: 'true', write: 'caller.signedIn' }
const periods = defineResource('periods', { about: 'Periods.', label: 'name', fields, checks, access: everyone })
const planner = defineModule({ name: 'planner', about: 'Plans.', resources: [periods] })

const path = '/api/rest/periods'

describe.each(featureDatabases(import.meta.url))('checks on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, planner] })
  })
  afterAll(() => service.stop())

  test('a record that breaks one is refused, with its fields and its text', async () => {
    const staff = service.as('staff')
    const refused = await staff.post(path, { name: 'a', from: '2030-05-02', until: '2030-05-01', low: 3, high: 3 })
    expect([refused.status, refused.body.code, refused.body.errors]).toEqual([
      400,
      'invalid',
      [
        {
          pointer: '/until',
          member: 'until',
          code: 'check',
          params: {
            check: 'dates',
            fields: ['from', 'until'],
            rule: 'from == null || until == null || from <= until',
          },
          message: 'must not be before the start',
        },
        {
          pointer: '/high',
          member: 'high',
          code: 'check',
          params: { check: 'amounts', fields: ['low', 'high'], rule: 'high == null || low == null || low < high' },
          message: 'breaks the check amounts of low, high: high == null || low == null || low < high',
        },
      ],
    ])
    expect((await staff.post(path, { name: 'a', from: '2030-05-02', until: '2030-05-02' })).status).toBe(201)
    expect((await staff.post(path, { name: 'a', from: '2030-05-02' })).status).toBe(201)
  })

  test('a change is checked together with what the record has, at the field that changes', async () => {
    const staff = service.as('staff')
    const { pk } = await make(staff, 'periods', { name: 'b', from: '2030-05-02', until: '2030-05-09', low: 1.5 })
    const late = await staff.patch(`${path}/${pk}`, { from: '2030-05-10' })
    expect([late.status, pointers(late)]).toEqual([400, ['/from']])
    const document = { data: { type: 'periods', id: pk, attributes: { high: 1.49 } } }
    const dear = await staff.patch(`${path}/${pk}`, document, speaking)
    expect([dear.status, pointers(dear)]).toEqual([400, ['/data/attributes/high']])
    expect((await staff.patch(`${path}/${pk}`, { from: '2030-05-10', until: '2030-05-11', high: 1.51 })).status).toBe(
      200,
    )
    expect((await staff.put(`${path}/${pk}`, { name: 'b', from: '2030-05-10', until: '2030-05-01' })).status).toBe(400)
  })

  test('an absent value equals nothing but null, and has no order', async () => {
    const staff = service.as('staff')
    expect(pointers(await staff.post(path, { name: 'c', sent: true, state: 'sent' }))).toEqual(['/from'])
    expect(pointers(await staff.post(path, { name: 'c', sent: true, from: '2030-01-01' }))).toEqual(['/from'])
    expect((await staff.post(path, { name: 'c', sent: true, state: 'sent', from: '2030-01-01' })).status).toBe(201)
    const { pk } = await make(staff, 'periods', { name: 'partner' })
    expect(pointers(await staff.post(path, { name: 'c', first: pk, second: pk }))).toEqual(['/second'])
    expect((await staff.post(path, { name: 'c', first: pk })).status).toBe(201)
  })

  test('code, lists of records and concurrent changes are held to it, too', async () => {
    const staff = service.as('staff')
    const { records } = service.app.platform
    const bad = { name: 'd', from: '2030-02-01', until: '2030-01-01' }
    await expect(records.create(periods, bad)).rejects.toThrow('until must not be before the start')
    await expect(records.createMany(periods, [{ name: 'd' }, bad])).rejects.toThrow('must not be before the start')
    const { pk } = await records.create(periods, { name: 'd', from: '2030-01-01', until: '2030-01-31' })
    await expect(records.update(periods, pk, { until: '2029-01-01' })).rejects.toThrow('must not be before the start')
    expect(pointers(await staff.post(path, [{ name: 'd' }, bad]))).toEqual(['/1/until'])
    const both = await Promise.all([
      staff.patch(`${path}/${pk}`, { from: '2030-01-20' }),
      staff.patch(`${path}/${pk}`, { until: '2030-01-10' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('the schemas have the condition, and the text in the language of the caller', async () => {
    const staff = service.as('staff')
    const ui = await staff.get(`${path}/uischema`, { 'Accept-Language': 'de' })
    const schema = await staff.get(`${path}/jsonschema`, { 'Accept-Language': 'en' })
    expect(ui.body.checks[0].message).toBe('Das Ende liegt vor dem Anfang.')
    expect(schema.body['x-checks'][0].message).toBe('must not be before the start')
    expect(schema.body['x-checks'][1]).toEqual({
      name: 'amounts',
      rule: 'high == null || low == null || low < high',
      fields: ['low', 'high'],
      condition: {
        op: 'or',
        parts: [
          {
            op: 'or',
            parts: [
              { op: '==', left: { field: 'high' }, right: { value: null } },
              { op: '==', left: { field: 'low' }, right: { value: null } },
            ],
          },
          { op: '<', left: { field: 'low' }, right: { field: 'high' } },
        ],
      },
    })
  })
})

describe.each(featureDatabases(import.meta.url))('a check that is added later, on %s', database => {
  test('stops the start while a record breaks it, and names the record', async () => {
    const kept = await keepDatabase(database)
    onTestFinished(kept.remove)
    const start = (definition: ResourceDefinition) =>
      startService(database, {
        modules: [...modules, defineModule({ ...planner, resources: [definition] })],
        settings: kept.settings,
      })
    const { checks: _, ...free } = periods
    const before = await start(free)
    const staff = before.as('staff')
    const { pk } = await make(staff, 'periods', { name: 'x', from: '2030-02-01', until: '2030-01-01', low: 1, high: 9 })
    await make(staff, 'periods', { name: 'y', low: 1.5, high: 1.51, sent: false })
    await before.stop()
    await expect(start(periods)).rejects.toThrow(
      `periods has the new check 'dates' (${checks.dates.rule}), which 1 record breaks, such as '${pk}': ` +
        'change the records first, or the check',
    )
    const again = await start(free)
    await make(again.as('staff'), 'periods', { name: 'z', low: 1.51, high: 1.5 })
    expect((await again.as('staff').patch(`${path}/${pk}`, { until: '2030-03-01' })).status).toBe(200)
    await again.stop()
    await expect(start(periods)).rejects.toThrow(/check 'amounts' .* which 1 record breaks/)
    const { amounts: __, ...others } = checks
    const mended = await start({ ...periods, checks: others })
    expect((await mended.as('staff').patch(`${path}/${pk}`, { name: 'again' })).status).toBe(200)
    await mended.stop()
  })
})

describe('the definition', () => {
  const faultsOf = (rule: string): string => {
    try {
      createRegistry([defineResource('periods', { about: 'x', fields, checks: { odd: rule }, access: {} })])
      return ''
    } catch (error) {
      return String((error as Error).message).split('\n')[1] ?? ''
    }
  }
  test.each([
    ['record.form <= record.until', "periods has no field 'form'; did you mean 'from'?"],
    ['record.from <= record.low', "'from' and 'low' are of different kinds and cannot be compared"],
    ['record.first.name == record.name', 'a check looks at fields of the record itself, not at related records'],
    ['record.name == caller.username', 'a check is about the record alone, not about the caller'],
    ['record.from <= now', 'a check must hold at any time, so it cannot use now'],
    ['record.sent < true', "'sent' has no order"],
    ["record.from <= 'soon'", "'from' must be a date"],
    ['record.state in record.name', "'in' takes a field and a list of constants"],
    ['true', 'a check compares fields of the record'],
    ['record.from = record.until', "compare with '==', not with '='"],
  ])('%s is refused: %s', (rule, message) => {
    expect(faultsOf(rule)).toContain("check 'odd': ")
    expect(faultsOf(rule)).toContain(message)
  })
})
