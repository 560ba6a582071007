// Searches take the index that is there for them: their plans tell.

import { describe, expect, test } from 'vitest'
import type { Filter, Query } from '../../src/core/model/query.ts'
import type { Link } from '../../src/core/model/record.ts'
import type { Resource } from '../../src/core/model/resource.ts'
import { dialects } from './databases.ts'
import { films, pathTo, queryOf, sortBy, studios } from './films.ts'
import { recordStatements } from './recorded.ts'

const count = 2500
const padded = (at: number) => String(at).padStart(4, '0')

describe.each(dialects)('on %s', dialect => {
  const recorded = recordStatements(dialect, async tx => {
    const numbers = Array.from({ length: count }, (_, at) => at)
    await tx.insertAll(
      studios,
      numbers.map(at => ({ pk: `s${padded(at)}`, values: { name: `Studio ${padded(at)}` } })),
    )
    await tx.insertAll(
      films,
      numbers.map(at => ({
        pk: `f${padded(at)}`,
        values: { title: at % 3 === 0 ? null : `Film ${padded(at % 20)}`, studio: `s${padded(at % 20)}` },
      })),
    )
    const spellings = ['Élodie', 'E\u0301LODIE', 'ÉLODIE']
    await tx.insertAll(
      films,
      spellings.map((title, at) => ({ pk: `g${at}`, values: { title, studio: 's0003' } })),
    )
  })
  const find = async (resource: Resource, parts: Partial<Query>) => {
    recorded().sent()
    const found = await recorded().reader.find(resource, queryOf(resource, parts))
    return { ...found, pks: found.records.map(({ pk }) => pk) }
  }
  const page = (offset: number, limit = 3) => ({ kind: 'offset', offset, limit }) as const

  describe('numbered pages', () => {
    test('find the keys of the page before they read labels', async () => {
      await find(films, { sort: sortBy(films, 'title'), window: page(10), total: 'none' })
      expect(recorded().sent().join()).toMatch(
        /WHERE b\."pk" (IN|= ANY\(ARRAY) ?\(SELECT b\."pk" FROM "films" AS b ORDER BY/,
      )
      expect(await recorded().plan()).toMatch(/plinth_i_films__title__pk/)
    })

    test('find them so also when the order comes from another record', async () => {
      const all = await find(films, { sort: sortBy(films, 'studio.name'), window: page(0, 60), total: 'none' })
      const some = await find(films, { sort: sortBy(films, 'studio.name'), window: page(30, 5), total: 'none' })
      expect(some.pks).toEqual(all.pks.slice(30, 35))
      expect(recorded().sent().join()).toMatch(
        /WHERE b\."pk" (IN|= ANY\(ARRAY) ?\(SELECT b\."pk" FROM "films" AS b LEFT JOIN/,
      )
    })

    test.each([
      ['in the middle', 1200, 50],
      ['beyond the middle', 1400, 50],
      ['the last that is full', 2490, 10],
      ['the last that is not', 2496, 10],
    ])('the page %s is right, and so are its neighbours', async (_, offset, limit) => {
      const expected = Array.from({ length: Math.min(limit, count - offset) }, (_, at) => `s${padded(offset + at)}`)
      for (const sort of [sortBy(studios, 'name'), sortBy(studios)]) {
        const { pks, total, prev, next } = await find(studios, { sort, window: page(offset, limit) })
        expect(pks).toEqual(expected)
        expect(total).toBe(count)
        expect(prev?.at(-1)).toBe(expected[0])
        expect(next?.at(-1)).toBe(offset + limit < count ? expected.at(-1) : undefined)
      }
    })

    test('beyond the middle they come from the end', async () => {
      await find(studios, { sort: sortBy(studios, 'name'), window: page(2497) })
      expect(recorded().sent().join()).toMatch(/ORDER BY b\."name" DESC/)
      await find(studios, { sort: sortBy(studios, 'name'), window: page(1200) })
      expect(recorded().sent().join()).not.toMatch(/DESC/)
    })

    test('the same page again, and the page after it, begin after a known record', async () => {
      for (const sort of [sortBy(films, '-title'), sortBy(films)]) {
        const pages = []
        for (const offset of [1500, 1500, 1503, 1506]) {
          const { pks, prev, next } = await find(films, { sort, window: page(offset), total: 'none' })
          pages.push({ pks, prev, next, isSkipping: recorded().sent().join().includes('OFFSET') })
        }
        const all = await find(films, { sort, window: page(0, 1600), total: 'none' })
        expect(pages.map(({ pks }) => pks)).toEqual([1500, 1500, 1503, 1506].map(at => all.pks.slice(at, at + 3)))
        expect(pages[1]).toEqual({ ...pages[0], isSkipping: false })
        expect(pages.map(({ isSkipping }) => isSkipping)).toEqual([true, false, false, false])
      }
    })

    test('a page beyond the end is empty, and costs a count', async () => {
      const { pks, total, prev, next } = await find(studios, { window: page(2500) })
      expect([pks, total, prev, next]).toEqual([[], count, null, null])
      expect(recorded().sent()).toHaveLength(1)
    })
  })

  test.each([
    ['title', 'before'],
    ['-title', 'after'],
    ['title', 'after'],
    ['-title', 'before'],
  ] as const)('by an optional field, %s, the records %s a cursor are ranges of an index', async (order, kind) => {
    const sort = sortBy(films, order).map(key => ({ ...key, descending: order.startsWith('-') }))
    const { records } = await find(films, { sort, window: page(0, count + 3), total: 'none' })
    const keys = records.map(({ pk, title }) => ({ pk, values: [title, pk] }))
    for (const at of [0, 7, 833, 834, 835, 1665, 1666, 1667, count - 1]) {
      const { pks } = await find(films, {
        sort,
        window: { kind, values: keys[at]?.values ?? [], limit: 4 },
        total: 'none',
      })
      const expected = kind === 'after' ? keys.slice(at + 1, at + 5) : keys.slice(Math.max(0, at - 4), at)
      expect(pks, `at ${at}`).toEqual(expected.map(({ pk }) => pk))
      const plan = await recorded().plan()
      if (dialect === 'sqlite') {
        const uses = plan.match(/plinth_[ic]_films__title.*/g) ?? []
        expect(uses.length).toBeGreaterThan(0)
        for (const use of uses) expect(use).toMatch(/\(title[=<>]\?|\(title>NULL|\(\(?title,pk\)/)
      } else expect(plan).toMatch(/Index Cond: .*title/)
    }
  })

  test.each([
    ['title', 'plinth_i_films__studio__title__pk'],
    ['-title', 'plinth_i_films__studio__title__pk'],
    ['pk', 'plinth_i_films__studio__pk'],
  ])('the records of one reference come in the order %s from an index', async (key, index) => {
    const filter: Filter = { op: 'eq', path: pathTo(films, 'studio'), value: 's0001' }
    for (const total of ['exact', 'none'] as const) {
      const sort = key === 'pk' ? sortBy(films) : sortBy(films, key)
      const { pks } = await find(films, { filter, sort, window: page(0), total })
      expect(pks).toHaveLength(3)
      const [text = ''] = recorded().sent()
      // Nothing is found first, and nothing keeps the planner from the index.
      expect(text).not.toMatch(/ IN \(|ARRAY|OFFSET 0/)
      if (total === 'none') expect(await recorded().plan()).toContain(index)
    }
  })

  test('the records that refer to others with a name come in order from the index of each of these', async () => {
    const named = (name: string): Filter => ({ op: 'eq', path: pathTo(films, 'studio.name'), value: name })
    const hidden = pathTo(films, 'studio.name', { studio: { op: 'eq', path: pathTo(studios, 'pk'), value: 's0002' } })
    const minutes: Filter = { op: 'null', path: pathTo(films, 'minutes'), isNull: true }
    const titled: Filter = { op: 'null', path: pathTo(films, 'title'), isNull: false }
    const all = await find(films, { sort: sortBy(films, 'title'), window: page(0, count + 3), total: 'none' })
    const ofStudio = all.records.filter(({ studio }) => (studio as Link | null)?.pk === 's0003').map(({ pk }) => pk)
    const filter = named('Studio 0003')
    for (const [offset, limit] of [
      [0, 5],
      [50, 5],
      [120, 200],
    ] as const) {
      const { pks } = await find(films, { filter, sort: sortBy(films, 'title'), window: page(offset, limit) })
      expect(pks).toEqual(ofStudio.slice(offset, offset + limit))
    }
    const first = await find(films, { filter, sort: sortBy(films, '-title'), window: page(0, 5), total: 'none' })
    if (dialect === 'sqlite') {
      const plan = await recorded().plan()
      expect(plan).toMatch(
        /CORRELATED LIST SUBQUERY \d+\n\s*SEARCH b USING COVERING INDEX plinth_i_films__studio__title__pk/,
      )
    }
    const next = first.next ?? []
    const window = { kind: 'after', values: next, limit: 5 } as const
    expect((await find(films, { filter, sort: sortBy(films, '-title'), window })).records).toHaveLength(5)
    const both: Filter = { op: 'and', parts: [filter, minutes, titled] }
    const some = await find(films, { filter: both, sort: sortBy(films, 'title'), window: page(0, 3) })
    expect(some.pks).toEqual(ofStudio.filter(pk => all.records.some(one => one.pk === pk && one.title)).slice(0, 3))
    const none = { op: 'eq', path: hidden, value: 'Studio 0003' } as const
    expect((await find(films, { filter: none, sort: sortBy(films, 'title'), window: page(0, 3) })).pks).toEqual([])
  })

  test.each([
    ['film 0003', 'title'],
    ['FILM 0003', 'title'],
    ['film 0003', 'pk'],
  ])('texts that begin with %s, in any case, are a range of an index, sorted by %s', async (beginning, key) => {
    const filter: Filter = { op: 'like', path: pathTo(films, 'title'), pattern: [beginning, ''], ignoreCase: true }
    const sort = key === 'pk' ? sortBy(films) : sortBy(films, key)
    const { records } = await find(films, { filter, sort, window: page(0, 5), total: 'none' })
    expect(records).toHaveLength(5)
    for (const { title } of records) expect(String(title).toLowerCase()).toContain(beginning.toLowerCase())
    expect(await recorded().plan(true)).toContain('plinth_c_films__title')
    await recorded().reader.count(films, filter)
    expect(await recorded().plan(true)).toContain('plinth_c_films__title')
  })

  test.each([
    ['in any case', ['', 'ILM 0003', ''], true],
    ['in its own case', ['', 'ilm 0003', ''], false],
    ['in several pieces', ['', 'fil', '0003', ''], true],
    ['in letters beyond ASCII', ['', 'ÉLODIE', ''], true],
    ['from the beginning, beyond ASCII', ['élo', ''], true],
  ])('a part of a text, %s, is found by its trigrams', async (_, pattern, ignoreCase) => {
    const filter: Filter = { op: 'like', path: pathTo(films, 'title'), pattern, ignoreCase }
    // As lists are read: counted, and all matches on the page, so that its statement is the last.
    const { records } = await find(films, { filter, sort: sortBy(films, 'title'), window: page(0, 100) })
    expect(records.length).toBeGreaterThan(0)
    expect(await recorded().plan(true)).toContain('plinth_t_films__title')
    const total = await recorded().reader.count(films, filter)
    expect(total).toBe(pattern.join().match(/lo/i) ? 3 : 83)
    expect(await recorded().plan(true)).toContain('plinth_t_films__title')
  })

  test('a part of fewer than three characters is looked for in every text', async () => {
    const filter: Filter = { op: 'like', path: pathTo(films, 'title'), pattern: ['', '03', ''], ignoreCase: true }
    recorded().sent()
    expect(await recorded().reader.count(films, filter)).toBe(83)
    expect(recorded().sent().join()).not.toContain('plinth_t_')
  })
})
