import { beforeAll, expect, test } from 'vitest'
import type { Filter } from '../../src/core/model/query.ts'
import type { StoredRecord } from '../../src/core/model/record.ts'
import { onEachDatabase } from './databases.ts'
import { actors, fieldOf, films, pathTo, queryOf, registry, reviews, sortBy, studios } from './films.ts'

onEachDatabase(registry, store => {
  beforeAll(() =>
    store().transaction(async tx => {
      await tx.insert(studios, 'ghibli', { name: 'Ghibli', city: 'Tokyo' })
      await tx.insert(studios, 'pixar', { name: 'Pixar', owner: 'ghibli' })
      await tx.insert(actors, 'a', { name: 'Ann', agency: 'pixar' })
      await tx.insert(actors, 'b', { name: 'Bob' })
      await tx.insert(films, '1', whole)
      await tx.insert(films, '2', { title: 'Cars', studio: 'pixar', minutes: 117, released: true, actors: ['a'] })
      await tx.insert(films, '3', { title: null, released: false })
      await tx.insert(reviews, 'r1', { stars: 5, film: '1' })
      await tx.insert(reviews, 'r2', { stars: 2, film: '1' })
      await tx.insert(reviews, 'r3', { stars: 4, film: '2' })
    }),
  )

  test('a record comes back in stored form, in the order of its fields, without what is write-only', async () => {
    const film = await store().get(films, '1')
    expect(film).toEqual(wholeRecord)
    expect(Object.keys(film ?? {})).toEqual(Object.keys(wholeRecord))
  })

  test('absent values are null, absent links empty', async () => {
    expect(await store().get(films, '3')).toEqual({
      ...Object.fromEntries(Object.keys(wholeRecord).map(name => [name, null])),
      pk: '3',
      version: 1,
      released: false,
      actors: [],
      reviewCount: 0,
    })
  })

  test.each<[string, [string, number][], string[]]>([
    ['one that is the same', [['2', 1]], []],
    ['one that was changed', [['2', 0]], ['2']],
    ['one that is gone', [['none', 1]], ['none']],
    [
      'several',
      [
        ['1', 1],
        ['none', 1],
        ['2', 7],
        ['3', 1],
        [`'"{}\\,`, 1],
      ],
      [`'"{}\\,`, '2', 'none'],
    ],
    ['none', [], []],
  ])('of records that a client keeps, those that changed are named: %s', async (_, kept, expected) => {
    const changed = await store().changed(
      films,
      kept.map(([pk, version]) => ({ pk, version })),
    )
    expect([...changed].sort()).toEqual(expected)
  })

  test('no record is null', async () => {
    expect(await store().get(films, 'none')).toBeNull()
    expect(await store().get(films, 'no\0ne')).toBeNull()
  })

  test('a filter hides a record from get', async () => {
    const ofPixar: Filter = { op: 'eq', path: pathTo(films, 'studio.name'), value: 'Pixar' }
    expect(await store().get(films, '1', { visible: ofPixar })).toBeNull()
    expect(await store().get(films, '2', { visible: ofPixar })).toMatchObject({ title: 'Cars' })
  })

  test('counts count only what their condition says', async () => {
    expect(await store().get(studios, 'pixar')).toMatchObject({ filmCount: 1, releasedCount: 1 })
    expect(await store().get(studios, 'ghibli')).toMatchObject({ filmCount: 1, releasedCount: 0 })
    expect(await store().get(actors, 'a')).toMatchObject({ filmCount: 2 })
  })

  test('link filters keep labels and links from those who may not see them', async () => {
    const named = (name: string): Filter => ({ op: 'eq', path: pathTo(actors, 'name'), value: name })
    const hidden = await store().get(films, '1', {
      linkFilters: new Map([
        ['studio', false],
        ['actors', false],
      ] as const),
    })
    expect(hidden).toMatchObject({ studio: { pk: 'ghibli', label: null }, actors: [] })
    const inOslo: Filter = { op: 'eq', path: pathTo(studios, 'city'), value: 'Oslo' }
    const linkFilters = new Map<string, Filter>([
      ['studio', inOslo],
      ['actors', named('Bob')],
    ])
    expect(await store().get(films, '1', { linkFilters })).toMatchObject({
      studio: { pk: 'ghibli', label: null },
      actors: [{ pk: 'b', label: 'Bob' }],
    })
  })

  test('a link filter may itself lead through relations', async () => {
    const ownerInTokyo: Filter = { op: 'eq', path: pathTo(studios, 'owner.city'), value: 'Tokyo' }
    const linkFilters = new Map([['studio', ownerInTokyo]])
    const { records } = await store().find(films, queryOf(films, { linkFilters }))
    expect(records.map(record => record.studio)).toEqual([
      { pk: 'ghibli', label: null },
      { pk: 'pixar', label: 'Pixar' },
      null,
    ])
  })

  test('a page costs one statement when it is the last, and one more for the total', async () => {
    const before = store().statements
    expect(await store().find(films, queryOf(films))).toMatchObject({ total: 3, prev: null, next: null })
    expect(store().statements - before).toBe(1)
    const window = { kind: 'offset', offset: 1, limit: 1 } as const
    expect(await store().find(films, queryOf(films, { window }))).toMatchObject({ total: 3, prev: ['2'], next: ['2'] })
    expect(store().statements - before).toBe(3)
  })

  test('no total is counted when none is asked for', async () => {
    const window = { kind: 'offset', offset: 0, limit: 2 } as const
    const before = store().statements
    expect(await store().find(films, queryOf(films, { window, total: 'none' }))).toMatchObject({
      total: null,
      next: ['2'],
    })
    expect(store().statements - before).toBe(1)
  })

  test('a page beyond the end is empty and still has its total', async () => {
    const window = { kind: 'offset', offset: 10, limit: 2 } as const
    expect(await store().find(films, queryOf(films, { window }))).toEqual({
      records: [],
      total: 3,
      estimated: false,
      prev: null,
      next: null,
    })
  })

  test('an estimate is a number of records', async () => {
    const window = { kind: 'offset', offset: 0, limit: 1 } as const
    const filter: Filter = { op: 'gt', path: pathTo(films, 'pk'), value: '0' }
    for (let times = 0; times < 3; times++) {
      const { total } = await store().find(films, queryOf(films, { window, filter, total: 'estimated' }))
      expect(total).toBeGreaterThanOrEqual(1)
    }
  })

  test.each([
    ['studio.name', ['3', '1', '2']],
    ['-studio.name', ['2', '1', '3']],
    ['title', ['3', '2', '1']],
    ['-title', ['1', '2', '3']],
    ['studio', ['3', '1', '2']],
    ['-reviewCount', ['1', '2', '3']],
    ['vault', ['2', '3', '1']],
  ])('sorted by %s, page by page, every record comes once', async (key, expected) => {
    const sort = sortBy(films, key)
    const seen: string[] = []
    const query = queryOf(films, { sort, window: { kind: 'offset', offset: 0, limit: 1 } })
    for await (const batch of store().stream(films, query)) seen.push(...batch.map(record => record.pk))
    expect(seen).toEqual(expected)
  })

  test('the next page starts from the values of the sort keys', async () => {
    const query = queryOf(films, {
      sort: sortBy(films, 'studio.name'),
      window: { kind: 'offset', offset: 0, limit: 2 },
    })
    expect((await store().find(films, query)).next).toEqual(['Ghibli', '1'])
  })

  test('count counts what matches', async () => {
    expect(await store().count(films, null)).toBe(3)
    expect(await store().count(films, { op: 'in', path: pathTo(films, 'pk'), values: ['1', '3', 'x'] })).toBe(2)
  })

  test.each([
    [
      films,
      'actors',
      ['1', '2'],
      [
        ['1', 'a'],
        ['1', 'b'],
        ['2', 'a'],
      ],
    ],
    [
      actors,
      'films',
      ['a'],
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    [
      films,
      'reviews',
      ['2', '1'],
      [
        ['1', 'r1'],
        ['1', 'r2'],
        ['2', 'r3'],
      ],
    ],
  ] as const)('pairs of %s are found in order for some owners', async (resource, name, owners, expected) => {
    expect(await store().pairs(fieldOf(resource, name), owners, { limit: 10 })).toEqual(expected)
    expect(await store().pairs(fieldOf(resource, name), owners, { limit: 1 })).toEqual(expected.slice(0, 1))
  })

  test('ping answers', async () => {
    await expect(store().ping()).resolves.toBeUndefined()
  })
})

const whole = {
  title: 'Totoro',
  code: 'Ü-1',
  minutes: Number.MAX_SAFE_INTEGER,
  released: false,
  premiere: '1988-04-16T01:02:03.400Z',
  shotOn: '1987-12-31',
  tags: ['a "b"', 'c'],
  notes: { x: 'y' },
  vault: 'hidden',
  studio: 'ghibli',
  actors: ['b', 'a'],
}

const wholeRecord: StoredRecord = {
  pk: '1',
  title: 'Totoro',
  code: 'Ü-1',
  minutes: Number.MAX_SAFE_INTEGER,
  released: false,
  premiere: '1988-04-16T01:02:03.400Z',
  shotOn: '1987-12-31',
  tags: ['a "b"', 'c'],
  notes: { x: 'y' },
  studio: { pk: 'ghibli', label: 'Ghibli' },
  actors: [
    { pk: 'a', label: 'Ann' },
    { pk: 'b', label: 'Bob' },
  ],
  reviewCount: 2,
  version: 1,
}
