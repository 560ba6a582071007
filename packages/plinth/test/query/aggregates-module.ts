// Deals of shops, for tests of aggregates: amounts, times, absent values, hidden records and a hidden field.

import { make } from '@plinth/test-kit/library'
import type { Random } from '@plinth/test-kit/seeded-random'
import type { Client } from '@plinth/test-kit/service'
import { defineResource } from '../../src/core/model/define.ts'
import {
  boolean,
  choice,
  counted,
  date,
  decimal,
  duration,
  integer,
  many,
  money,
  ref,
  summed,
  text,
  timestamp,
} from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'

export const shops = defineResource('shops', {
  about: 'Shops.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 100 }),
    region: choice(['north', 'south']),
    owner: ref('users'),
    open: boolean({ default: true }),
    deals: many('deals', { by: 'shop' }),
    dealCount: counted('deals'),
    revenue: summed('deals', 'total'),
    worked: summed('deals', 'work', { where: { field: 'state', equals: 'paid' } }),
  },
  access: {
    read: "record.open || record.owner == caller.pk || caller.has('ROLE_STAFF')",
    write: "caller.has('ROLE_STAFF')",
  },
})

export const deals = defineResource('deals', {
  about: 'Deals.',
  label: 'note',
  trash: true,
  fields: {
    note: text({ max: 100 }),
    shop: ref(shops),
    state: choice(['open', 'paid', 'void']),
    total: money({ currency: 'EUR' }),
    weight: decimal({ scale: 3 }),
    pieces: integer(),
    work: duration(),
    at: timestamp(),
    day: date(),
    urgent: boolean(),
    secret: boolean({ default: false }),
    margin: money({ readable: "caller.has('ROLE_STAFF')" }),
    tags: many('dealTags', { by: 'deal' }),
  },
  access: {
    read: "!record.secret || record.shop.owner == caller.pk || caller.has('ROLE_STAFF')",
    write: "caller.has('ROLE_STAFF')",
  },
})

export const dealTags = defineResource('dealTags', {
  about: 'Tags of deals.',
  label: 'name',
  fields: { name: text({ required: true, max: 40 }), deal: ref(deals, { required: true, onDelete: 'cascade' }) },
  access: { read: 'true', write: "caller.has('ROLE_STAFF')" },
})

/** Its groups are of three records or more. */
export const salaries = defineResource('salaries', {
  about: 'Salaries.',
  label: 'team',
  fields: { team: text({ required: true, max: 40 }), amount: money({ required: true }), bonus: money() },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
  smallestGroup: 3,
})

export const trade = defineModule({ name: 'trade', about: 'Deals.', resources: [shops, deals, dealTags, salaries] })

/** Times around changes of clocks, at ends of years and weeks, and others. */
const moments = [
  '2025-03-30T00:59:59.999Z',
  '2025-03-30T01:00:00.000Z',
  '2025-10-26T00:30:00.000Z',
  '2025-10-26T01:30:00.000Z',
  '2025-10-26T00:59:59.999Z',
  '2025-12-31T23:30:00.000Z',
  '2025-12-31T22:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  '2024-12-30T05:00:00.000Z',
  '2025-03-09T06:59:00.000Z',
  '2025-03-09T07:00:00.000Z',
  '2025-04-05T14:45:00.000Z',
  '2025-04-05T15:15:00.000Z',
  // Midnight is skipped, and comes twice, in Havana; Samoa skipped a day; clocks showed the sun's time.
  '2025-03-09T04:59:59.999Z',
  '2025-03-09T05:00:00.000Z',
  '2025-11-02T04:59:59.999Z',
  '2025-11-02T05:00:00.000Z',
  '2011-12-30T09:59:59.999Z',
  '2011-12-30T10:00:00.000Z',
  '1890-12-31T23:10:00.000Z',
  '1937-06-30T23:45:00.000Z',
]

const orNull = <T>(random: Random, value: () => T): T | null => (random.next() < 0.15 ? null : value())

export const fillTrade = async (staff: Client, owner: string, random: Random, size = 60): Promise<void> => {
  const made: string[] = []
  for (const [at, name] of ['Nord', 'Süd', 'nord', 'Ost', 'Z'].entries()) {
    const shop = await make(staff, 'shops', {
      name,
      region: orNull(random, () => random.pick(['north', 'south'])),
      open: at % 2 === 0,
      ...(at === 1 && { owner }),
    })
    made.push(shop.pk as string)
  }
  for (let at = 0; at < size; at++) {
    const moment = () =>
      random.next() < 0.6
        ? random.pick(moments)
        : new Date(Date.UTC(2024, 0, 1) + Math.floor(random.next() * 800 * 86_400_000)).toISOString()
    await make(staff, 'deals', {
      note: orNull(random, () => random.pick(['a', 'b', 'B', 'ä', '', 'c,d'])),
      shop: orNull(random, () => random.pick(made)),
      state: orNull(random, () => random.pick(['open', 'paid', 'void'])),
      total: orNull(random, () => Math.floor(random.next() * 2000 - 500) / 100),
      weight: orNull(random, () => Math.floor(random.next() * 5000) / 1000),
      pieces: orNull(random, () => Math.floor(random.next() * 10)),
      work: orNull(random, () => `PT${Math.floor(random.next() * 500)}M`),
      at: orNull(random, moment),
      day: orNull(random, () => moment().slice(0, 10)),
      urgent: orNull(random, () => random.next() < 0.5),
      secret: random.next() < 0.3,
      margin: orNull(random, () => Math.floor(random.next() * 1000) / 100),
    })
  }
}
