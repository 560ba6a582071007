import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, inTurn, runsAll, testAll } from '@plinth/test-kit/extent'
import { copyOf, openStore, people, strategyOf, type TestStore, unknownPk } from '@plinth/test-kit/rental-store'
import { startService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const film = '00000000-0000-7000-a004-000000000000'
const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let store: TestStore
  let rental: string
  beforeAll(async () => {
    store = await openStore(database)
    rental = (await store.rent([[copyOf('Spider-Man'), 2]])).body.items[0].rental.pk
  })
  afterAll(() => store.stop())

  const pksAt = async (path: string): Promise<string[]> => {
    const { status, body, text } = await store.staff.get(`/api/rest/${path}`, json)
    expect([status, text]).toEqual([200, text])
    return body.content.map((one: { pk: string }) => one.pk)
  }

  test.each([
    ['films', film],
    ['filmActors', '00000000-0000-7000-a002-000000000000'],
    ['filmCategories', '00000000-0000-7000-a003-000000000000'],
    ['filmPricingStrategies', strategyOf('regular')],
    ['filmInventoryEntries', copyOf('Matrix 11', 2)],
    ['rentals', ''],
  ])('%s are replaced at their collection, named by the body', async (name, input) => {
    const pk = input || rental
    const path = `/api/rest/${name}`
    const { body } = await store.staff.get(`${path}/${pk}`, json)
    expect(body).toMatchObject({ pk, id: pk })
    const replaced = await store.staff.put(path, body)
    expect([replaced.status, replaced.body.pk]).toEqual([200, pk])
    const minimal = await store.staff.put(path, body, { Prefer: 'return=minimal' })
    expect([minimal.status, minimal.text, minimal.headers.get('preference-applied')]).toEqual([
      204,
      '',
      'return=minimal',
    ])
    const { pk: _, ...byId } = body
    expect((await store.staff.put(path, byId)).status).toBe(200)
    const { id: __, ...unnamed } = byId
    expect((await store.staff.put(path, unnamed)).status).toBe(400)
    for (const who of ['staff', 'admin'] as const)
      expect((await store.as(who).put(path, { ...unnamed, pk: unknownPk })).status).toBe(404)
    expect((await store.staff.put(path, { ...body, version: body.version + 7 })).status).toBe(409)
    expect((await store.staff(path, { method: 'OPTIONS' })).headers.get('allow')).toContain('PUT')
  })

  test('a replacement at a collection with a parameter that cannot be read writes nothing', async () => {
    const { body } = await store.staff.get(`/api/rest/films/${film}`, json)
    const refused = await store.staff.put('/api/rest/films?include=nothing', { ...body, title: 'Replaced' })
    expect(refused.status).toBe(400)
    expect((await store.staff.get(`/api/rest/films/${film}`, json)).body.title).toBe(body.title)
  })

  test.each(
    everyThird([
      ['films', `id=${film}`],
      ['films', 'title=Matrix%25'],
      ['films', 'description=%25counter of the demo%25&_ps=500'],
      ['films', 'mpaaRating=PG13&title=Matrix*'],
      ['films', 'mpaaRating=pg-13&title=Matrix*'],
      ['films', 'createdDate=2024-05-17T10:00:00.000Z&_ps=500'],
      ['films', 'lastModifiedDate=1715940000000&_ps=500'],
      ['films', 'filmActors.lastName=Abendroth&_ps=500'],
      ['films', 'filmCategories.parent.name=Fiction&_ps=500'],
      ['films', 'pricingStrategy.dailyPrice=40&_ps=500'],
      ['films', 'copies.barcode=2000000000008'],
    ]),
  )('%s?%s finds the film', async (name, query) => {
    expect(await pksAt(`${name}?${query}`)).toContain(film)
  })

  test.each(
    everyThird([
      ['filmInventoryEntries', `film=${film}`, 3],
      ['filmInventoryEntries', 'film.title=Matrix 11', 3],
      ['filmInventoryEntries', 'film.mpaaRating=PG-13&film.releaseYear=2024', 3],
      ['filmInventoryEntries', 'film.title=Spider-Man&available=true', 2],
      ['filmInventoryEntries', 'film.title=Spider-Man&available=false', 1],
      ['filmActors', 'firstName=Alma&lastName=Abend%25', 1],
      ['filmCategories', 'name=Act%25', 1],
      ['filmCategories', 'parent=00000000-0000-7000-a003-000000000101', 4],
      ['filmPricingStrategies', 'initialPrice=30&daysFree=3', 1],
      ['filmPricingStrategies', 'dailyPrice=40', 1],
      ['rentals', `customer=${people.client}`, 6],
      ['rentals', 'customer.username=simple', 2],
      ['rentals', `inventory=${copyOf('Spider-Man')}`, 1],
      ['rentals', 'inventory.film.title=Spider-Man', 1],
      ['rentals', 'inventory.barcode=2000000000039', 1],
      ['rentals', `createdBy=${people.staff}`, 8],
      ['rentals', 'rentalDate=2024-05-17T10:00:00.000Z', 1],
      ['rentals', 'filter=returnDate=isnull=false', 4],
      ['rentals', 'filter=rentalDate=bt=(2024-05-01T00:00:00Z,2024-06-01T00:00:00Z)', 5],
      ['rentals', 'filter=returnDate=isnull=true;dueDate<2024-05-17T10:00:00Z', 2],
      ['order/overdue', 'customer=00000000-0000-7000-8000-000000000004', 1],
    ]),
  )('%s?%s finds %i', async (name, query, count) => {
    expect(await pksAt(`${name}?${query}`)).toHaveLength(count)
  })

  const stamps = ['lastModifiedBy', 'createdDate', 'lastModifiedDate']
  const searchable = Object.entries({
    filmInventoryEntries: ['id', 'film'],
    filmActors: ['id', 'firstName', 'lastName', 'createdBy'],
    filmCategories: ['id', 'name', 'parent', 'createdBy'],
    films: ['id', 'title', 'description', 'mpaaRating', 'createdBy'],
    filmPricingStrategies: ['id', 'initialPrice', 'daysFree', 'dailyPrice', 'createdBy'],
    rentals: ['id', 'customer', 'inventory', 'createdBy', 'rentalDate', 'returnDate'],
  }).flatMap(([name, fields], at) => [...fields, ...inTurn(stamps, at)].map(field => [name, field] as const))
  const nested: readonly (readonly [string, string, string])[] = [
    ['filmInventoryEntries', 'film', 'films'],
    ['rentals', 'customer', 'users'],
    ['rentals', 'inventory', 'filmInventoryEntries'],
  ]

  /** The initial demo data has no creator. */
  const made: Readonly<Record<string, object>> = {
    films: { title: 'Found again', description: 'By every field.', pricingStrategy: strategyOf('old') },
    filmActors: { firstName: 'Found', lastName: 'Again' },
    filmCategories: { name: 'Found', parent: '00000000-0000-7000-a003-000000000002' },
    filmPricingStrategies: { name: 'Found', initialPrice: 7.5, daysFree: 7, dailyPrice: 0.25 },
  }

  /** A record whose field has a value, and that value as a parameter would say it. */
  const valued = async (name: string, field: string) => {
    if (made[name]) expect((await store.staff.post(`/api/rest/${name}`, made[name])).status).toBe(201)
    const { body } = await store.admin.get(`/api/rest/${name}?filter=${field}=isnull=false&_ps=1`, json)
    const [record] = body.content
    const value = record?.[field]
    return { pk: record?.pk, text: encodeURIComponent(String(value?.pk ?? value)) }
  }

  test.each(everyThird(searchable))('%s are found by %s', async (name, field) => {
    const { pk, text } = await valued(name, field)
    expect(await pksAt(`${name}?${field}=${text}&_ps=500`)).toContain(pk)
    expect(await pksAt(`${name}?${field}=${text}&version=999`)).toEqual([])
  })

  test.each(everyThird(nested))('%s are found by any property of their %s', async (name, relation, target) => {
    const { body } = await store.admin.get(`/api/rest/${target}/jsonschema`)
    type Property = { type?: string; format?: string; enum?: string[]; writeOnly?: boolean }
    const plain = Object.entries<Property>(body.properties).filter(
      ([, { type, writeOnly }]) => (type === 'string' || type === 'integer') && !writeOnly,
    )
    expect(plain.length).toBeGreaterThan(4)
    for (const [field, { type, format, enum: choices }] of plain) {
      const usual = format === 'date-time' ? '2024-05-17T10:00:00.000Z' : type === 'integer' ? '1' : 'nothing'
      const value = choices?.[0] ?? usual
      const { status, text } = await store.admin.get(`/api/rest/${name}?${relation}.${field}=${value}&_ps=1`, json)
      expect([field, status, status === 200 || text]).toEqual([field, 200, true])
    }
  })

  test('categories know their way from the top, also after a move', async () => {
    const noir = await store.staff.post('/api/rest/filmCategories', {
      name: 'Noir',
      parent: '00000000-0000-7000-a003-000000000002',
    })
    expect(noir.body).toMatchObject({ path: 'Fiction: Crime: Noir', pathLevel: 2 })
    const moved = await store.staff.patch(`/api/rest/filmCategories/${noir.body.pk}`, {
      parent: '00000000-0000-7000-a003-000000000101',
    })
    expect(moved.body.path).toBe('Documentary: Noir')
  })

  test.each([
    ['films', '00000000-0000-7000-a004-000000000001'],
    ['filmPricingStrategies', strategyOf('regular')],
    ['filmInventoryEntries', copyOf('Spider-Man')],
    ['users', people.client],
  ])('%s with an open rental are not deleted', async (name, pk) => {
    expect((await store.admin.delete(`/api/rest/${name}/${pk}`)).status).toBe(409)
  })

  test('a strategy that a rental was priced by stays, even when no film has it and the rental is over', async () => {
    const { body: strategy } = await store.staff.post('/api/rest/filmPricingStrategies', {
      name: 'Once',
      initialPrice: 1.25,
      daysFree: 1,
      dailyPrice: 0.35,
    })
    const { body: made } = await store.staff.post('/api/rest/films', { title: 'Once', pricingStrategy: strategy.pk })
    const { body: copy } = await store.staff.post('/api/rest/filmInventoryEntries', { film: made.pk })
    await store.rent([[copy.pk, 2]])
    await store.staff.patch(`/api/rest/films/${made.pk}`, { pricingStrategy: strategyOf('old') })
    const path = `/api/rest/filmPricingStrategies/${strategy.pk}`
    expect((await store.staff.delete(path)).status).toBe(409)
    store.time.forward(4)
    expect((await store.bringBack([copy.pk])).body.totalCost).toBe(0.7)
    expect((await store.staff.delete(path)).status).toBe(409)
    store.time.forward(-4)
  })

  test('a rental written by hand becomes that of the copy, at the price of the film', async () => {
    const copy = copyOf('Out of Africa')
    const made = await store.staff.post('/api/rest/rentals', { customer: people.simple, inventory: copy, days: 3 })
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        rentalDate: store.time.now.toISOString(),
        dueDate: new Date(store.time.now.getTime() + 3 * 24 * 3600_000).toISOString(),
        initialPrice: 30,
        daysFree: 5,
        dailyPrice: 30,
        pricingStrategy: { pk: strategyOf('old') },
      },
    ])
    expect((await store.quote(copy)).body.rentalId).toBe(made.body.pk)
    const path = `/api/rest/rentals/${made.body.pk}`
    expect((await store.admin.patch(path, { returnDate: '2020-01-01T00:00:00Z' })).status).toBe(400)
    expect((await store.admin.patch(path, { rentalDate: '2030-01-01T00:00:00Z' })).status).toBe(400)
    expect((await store.admin.patch(path, { returnDate: store.time.now.toISOString() })).status).toBe(200)
    expect((await store.quote(copy)).body.rentalId).toBe(null)
    const reopened = await store.admin.patch(
      path,
      { returnDate: null },
      { 'Content-Type': 'application/merge-patch+json' },
    )
    expect(reopened.body.corrections).toHaveLength(2)
    expect((await store.quote(copy)).body.rentalId).toBe(made.body.pk)
    expect((await store.admin.delete(path)).status).toBe(204)
    expect((await store.quote(copy)).body.rentalId).toBe(null)
  })

  test('the date of a rental is corrected by administrators; the due date follows and the correction stays', async () => {
    const path = `/api/rest/rentals/${rental}`
    const corrected = await store.admin.patch(path, { rentalDate: '2024-05-15T09:00:00.000Z' })
    expect(corrected.body).toMatchObject({
      rentalDate: '2024-05-15T09:00:00.000Z',
      dueDate: '2024-05-17T09:00:00.000Z',
      corrections: ['2024-05-17T10:00:00.000Z admin: rentalDate 2024-05-17T10:00:00.000Z -> 2024-05-15T09:00:00.000Z'],
      lastModifiedBy: { pk: people.admin },
    })
    const audited = await store.admin.get('/api/management/auditevents?type=RENTAL_CORRECTED')
    expect(audited.body.events).toContainEqual({
      timestamp: '2024-05-17T10:00:00.000Z',
      principal: 'admin',
      type: 'RENTAL_CORRECTED',
      data: { rental, rentalDate: '2024-05-17T10:00:00.000Z -> 2024-05-15T09:00:00.000Z' },
    })
  })

  const refusals: [name: string, body: object, status: number][] = [
    ['films', { title: 'X', pricingStrategy: strategyOf('old'), mpaaRating: 'X' }, 400],
    ['films', { title: 'X' }, 400],
    ['films', { title: 'X', pricingStrategy: unknownPk }, 422],
    ['filmPricingStrategies', { name: 'X', initialPrice: -1, daysFree: 1, dailyPrice: 1 }, 400],
    ['filmPricingStrategies', { name: 'X', initialPrice: 1.005, daysFree: 1, dailyPrice: 1 }, 400],
    ['filmPricingStrategies', { name: 'X', initialPrice: 1, daysFree: 1.5, dailyPrice: 1 }, 400],
    ['filmInventoryEntries', { film, barcode: '2000000000008' }, 409],
    ['filmInventoryEntries', { film, barcode: '2000000000003' }, 400],
    ['filmInventoryEntries', { film, barcode: '<b>' }, 400],
    ['filmInventoryEntries', { film: unknownPk }, 422],
    ['rentals', { customer: people.client, inventory: unknownPk }, 422],
    ['rentals', { customer: unknownPk, inventory: copyOf('Matrix 11') }, 422],
    ['rentals', { customer: people.client, inventory: copyOf('Matrix 11'), days: 0 }, 400],
    ['clients', { user: people.client }, 409],
  ]

  describe('bad records', () => {
    let before: string
    beforeAll(async () => {
      before = await store.books()
    })

    test.each(everyThird(refusals))('%s refuse %j', async (name, body, status) => {
      expect((await store.admin.post(`/api/rest/${name}`, body)).status).toBe(status)
      // Reading the books costs more than the request.
      if (runsAll) expect(await store.books()).toBe(before)
    })

    test('none of them has changed the books', async () => {
      expect(await store.books()).toBe(before)
    })
  })

  test('the demo has a catalogue to look around in', async () => {
    const films = await store.staff.get('/api/rest/films?filter=createdBy=isnull=true&_ps=500')
    expect(films.body.page.totalElements).toBeGreaterThanOrEqual(200)
    const titles = new Set(films.body.content.map((one: { title: string; releaseYear: number }) => one.title))
    expect(titles.size).toBeGreaterThan(180)
    for (const one of films.body.content) {
      expect([one.title, one.filmActors.length > 0, one.filmCategories.length > 0, one.copyCount > 0]).toEqual([
        one.title,
        true,
        true,
        true,
      ])
    }
  })

  testAll('without the module there is no such thing', async () => {
    const bare = await startService(database, { settings: { 'app.modules': '' } })
    for (const path of ['/api/rest/films', '/api/rest/order/overdue', '/api/rest/rentals'])
      expect((await bare.as('admin').get(path)).status).toBe(404)
    await bare.stop()
  })
})
