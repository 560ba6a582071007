// The databases and a plain evaluation in memory agree on every filter, order and cursor.

import { extent } from '@plinth/test-kit/extent'
import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Filter, Query, SortKey } from '../../src/core/model/query.ts'
import type { Values } from '../../src/core/model/record.ts'
import type { Store } from '../../src/core/store/store.ts'
import { openStore } from './databases.ts'
import { compareBy, matches, type Tables } from './evaluate.ts'
import { actors, films, pathTo, registry, reviews, studios } from './films.ts'

const letters = ['a', 'A', 'b', 'B', 'z', 'ß', 'Σ', 'σ', 'ς', 'İ', 'é', 'e\u0301', 'É', 'ﬀ', 'Ａ', '𝒳', 'K']
const signs = ['%', '_', '*', '?', '[', ']', '\\', "'", '"', '{', ',', ' ']
const word = fc.string({ unit: fc.constantFrom(...letters, ...signs), maxLength: 3 })
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 3 })
const pks = ['1', '2', '3', '4', '5', '6']
const somePks = fc.subarray(pks.slice(0, 3))

const values = {
  text: word,
  integer: fc.integer({ min: -2, max: 2 }),
  boolean: fc.boolean(),
  timestamp: fc.constantFrom('0001-01-01T00:00:00.000Z', '2024-02-29T23:59:59.990Z', '2024-02-29T23:59:59.999Z'),
  date: fc.constantFrom('0001-01-01', '2024-02-29', '9999-12-31'),
  pk: fc.constantFrom(...pks.slice(0, 4)),
}

const rowsOf = (row: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Values[]> =>
  fc.subarray(pks).chain(some => fc.tuple(...some.map(pk => fc.record({ ...row, pk: fc.constant(pk) }))))

/** Text that must be unique carries its pk; references are cut when their target was not made. */
const dataset = fc
  .record({
    studios: rowsOf({ name: word, city: orNull(word), owner: orNull(values.pk) }),
    actors: rowsOf({ name: word, agency: orNull(values.pk) }),
    films: rowsOf({
      title: orNull(word),
      minutes: orNull(values.integer),
      released: orNull(values.boolean),
      premiere: orNull(values.timestamp),
      shotOn: orNull(values.date),
      tags: orNull(fc.array(word, { maxLength: 2 })),
      studio: orNull(values.pk),
      actors: somePks,
      fans: somePks,
    }),
    reviews: rowsOf({ stars: values.integer, film: values.pk }),
  })
  .map((tables): Tables => {
    const has = (resource: keyof typeof tables, pk: unknown) => tables[resource].some((row: Values) => row.pk === pk)
    const only = (resource: keyof typeof tables, list: unknown) => (list as string[]).filter(pk => has(resource, pk))
    const cut = (resource: keyof typeof tables, pk: unknown) => (has(resource, pk) ? pk : null)
    return new Map<string, Values[]>([
      [
        'studios',
        tables.studios.map(row => ({ ...row, name: `${row.name}${row.pk}`, owner: cut('studios', row.owner) })),
      ],
      ['actors', tables.actors.map(row => ({ ...row, agency: cut('studios', row.agency) }))],
      [
        'films',
        tables.films.map(row => ({
          ...row,
          studio: cut('studios', row.studio),
          actors: only('actors', row.actors),
          fans: only('actors', row.fans),
        })),
      ],
      ['reviews', tables.reviews.filter(row => has('films', row.film))],
    ])
  })

// Searches are generated as plain words, so that a counterexample can be read, and become queries at the last moment.

type Spec =
  | { op: string; on: keyof typeof fields; value?: unknown; values?: unknown[]; pattern?: string[]; flag?: boolean }
  | { op: 'and' | 'or'; parts: Spec[] }
  | { op: 'not'; part: Spec }
  | { op: 'const'; value: boolean }

const citied: Filter = { op: 'null', path: pathTo(studios, 'owner.city'), isNull: false }
const starred: Filter = { op: 'ge', path: pathTo(reviews, 'stars'), value: 0 }
const titled: Filter = { op: 'null', path: pathTo(films, 'title'), isNull: false }
const withFilms: Filter = { op: 'gt', path: pathTo(actors, 'filmCount'), value: 1 }

const fields = {
  title: { value: values.text, guards: {} },
  minutes: { value: values.integer, guards: {} },
  released: { value: values.boolean, guards: {} },
  premiere: { value: values.timestamp, guards: {} },
  shotOn: { value: values.date, guards: {} },
  tags: { value: word.map(one => [one]), guards: {} },
  pk: { value: values.pk, guards: {} },
  studio: { value: values.pk, guards: {} },
  'studio.pk': { value: values.pk, guards: { studio: citied } },
  'studio.name': { value: values.text, guards: {} },
  'studio.owner.city': { value: values.text, guards: { owner: citied } },
  'studio.filmCount': { value: values.integer, guards: {} },
  reviewCount: { value: values.integer, guards: {} },
  'reviews.stars': { value: values.integer, guards: { reviews: starred } },
  'actors.pk': { value: values.pk, guards: {} },
  'actors.name': { value: values.text, guards: {} },
  'actors.agency.city': { value: values.text, guards: { actors: withFilms, agency: citied } },
  'studio.films.reviews.stars': { value: values.integer, guards: {} },
  'fans.films.title': { value: values.text, guards: {} },
  'studio.films.title': { value: values.text, guards: {} },
  'studio.films.minutes': { value: values.integer, guards: { studio: citied } },
  // Ways that lead back to where they came from.
  'reviews.film.title': { value: values.text, guards: {} },
  'reviews.film.reviews.stars': { value: values.integer, guards: { reviews: starred } },
  'studio.films.studio.films.minutes': { value: values.integer, guards: { studio: citied } },
  'studio.films.studio.city': { value: values.text, guards: { studio: citied } },
  'reviews.film.minutes': { value: values.integer, guards: { film: titled } },
}

const fieldNames = Object.keys(fields) as (keyof typeof fields)[]
const texts = ['title', 'tags', 'studio.name', 'actors.name', 'fans.films.title', 'studio.films.title'] as const

const comparison: fc.Arbitrary<Spec> = fc.oneof(
  fc.constantFrom(...fieldNames).chain(on => {
    const value: fc.Arbitrary<unknown> = fields[on].value
    return fc.oneof(
      fc.record({
        op: fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'),
        on: fc.constant(on),
        value: orNull(value),
      }),
      fc.record({
        op: fc.constantFrom('in', 'out'),
        on: fc.constant(on),
        values: fc.array(orNull(value), { maxLength: 3 }),
      }),
      fc.record({ op: fc.constant('null'), on: fc.constant(on), flag: fc.boolean() }),
    )
  }),
  fc.record({
    op: fc.constantFrom('like', 'unlike'),
    on: fc.constantFrom(...texts),
    pattern: fc.array(word, { minLength: 1, maxLength: 3 }),
    flag: fc.boolean(),
  }),
)

const { filter } = fc.letrec<{ filter: Spec }>(tie => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    comparison,
    fc.record({ op: fc.constantFrom('and', 'or'), parts: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ op: fc.constant('not'), part: tie('filter') }),
    fc.record({ op: fc.constant('const'), value: fc.boolean() }),
  ),
}))

const toFilter = (spec: Spec): Filter => {
  if ('parts' in spec) return { op: spec.op, parts: spec.parts.map(toFilter) }
  if ('part' in spec) return { op: 'not', part: toFilter(spec.part) }
  if (!('on' in spec)) return { op: 'const', value: spec.value }
  const { on, flag, ...rest } = spec
  const path = pathTo(films, on, fields[on].guards)
  return { ...rest, path, isNull: flag, ignoreCase: flag } as Filter
}

const sortable = [
  ...['title', 'minutes', 'released', 'premiere', 'shotOn', 'studio'],
  'studio.owner.city',
  'reviewCount',
]
const sort = fc
  .record({
    keys: fc.array(fc.tuple(fc.boolean(), fc.constantFrom(...sortable)), { maxLength: 3 }),
    last: fc.boolean(),
  })
  .map(({ keys, last }) => [...keys, [last, 'pk'] as const].map(([down, key]) => (down ? `-${key}` : key)))

const toSort = (keys: readonly string[]): SortKey[] =>
  keys.map(key => ({ path: pathTo(films, key.replace(/^-/, '')), descending: key.startsWith('-') }))

const search = fc.record({ filter: orNull(filter), sort, limit: fc.integer({ min: 1, max: 4 }) })

const fill = (store: Store, tables: Tables) =>
  store.transaction(async tx => {
    const resources = [reviews, films, actors, studios]
    for (const resource of resources) await tx.removeWhere(resource, { op: 'const', value: true })
    for (const resource of [...resources].reverse()) {
      const rows = tables.get(resource.name) ?? []
      for (const { pk, owner, ...row } of rows) await tx.insert(resource, String(pk), row)
      // A studio's owner may come after it.
      for (const { pk, owner } of rows) if (owner) await tx.update(resource, String(pk), { owner })
    }
  })

describe('every database', () => {
  const stores = { sqlite: openStore('sqlite', registry), postgres: openStore('postgres', registry) }

  test('finds, orders, pages and counts as memory does', async () => {
    const property = fc.asyncProperty(
      dataset,
      fc.array(search, { minLength: 20, maxLength: 30 }),
      async (tables, searches) => {
        for (const store of Object.values(stores)) await fill(store(), tables)
        for (const { limit, ...spec } of searches) {
          const filter = spec.filter && toFilter(spec.filter)
          const sort = toSort(spec.sort)
          const rows = (tables.get('films') ?? []).filter(row => !filter || matches(tables, filter, row))
          const expected = rows.sort(compareBy(tables, sort)).map(row => row.pk)
          for (const store of Object.values(stores)) {
            expect([store().database, ...(await pagesOf(store(), { filter, sort, limit }))]).toEqual([
              store().database,
              ...expected,
            ])
            expect(await store().count(films, filter)).toBe(expected.length)
          }
        }
      },
    )
    await checkProperty(property, { runs: extent(3, 12) })
  }, 120_000)

  test('finds texts by their parts as memory does, with the indexes on texts', async () => {
    const longer = fc.string({ unit: fc.constantFrom(...letters, ...signs), minLength: 2, maxLength: 7 })
    const pieces = fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 }), fc.boolean()), {
      minLength: 1,
      maxLength: 2,
    })
    const part = fc.record({
      of: fc.nat({ max: 11 }),
      pieces,
      open: fc.tuple(fc.boolean(), fc.boolean()),
      any: fc.boolean(),
    })
    const property = fc.asyncProperty(
      fc.array(longer, { minLength: 12, maxLength: 12 }),
      fc.array(part, { minLength: 30, maxLength: 40 }),
      async (titles, parts) => {
        const rows = titles.map((title, at) => ({ pk: `t${at}`, title, actors: [], fans: [] }))
        const tables: Tables = new Map<string, Values[]>([['films', rows]])
        for (const store of Object.values(stores)) await fill(store(), tables)
        for (const { of, pieces, open, any } of parts) {
          const cut = pieces.map(([from, length, up]) => {
            const piece = [...(titles[of] ?? '')].slice(from, from + length).join('')
            return up ? piece.toUpperCase() : piece
          })
          const pattern = [...(open[0] ? [''] : []), ...cut, ...(open[1] ? [''] : [])]
          const filter: Filter = { op: 'like', path: pathTo(films, 'title'), pattern, ignoreCase: any }
          const expected = rows.filter(row => matches(tables, filter, row)).map(row => row.pk)
          for (const store of Object.values(stores)) {
            const found = await pagesOf(store(), { filter, sort: toSort(['pk']), limit: 20 })
            expect([store().database, pattern, any, ...found]).toEqual([
              store().database,
              pattern,
              any,
              ...expected.sort(),
            ])
          }
        }
      },
    )
    await checkProperty(property, { runs: 8 })
  }, 120_000)
})

const pagesOf = async (
  store: Store,
  { filter, sort, limit }: { filter: Filter | null; sort: SortKey[]; limit: number },
) => {
  const query: Query = {
    filter,
    sort,
    window: { kind: 'offset', offset: 0, limit },
    total: 'none',
    linkFilters: new Map(),
  }
  const found: string[] = []
  for await (const batch of store.stream(films, query)) found.push(...batch.map(record => record.pk))
  return found
}
