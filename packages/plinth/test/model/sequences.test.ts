// Sequences: numbers without gaps or doubles, on several instances, and in data that exists.

import { featureDatabases, featureTest } from '@plinth/test-kit/databases'
import { type KeptDatabase, keepDatabase } from '@plinth/test-kit/kept-database'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { integer, many, ref, sequence, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { access, at, failureOf, library, resource, untyped } from './definition-faults.ts'

const shops = defineResource('shops', {
  about: 'Shops.',
  label: 'name',
  fields: { name: text({ required: true }), tickets: many('tickets', { by: 'shop' }) },
  access,
})

const ticketFields = {
  title: text({ required: true, max: 20 }),
  shop: ref('shops', { fixed: true }),
  stock: integer({ min: 0 }),
}

const ticketsBefore = defineResource('tickets', { about: 'Tickets.', label: 'title', fields: ticketFields, access })

const tickets = defineResource('tickets', {
  about: 'Tickets.',
  label: 'number',
  trash: true,
  fields: { ...ticketFields, number: sequence({ per: 'shop', format: 'T-{0000}' }) },
  access,
  hooks: {
    afterCreate: ({ record }) => {
      // The transaction ends here, and gives the number back.
      if (record.title === 'refused') throw new Error(`not ${record.number}`)
    },
  },
})

const invoices = defineResource('invoices', {
  about: 'Invoices.',
  label: 'number',
  fields: { number: sequence({ format: 'R{yyyy}-{00}', start: 9 }), serial: sequence({ start: 100 }), title: text() },
  access,
})

const workshop = (...added: Parameters<typeof library>) =>
  defineModule({ name: 'workshop', about: 'A workshop.', resources: [shops, ...added] })

const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let kept: KeptDatabase
  let now = new Date('2026-12-31T12:00:00Z')
  const start = (...added: Parameters<typeof library>) =>
    startService(database, {
      modules: [...modules, workshop(...added)],
      settings: { ...kept.settings, 'app.log.level': 'fatal' },
      clock: () => now,
    })
  let service: TestService
  let shop: string
  beforeAll(async () => {
    kept = await keepDatabase(database)
    // Tickets of an earlier version of the application.
    const before = await start(ticketsBefore)
    shop = (await make(before.as('staff'), 'shops', { name: 'Old town' })).pk
    for (const title of ['first', 'second', 'third']) await make(before.as('staff'), 'tickets', { title, shop })
    await make(before.as('staff'), 'tickets', { title: 'without a shop' })
    await before.stop()
    service = await start(tickets, invoices)
  })
  afterAll(async () => {
    await service?.stop()
    await kept?.remove()
  })
  const staff = () => service.as('staff')
  const numbersIn = async (of: string, filter: string): Promise<string[]> =>
    (await staff().get(`/api/rest/tickets?_ps=500&sort=number&filter=${filter}=="${of}"`, json)).body.content.map(
      ({ number }: { number: string }) => number,
    )

  test('records that exist are numbered in the order of their creation', async () => {
    const { body } = await staff().get('/api/rest/tickets?sort=createdDate', json)
    expect(body.content.map(({ title, number }: Record<string, string>) => [title, number])).toEqual([
      ['first', 'T-0001'],
      ['second', 'T-0002'],
      ['third', 'T-0003'],
      ['without a shop', 'T-0001'],
    ])
    expect((await make(staff(), 'tickets', { title: 'next', shop })).number).toBe('T-0004')
  })

  test('callers cannot choose a number, and a failed creation leaves no gap', async () => {
    const own = (await make(staff(), 'shops', { name: 'Gaps' })).pk
    expect((await make(staff(), 'tickets', { title: 'a', shop: own, number: 'T-0099' })).number).toBe('T-0001')
    const refused = await staff().post('/api/rest/tickets', { title: 'refused', shop: own }, json)
    expect(refused.status).toBe(500)
    expect((await staff().post('/api/rest/tickets', { title: 'b', shop: own, stock: -1 }, json)).status).toBe(400)
    const list = [
      { title: 'c', shop: own },
      { title: 'd', shop: own },
    ]
    const made = await staff().post('/api/rest/tickets', list, json)
    expect(made.body.content.map(({ number }: { number: string }) => number)).toEqual(['T-0002', 'T-0003'])
    const changed = await staff().patch(`/api/rest/tickets/${made.body.content[0].pk}`, { number: 'T-0077' }, json)
    expect([changed.status, await numbersIn(own, 'shop')]).toEqual([204, ['T-0001', 'T-0002', 'T-0003']])
  })

  test('two instances number 60 records without gaps or doubles', async () => {
    const other = await start(tickets, invoices)
    const own = (await make(staff(), 'shops', { name: 'Busy' })).pk
    const callers = [staff(), other.as('staff')]
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, serial) =>
        callers[serial % 2]?.post(
          '/api/rest/tickets',
          { title: serial % 10 === 9 ? 'refused' : `t${serial}`, shop: own },
          json,
        ),
      ),
    )
    await other.stop()
    expect(made.filter(one => one?.status === 201)).toHaveLength(54)
    const expected = Array.from({ length: 54 }, (_, serial) => `T-${String(serial + 1).padStart(4, '0')}`)
    expect(await numbersIn(own, 'shop')).toEqual(expected)
  })

  test('a format with the year begins again each year, and several sequences count for themselves', async () => {
    const one = async () => {
      const { number, serial } = await make(staff(), 'invoices', {})
      return [number, serial]
    }
    expect([await one(), await one()]).toEqual([
      ['R2026-09', 100],
      ['R2026-10', 101],
    ])
    now = new Date('2027-01-01T00:00:00Z')
    expect(await one()).toEqual(['R2027-09', 102])
    now = new Date('2026-12-31T12:00:00Z')
  })

  test('code can bring numbers with it, and the sequence goes on behind them', async () => {
    const { records } = service.app.platform
    const own = (await make(staff(), 'shops', { name: 'Moved in' })).pk
    await records.createMany(
      tickets,
      ['T-0007', 'T-0005', 'X 1'].map(number => ({ title: 'old', shop: own, number })),
    )
    expect((await records.create(tickets, { title: 'new', shop: own })).number).toBe('T-0008')
    await expect(records.create(tickets, { title: 'twice', shop: own, number: 'T-0005' })).rejects.toThrow()
    expect((await records.create(tickets, { title: 'new', shop: own })).number).toBe('T-0009')
  })

  test('the trash and its restored records keep their numbers', async () => {
    const own = (await make(staff(), 'shops', { name: 'Trash' })).pk
    const first = await make(staff(), 'tickets', { title: 'a', shop: own })
    await staff().delete(`/api/rest/tickets/${first.pk}`)
    expect((await make(staff(), 'tickets', { title: 'b', shop: own })).number).toBe('T-0002')
    expect((await staff().post(`/api/rest/tickets/${first.pk}/restore`, undefined, json)).status).toBeLessThan(300)
    expect(await numbersIn(own, 'shop')).toEqual(['T-0001', 'T-0002'])
  })

  featureTest(import.meta.url, database)('imports are numbered, and schemas say that the service numbers', async () => {
    const imported = await service.as('admin')('/api/import/tickets', {
      method: 'POST',
      body: 'title,shop.name\r\nRadio,Old town\r\nLamp,Old town\r\n',
      headers: { ...json, 'Content-Type': 'text/csv' },
    })
    expect(imported.status).toBe(200)
    const [last, previous] = (await numbersIn(shop, 'shop')).toReversed()
    expect(Number(last?.slice(2)) - Number(previous?.slice(2))).toBe(1)
    const { number } = (await staff().get('/api/rest/tickets/jsonschema', json)).body.properties
    expect(number).toMatchObject({ type: 'string', readOnly: true })
  })
})

test('mistakes in the declaration stop the start', async () => {
  const wrong = async (options: object, fields = {}) =>
    (await failureOf(library(resource('books', { ...fields, title: sequence(untyped(options)) }))))[1]
  expect(await wrong({ format: 'T-{yyy}-{0}' })).toBe(`${at}format has '{yyy}'; did you mean 'yyyy'?`)
  expect(await wrong({ format: 'T-' })).toBe(`${at}format must have one number, such as 'T-{0000}'`)
  expect(await wrong({ start: -1 })).toBe(`${at}start must be a whole number from 0 on`)
  expect(await wrong({ per: 'shlef' }, { shelf: text({ fixed: true }) })).toBe(
    `${at}per 'shlef' is not a field; did you mean 'shelf'?`,
  )
  expect(await wrong({ per: 'shelf' }, { shelf: text() })).toBe(
    `${at}per 'shelf' can change, and the number would not fit any more; make it 'fixed'`,
  )
})
