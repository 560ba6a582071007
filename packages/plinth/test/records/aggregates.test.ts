// Aggregates in code: the types follow the query, amounts are in stored form, and callers see groups of what they may read.

import { featureDatabases } from '@plinth/test-kit/databases'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { recordsFor } from '../../src/core/records/records.ts'
import { contextFor } from '../../src/core/rest/context.ts'
import { deals, salaries, trade } from '../query/aggregates-module.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, trade] })
    const staff = service.as('staff')
    const north = await make(staff, 'shops', { name: 'North' })
    await make(staff, 'deals', {
      state: 'paid',
      total: 10.5,
      pieces: 1,
      shop: north.pk,
      at: '2026-03-31T22:30:00Z',
      work: 'PT1H',
    })
    await make(staff, 'deals', { state: 'paid', total: 2.25, pieces: 4, at: '2026-03-01T00:00:00Z' })
    await make(staff, 'deals', { state: 'open', total: 1, secret: true })
    for (const amount of [1, 2]) await make(staff, 'salaries', { team: 'a', amount })
  })
  afterAll(() => service.stop())

  test('groups have what was asked for, with types of their own', async () => {
    const { records } = service.app.platform
    const groups = await records.aggregate(deals, {
      group: ['state', 'at:month', 'shop.name'],
      count: true,
      sum: ['total', 'work'],
      avg: ['total'],
      median: ['total'],
      max: ['note', 'at'],
      distinct: ['shop'],
      where: { secret: false },
      having: { sum: { total: { gt: 100 } }, count: { between: [1, 9] } },
      sort: '-sum.total',
      timeZone: 'Europe/Berlin',
    })
    expect(groups).toEqual([
      {
        group: { state: 'paid', 'at:month': '2026-04-01', 'shop.name': 'North' },
        count: 1,
        sum: { total: 1050, work: 3_600_000 },
        avg: { total: 1050 },
        median: { total: 1050 },
        max: { note: null, at: '2026-03-31T22:30:00.000Z' },
        distinct: { shop: 1 },
      },
      {
        group: { state: 'paid', 'at:month': '2026-03-01', 'shop.name': null },
        count: 1,
        sum: { total: 225, work: null },
        avg: { total: 225 },
        median: { total: 225 },
        max: { note: null, at: '2026-03-01T00:00:00.000Z' },
        distinct: { shop: 0 },
      },
    ])
    const [first] = groups
    expectTypeOf(first?.group.state).toEqualTypeOf<'open' | 'paid' | 'void' | null | undefined>()
    expectTypeOf(first?.group['at:month']).toEqualTypeOf<string | null | undefined>()
    expectTypeOf(first?.group['shop.name']).toEqualTypeOf<string | null | undefined>()
    expectTypeOf(first?.count).toEqualTypeOf<number | undefined>()
    expectTypeOf(first?.sum.total).toEqualTypeOf<number | null | undefined>()
    expectTypeOf(first?.median.total).toEqualTypeOf<number | null | undefined>()
    // @ts-expect-error the query does not ask for it
    expect(first?.sum.pieces).toBeUndefined()
    const [all] = await records.aggregate(deals, { min: ['pieces'], having: { not: { min: { pieces: 7 } } } })
    expect(all).toEqual({ min: { pieces: 1 } })
  })

  test('mistakes in code are named', async () => {
    const { records } = service.app.platform
    // @ts-expect-error there is no such field
    await expect(records.aggregate(deals, { group: ['stat'] })).rejects.toThrow(
      "no field 'stat'; did you mean 'state'?",
    )
    // @ts-expect-error a text has no sum
    await expect(records.aggregate(deals, { sum: ['note'] })).rejects.toThrow('sum cannot be computed of note')
    // @ts-expect-error there is no such period
    await expect(records.aggregate(deals, { group: ['at:mont'] })).rejects.toThrow("did you mean 'month'?")
    const misspelt = { summ: ['total'] } as object
    await expect(records.aggregate(deals, misspelt)).rejects.toThrow(
      "unknown option 'summ' of an aggregate; did you mean 'sum'?",
    )
    await expect(records.aggregate(deals, { count: true, timeZone: 'Berlin' })).rejects.toThrow('time zone')
  })

  test('with the permissions of a caller, hidden records and small groups are left out', async () => {
    const { platform } = service.app
    expect(await platform.records.aggregate(deals, { count: true })).toEqual([{ count: 3 }])
    expect(await platform.records.aggregate(salaries, { group: ['team'], sum: ['amount'] })).toEqual([
      { group: { team: 'a' }, sum: { amount: 300 } },
    ])
    const records = recordsFor(
      contextFor(platform, { pk: 'stranger', username: 'stranger', roles: new Set(['ROLE_USER']) }),
    )
    expect(await records.aggregate(deals, { count: true })).toEqual([{ count: 2 }])
    expect(await records.aggregate(salaries, { group: ['team'], sum: ['amount'] })).toEqual([])
  })
})
