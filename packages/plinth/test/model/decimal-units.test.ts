// Decimals and money: all options of a field have the unit in which callers send values. Code works with whole numbers of the smallest unit.

import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineApp } from '../../src/app/define-app.ts'
import { loadConfig } from '../../src/config.ts'
import { defineSettings } from '../../src/core/config/settings.ts'
import { defineResource } from '../../src/core/model/define.ts'
import { cents, minorUnits } from '../../src/core/model/fields/number.ts'
import { decimal, money, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'

const parts = defineResource('parts', {
  about: 'Parts.',
  label: 'name',
  fields: {
    name: text({ required: true }),
    price: money({ min: 1, max: 100, default: 12.5 }),
    weight: decimal({ scale: 3, min: 0, default: () => 0.125 }),
  },
  access: { read: 'true', write: 'caller.signedIn' },
})

const shopSettings = defineSettings('app.shop', {
  vat: decimal({ scale: 2, min: 0, max: 100, default: 19, about: 'Percent.' }),
})

const shop = defineModule({ name: 'shop', about: 'A shop.', settings: [shopSettings], resources: [parts] })
const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  test('a default has the unit of the limits, in records, schemas and code', async () => {
    const service = await startService(database, { modules: [...modules, shop] })
    onTestFinished(service.stop)
    const staff = service.as('staff')
    const made = await staff.post('/api/rest/parts', { name: 'Screw' }, json)
    expect([made.status, made.body.price, made.body.weight]).toEqual([201, 12.5, 0.125])
    const { body: schema } = await staff.get('/api/rest/parts/jsonschema', json)
    expect(schema.properties.price).toMatchObject({ minimum: 1, maximum: 100, default: 12.5 })
    const { records } = service.app.platform
    expect(await records.get(parts, made.body.pk)).toMatchObject({ price: 1250, weight: 125 })
    await expect(records.create(parts, { name: 'Nail', price: 89.99 })).rejects.toThrow(
      'parts.price must be a whole number of the smallest unit: write 8999 for 89.99',
    )
    await expect(records.create(parts, { name: 'Nail', price: 10_100 })).rejects.toThrow('must be at most 100')
  })
})

test('a setting is read in the unit of its default and limits, and listed in it', () => {
  const app = defineApp({ name: 'Shop', modules: [shop] })
  const vatOf = (overrides: Record<string, string>) => {
    const config = loadConfig(app, { env: {}, overrides })
    const listed = config.all().find(({ name }) => name === 'app.shop.vat')
    return [config.get(shopSettings).vat, listed?.text]
  }
  expect(vatOf({})).toEqual([1900, '19'])
  expect(vatOf({ 'app.shop.vat': '7.5' })).toEqual([750, '7.5'])
  expect(() => vatOf({ 'app.shop.vat': '1900' })).toThrow('must be at most 100')
})

test('amounts are written as cents, or as the units of a currency', () => {
  expect([cents(89.99), cents(0.29), cents(-1.1), cents(7)]).toEqual([8999, 29, -110, 700])
  expect([minorUnits(1250, 'JPY'), minorUnits(1.005, 'KWD'), minorUnits(0.125, 3)]).toEqual([1250, 1005, 125])
  for (const wrong of [() => cents(0.001), () => cents(Number.NaN), () => cents(1e300), () => minorUnits(1.5, 'JPY')])
    expect(wrong).toThrow(RangeError)
})
