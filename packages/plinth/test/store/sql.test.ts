// The text of a few shapes, beside the rows that they give.

import { describe, expect, test } from 'vitest'
import type { Filter, Query } from '../../src/core/model/query.ts'
import { watchSql } from '../../src/core/store/sqlite/statement-watch.ts'
import { dialects } from './databases.ts'
import { films, pathTo, queryOf, reviews, sortBy, studios } from './films.ts'
import { recordStatements } from './recorded.ts'

/** The conditions one of which stands before the others on SQLite. */
const watches = [watchSql(false), watchSql(true)].map(condition => `${condition} AND `)

const withoutWatch = (text: string): string => watches.reduce((rest, watch) => rest.replaceAll(watch, ''), text)

/** The text with the placeholders of SQLite, which count as those of PostgreSQL do, and without what watches the statement. */
const alike = (texts: readonly string[]): string[] => texts.map(text => withoutWatch(text.replaceAll('$', '?')))

const columns = 'b."pk", b."stars", b."film", t1."title", b."version"'
const label = '(SELECT t1."title" FROM "films" AS t1 WHERE t1."pk" = b."film")'
const joined = 'FROM "reviews" AS b LEFT JOIN "films" AS t1 ON t1."pk" = b."film"'

/** Characters with unusual followers, or with a meaning in patterns. */
const rare = ['\ud7ff', '\uffff', '\u{10ffff}', 'é', 'q^', 'q_', 'q~', 'q\x7f']

describe.each(dialects)('on %s', dialect => {
  const recorded = recordStatements(dialect, async tx => {
    await tx.insert(studios, 's', { name: 'Studio' })
    for (const pk of ['1', '2', '3']) {
      await tx.insert(films, pk, { title: `Film ${pk}`, studio: 's' })
      await tx.insert(reviews, `r${pk}`, { stars: 3, film: pk })
    }
    for (const [index, title] of rare.entries()) await tx.insert(films, `rare${index}`, { title: `${title}!` })
  })
  const find = async (parts: Partial<Query>) =>
    (await recorded().reader.find(reviews, queryOf(reviews, { total: 'none', ...parts }))).records.map(({ pk }) => pk)

  test('a record is read by one statement, with the labels of its links', async () => {
    expect(await recorded().reader.get(reviews, 'r1')).toMatchObject({ film: { pk: '1', label: 'Film 1' } })
    expect(alike(recorded().sent())).toEqual([`SELECT ${columns} ${joined} WHERE b."pk" = ?1`])
  })

  test('a filter, an order and a label along the same relation share its join', async () => {
    const filter: Filter = { op: 'ne', path: pathTo(reviews, 'film.title'), value: 'Film 2' }
    expect(await find({ filter, sort: sortBy(reviews, '-film.title') })).toEqual(['r3', 'r1'])
    const nulls = dialect === 'postgres' ? { down: ' NULLS LAST', up: ' NULLS FIRST' } : { down: '', up: '' }
    expect(alike(recorded().sent())).toEqual([
      `SELECT ${columns} ${joined} WHERE t1."title" IS DISTINCT FROM ?1 ` +
        `ORDER BY t1."title" DESC${nulls.down}, b."pk"${nulls.up} LIMIT ?2 OFFSET ?3`,
    ])
  })

  test('the pk of a related record needs no join, and no text of its own for each length of a list', async () => {
    const ofFilms = (...values: string[]): Filter => ({ op: 'in', path: pathTo(reviews, 'film.pk'), values })
    expect(await recorded().reader.count(reviews, ofFilms('1'))).toBe(1)
    expect(await recorded().reader.count(reviews, ofFilms('3', '2', '2'))).toBe(2)
    const among = { sqlite: 'IN (SELECT value FROM json_each(?1))', postgres: '= ANY(?1::text[])' }[dialect]
    const text = `SELECT count(*) FROM "reviews" AS b WHERE b."film" ${among}`
    const sent = recorded().sent()
    expect(alike(sent)).toEqual([text, text])
    expect(sent.map(one => one !== withoutWatch(one))).toEqual(Array(2).fill(dialect === 'sqlite'))
  })

  test('where the matches must be sorted, only the records of the page are read and joined', async () => {
    const filter: Filter = { op: 'gt', path: pathTo(reviews, 'stars'), value: 2 }
    expect(await find({ filter })).toEqual(['r1', 'r2', 'r3'])
    const keys = 'SELECT b."pk" FROM "reviews" AS b WHERE b."stars" > ?1 ORDER BY b."pk" LIMIT ?2 OFFSET ?3'
    const among = { sqlite: `IN (${keys})`, postgres: `= ANY(ARRAY(${keys}))` }[dialect]
    expect(alike(recorded().sent())).toEqual([
      `SELECT ${columns.replace('t1."title"', label)} FROM "reviews" AS b WHERE b."pk" ${among} ORDER BY b."pk"`,
    ])
  })

  test('matches that are counted are found by what they match, not by walking the order', async () => {
    const filter: Filter = { op: 'gt', path: pathTo(reviews, 'stars'), value: 2 }
    const window = { kind: 'offset', offset: 0, limit: 2 } as const
    expect(await find({ filter, window, sort: sortBy(reviews, '-stars'), total: 'exact' })).toHaveLength(2)
    expect(await find({ filter, window, total: 'exact' })).toEqual(['r1', 'r2'])
    const fenced = '(SELECT b."pk" FROM (SELECT b."pk" FROM "reviews" AS b WHERE b."stars" > ?1 OFFSET 0) AS b ORDER BY'
    expect(alike(recorded().sent()).join('\n').includes(fenced)).toBe(dialect === 'postgres')
  })

  test('labels bring joins to a page on PostgreSQL only where an index gives its order', async () => {
    expect(await find({ sort: sortBy(reviews, 'film') })).toContain('r1')
    expect(recorded().sent().join().includes('JOIN')).toBe(dialect === 'postgres')
    expect(await find({ sort: sortBy(reviews, '-stars') })).toContain('r1')
    expect(recorded().sent().join()).not.toContain('JOIN')
    await find({ sort: sortBy(reviews, 'film.title') })
    expect(recorded().sent().join()).toContain('JOIN')
  })

  test('the page after a record is one range of an index', async () => {
    const window = { kind: 'after', values: ['1', 'r1'], limit: 1 } as const
    expect(await find({ sort: sortBy(reviews, 'film'), window })).toEqual(['r2'])
    const before = { kind: 'before', values: ['1', 'r2'], limit: 1 } as const
    expect(await find({ sort: sortBy(reviews, 'film'), window: before })).toEqual(['r1'])
    const [text] = recorded().sent()
    expect(text).toMatch(/WHERE \(b\."film", b\."pk"\) > \([?$]1, [?$]2\) ORDER BY b\."film"/)
    expect(await recorded().plan()).toMatch(/plinth_i_reviews__film__pk/)
    expect(await recorded().plan()).not.toMatch(/sort|b-tree/i)
  })

  test('a to-many relation is asked for by EXISTS, on its own pairs when only pks matter', async () => {
    const has = (actor: string): Filter => ({ op: 'eq', path: pathTo(films, 'actors.pk'), value: actor })
    expect(await recorded().reader.count(films, has('nobody'))).toBe(0)
    // SQLite would make a join of it.
    const fence = dialect === 'sqlite' ? ' LIMIT 1' : ''
    expect(alike(recorded().sent())).toEqual([
      'SELECT count(*) FROM "films" AS b WHERE ' +
        `EXISTS (SELECT 1 FROM "films_actors" AS t1 WHERE t1."owner" = b."pk" AND t1."target" = ?1${fence})`,
    ])
  })

  test('alternatives behind the same relations are looked for together', async () => {
    const titled = (title: string): Filter => ({ op: 'eq', path: pathTo(films, 'studio.films.title'), value: title })
    const parts = Array.from({ length: 100 }, (_, at) => titled(`Film ${at}`))
    expect(await recorded().reader.count(films, { op: 'or', parts })).toBe(3)
    const [text = ''] = alike(recorded().sent())
    expect(text.match(/SELECT/g)).toHaveLength(2)
    expect(text).toMatch(/WHERE \(\(?b\."studio" IN \(SELECT (DISTINCT )?t\d\."studio" FROM "films" AS t\d WHERE/)
    // It does not depend on the film: the database runs it once.
    expect(await recorded().plan()).not.toMatch(/CORRELATED|SubPlan \d+$/)
  })

  test('conditions that must all hold may each be met by another record', async () => {
    const titled = (title: string): Filter => ({ op: 'eq', path: pathTo(films, 'studio.films.title'), value: title })
    expect(await recorded().reader.count(films, { op: 'and', parts: [titled('Film 1'), titled('Film 2')] })).toBe(3)
    expect(await recorded().reader.count(films, { op: 'and', parts: [titled('Film 1'), titled('none')] })).toBe(0)
    for (const text of recorded().sent()) expect(text.match(/ IN \(SELECT/g)).toHaveLength(2)
  })

  test('a way that leads back to where it came from is not taken', async () => {
    const path = pathTo(films, 'studio.films.studio.films.studio.films.title')
    expect(await recorded().reader.count(films, { op: 'eq', path, value: 'Film 2' })).toBe(3)
    const ofItself = pathTo(films, 'reviews.film.title')
    expect(await recorded().reader.count(films, { op: 'eq', path: ofItself, value: 'Film 2' })).toBe(1)
    const [long = '', own = ''] = recorded().sent()
    expect(long.match(/SELECT/g)).toHaveLength(2)
    expect(own).toMatch(/EXISTS \(SELECT 1 FROM "reviews".*\) AND b\."title" = /)
  })

  test('many conditions on related records stay subselects, since planning them as joins would take for ever', async () => {
    const has = (actor: number): Filter => ({ op: 'eq', path: pathTo(films, 'actors.pk'), value: `${actor}` })
    const parts = Array.from({ length: 30 }, (_, at) => has(at))
    expect(await recorded().reader.count(films, { op: 'and', parts })).toBe(0)
    expect(
      recorded()
        .sent()
        .join()
        .match(/EXISTS/g),
    ).toHaveLength(30)
    if (dialect === 'postgres') expect((await recorded().plan()).match(/^ *SubPlan/gm)).toHaveLength(30 - 8)
  })

  test('a link filter that is met twice is asked for twice and given once', async () => {
    const linkFilter: Filter = { op: 'eq', path: pathTo(films, 'title'), value: 'Film 1' }
    const filter: Filter = { op: 'null', path: pathTo(reviews, 'film.minutes', { film: linkFilter }), isNull: true }
    await find({ filter, linkFilters: new Map([['film', linkFilter]]) })
    const text = alike(recorded().sent()).join()
    expect(text).toContain(`${joined} AND t1."title" = ?1 WHERE t1."minutes" IS NULL`)
    expect(text.match(/JOIN/g)).toHaveLength(1)
  })

  test('ways of the same spelling and another meaning do not share a statement', async () => {
    const film = pathTo(reviews, 'film').field
    const back = film.back
    if (!back) throw new Error('films know no way back to their reviews')
    const stars = pathTo(reviews, 'stars').field
    const step = { relation: back, target: reviews, linkFilter: null }
    const direct: Filter = { op: 'eq', path: { steps: [step], field: reviews.pk }, value: '1' }
    expect(await recorded().reader.count(films, direct)).toBe(0)
    const further: Filter = { op: 'eq', path: pathTo(films, 'reviews.film.pk'), value: '1' }
    expect(await recorded().reader.count(films, further)).toBe(1)
    expect(await recorded().reader.count(films, { op: 'eq', path: { steps: [step], field: stars }, value: 3 })).toBe(3)
  })

  test.each(rare)('exactly the texts that begin with %j are found', async beginning => {
    const pks = rare.flatMap((title, index) => (title === beginning ? [`rare${index}`] : []))
    const filter: Filter = { op: 'like', path: pathTo(films, 'title'), pattern: [beginning, ''], ignoreCase: false }
    const { records } = await recorded().reader.find(films, queryOf(films, { filter }))
    expect(records.map(({ pk }) => pk)).toEqual(pks)
  })

  test.each(['%', '_', '*', '?', '[a]', "'", '"', '\\', "'; DROP TABLE films; --", '$1', '?1', '{}', 'NULL'])(
    'the text %s is only ever a value',
    async text => {
      const literal: Filter[] = [
        { op: 'eq', path: pathTo(films, 'title'), value: text },
        { op: 'in', path: pathTo(films, 'title'), values: [text] },
        { op: 'like', path: pathTo(films, 'title'), pattern: [text], ignoreCase: false },
        { op: 'like', path: pathTo(films, 'title'), pattern: [text], ignoreCase: true },
        { op: 'like', path: pathTo(films, 'title'), pattern: [text, 'ß'], ignoreCase: true },
        { op: 'in', path: pathTo(films, 'tags'), values: [[text]] },
      ]
      for (const filter of literal) expect(await recorded().reader.count(films, filter)).toBe(0)
      expect(recorded().sent().join()).not.toContain('DROP')
    },
  )
})
