// Random aggregates of random callers are equal to what JavaScript computes from the records that these callers read one by one.

import { databases } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import { accountOf } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { createRandom } from '@plinth/test-kit/random'
import { type Random, seededRandom } from '@plinth/test-kit/seeded-random'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConnectionLost, type Parsed } from '../../src/testing/client.ts'
import { fillTrade, trade } from './aggregates-module.ts'
import { aggregateOf, type OracleGroup, type OracleQuery, type ShopFinder } from './aggregates-oracle.ts'

/** The number on each database. `RANDOM_AGGREGATES=50000 npx vitest run …` runs more than the sample. */
const queries = Number(process.env.RANDOM_AGGREGATES ?? extent(100, 2000))

const callers = ['staff', 'client', 'simple', 'anonymous'] as const

const keys = [
  ...['state', 'note', 'shop', 'shop.name', 'shop.region', 'urgent', 'day', 'pieces', 'total'],
  ...['hour', 'day', 'week', 'month', 'quarter', 'year'].map(unit => `at:${unit}`),
  ...['week', 'month', 'quarter', 'year'].map(unit => `day:${unit}`),
]

const measures = [
  'count',
  ...['total', 'weight', 'pieces', 'work'].flatMap(field =>
    ['sum', 'avg', 'min', 'max', 'distinct', 'median', 'p90', 'p95', 'p99'].map(kind => `${kind}.${field}`),
  ),
  ...['min.day', 'max.at', 'min.note', 'max.shop.name', 'distinct.shop', 'distinct.shop.region', 'distinct.urgent'],
]

const zones = [
  ...['UTC', 'Europe/Berlin', 'Europe/Amsterdam', 'America/New_York', 'America/Havana', 'America/St_Johns'],
  ...['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia'],
]

const filters = [
  { text: 'state==paid', holds: (one: Parsed) => one.state === 'paid' },
  { text: 'state!=paid', holds: (one: Parsed) => one.state !== 'paid' },
  { text: 'total>5', holds: (one: Parsed) => one.total !== null && Number(one.total) > 5 },
  {
    text: 'urgent==true,pieces<3',
    holds: (one: Parsed) => one.urgent === true || (one.pieces !== null && Number(one.pieces) < 3),
  },
  { text: 'shop=isnull=true', holds: null },
  { text: "note=in=(a,'')", holds: (one: Parsed) => one.note === 'a' || one.note === '' },
  { text: 'day>=2025-06-01', holds: (one: Parsed) => one.day !== null && String(one.day) >= '2025-06-01' },
]

const some = <T>(random: Random, list: readonly T[], most: number): readonly T[] => {
  const count = Math.floor(random.next() * (most + 1))
  return [...new Set(Array.from({ length: count }, () => random.pick(list)))]
}

const numeric = (name: string): boolean =>
  name === 'count' || /^(?:sum|avg|min|max|median|p9\d)\.(?:total|weight|pieces)$|^distinct/.test(name)

const randomQuery = (random: Random, shopOf: ShopFinder): OracleQuery => {
  const group = some(random, keys, 3)
  const chosen = some(random, measures, 4)
  const shown = group.length + chosen.length === 0 ? ['count'] : chosen
  const filter = random.next() < 0.6 ? random.pick(filters) : null
  const hiddenShop = (one: Parsed) => one.shop === null || shopOf((one.shop as { pk: string }).pk) === null
  const sortable = [...group, ...measures.filter(name => !name.endsWith('.work'))]
  return {
    group,
    measures: measures.filter(name => shown.includes(name)),
    filter: filter && { text: filter.text, holds: filter.holds ?? hiddenShop },
    having:
      random.next() < 0.3
        ? {
            measure: random.pick(measures.filter(numeric)),
            operator: random.pick(['>', '<=', '==', '!=']),
            value: random.pick([0, 1, 2, 3, 5, 7.5, 12]),
          }
        : null,
    sort: some(random, sortable, 2).map(name => (random.next() < 0.5 ? `-${name}` : name)),
    timeZone: random.pick(zones),
  }
}

const addressOf = ({ group, measures: shown, filter, having, sort, timeZone }: OracleQuery): string => {
  const parameters = new URLSearchParams({ _ps: '500', timezone: timeZone })
  if (group.length > 0) parameters.set('group', group.join(','))
  for (const name of shown) {
    const [kind = ''] = name.split('.')
    if (name === 'count') parameters.set('count', '')
    else parameters.set(kind, [parameters.get(kind), name.slice(kind.length + 1)].filter(Boolean).join(','))
  }
  if (filter) parameters.set('filter', filter.text)
  if (having) parameters.set('having', `${having.measure}${having.operator}${having.value}`)
  if (sort.length > 0) parameters.set('sort', sort.join(','))
  return `/api/rest/deals/aggregates?${parameters}`
}

const shownIn = (row: Parsed, { group, measures: shown }: OracleQuery): OracleGroup => ({
  keys: group.map(name => (row.group as Parsed)[name] as OracleGroup['keys'][number]),
  values: shown.map(name => {
    const [kind = ''] = name.split('.')
    const value = name === 'count' ? row.count : (row[kind] as Parsed)[name.slice(kind.length + 1)]
    return value as OracleGroup['values'][number]
  }),
})

/** Whole numbers are needed where a number of pieces is compared: the service refuses others. */
const fits = ({ having }: OracleQuery): boolean =>
  having === null ||
  Number.isInteger(having.value) ||
  /^(?:avg|sum|min|max)\.(?:total|weight)$|^(?:avg|median|p9\d)/.test(having.measure)

/** A connection may end while it is kept, in the moment of the next request. */
const read = (client: Client, address: string) =>
  client.get(address).catch((error: unknown) => {
    if (error instanceof ConnectionLost) return client.get(address)
    throw error
  })

const fittingQuery = (random: Random, shopOf: ShopFinder): OracleQuery => {
  for (;;) {
    const query = randomQuery(random, shopOf)
    if (fits(query)) return query
  }
}

describe.each(databases)('on %s', database => {
  let service: TestService
  const seen = new Map<string, { client: Client; records: Parsed[]; shopOf: ShopFinder }>()
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, trade] })
    const staff = service.as('staff')
    await fillTrade(staff, await accountOf(service, 'client'), seededRandom(40), extent(60, 200))
    const list = async (resource: string): Promise<string[]> =>
      (await staff.get(`/api/rest/${resource}?_ps=500`)).body.content.map((one: Parsed) => one.pk)
    const [dealPks, shopPks] = [await list('deals'), await list('shops')]
    for (const name of callers) {
      const client = service.as(name)
      const readEach = async (resource: string, pks: readonly string[]): Promise<Parsed[]> => {
        const found: Parsed[] = []
        for (const pk of pks) {
          const answer = await client.get(`/api/rest/${resource}/${pk}`)
          if (answer.status === 200) found.push(answer.body)
        }
        return found
      }
      const visible = new Map((await readEach('shops', shopPks)).map(shop => [shop.pk as string, shop]))
      seen.set(name, { client, records: await readEach('deals', dealPks), shopOf: pk => visible.get(pk) ?? null })
    }
  })
  afterAll(() => service.stop())

  test('the callers see different records', () => {
    const [staff = 0, client = 0, simple = 0] = callers.map(name => seen.get(name)?.records.length)
    expect(staff).toBeGreaterThan(client)
    expect(client).toBeGreaterThan(simple)
    expect(simple).toBeGreaterThan(10)
  })

  test('random aggregates are equal to those computed record by record', { timeout: 7_200_000 }, async () => {
    const random = createRandom()
    for (let at = 0; at < queries; at++) {
      const name = random.pick(callers)
      const { client, records, shopOf } = seen.get(name) ?? expect.fail()
      const query = fittingQuery(random, shopOf)
      const address = addressOf(query)
      const answer = await read(client, address)
      const expected = aggregateOf(records, query, shopOf)
      const found = answer.status === 200 ? answer.body.content.map((row: Parsed) => shownIn(row, query)) : answer.body
      expect([name, decodeURIComponent(address), found]).toEqual([name, decodeURIComponent(address), expected])
      expect(answer.body.page.totalElements).toBe(expected.length)
    }
  })
})
