// Searches by words of related records: what finds a record, who may find it so, and how the index follows changes of others.

import { databases, featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { links, many, ref, text, textList } from '../../src/core/model/fields.ts'
import { createRegistry } from '../../src/core/model/registry.ts'
import { defineModule } from '../../src/core/module.ts'
import { until } from '../../src/testing/waiting.ts'

const access = { read: 'true', write: "caller.has('ROLE_STAFF')" }

const studios = defineResource('studios', {
  about: 'Studios.',
  label: 'name',
  fields: { name: text({ required: true, max: 100 }), aliases: textList() },
  access,
})

const performers = defineResource('performers', {
  about: 'Performers.',
  label: 'name',
  fields: { name: text({ required: true, max: 100 }) },
  access,
  trash: true,
})

const notes = defineResource('notes', {
  about: 'Notes of the staff.',
  fields: { text: text({ required: true, max: 500 }), movie: ref('movies', { onDelete: 'cascade' }) },
  access: { read: "caller.has('ROLE_STAFF')", write: "caller.has('ROLE_STAFF')" },
})

const opinions = defineResource('opinions', {
  about: 'Opinions, of which callers read their own.',
  fields: { text: text({ required: true, max: 500 }), of: ref('users', { default: 'caller.pk' }) },
  access: { read: "record.of == caller.pk || caller.has('ROLE_STAFF')", write: 'caller.signedIn' },
})

const movies = defineResource('movies', {
  about: 'Movies.',
  label: 'title',
  search: ['title', 'studio.name', 'studio.aliases', 'cast.name', 'notes.text', 'opinion.text'],
  fields: {
    title: text({ required: true, max: 200 }),
    studio: ref(studios, { onDelete: 'clear' }),
    cast: links('performers', { embed: true }),
    notes: many('notes', { by: 'movie' }),
    opinion: ref(opinions, { onDelete: 'clear' }),
  },
  access,
  trash: true,
})

const cinema = defineModule({
  name: 'cinema',
  about: 'Movies.',
  resources: [studios, performers, notes, opinions, movies],
})

const startCinema = (database: (typeof databases)[number]) => startService(database, { modules: [...modules, cinema] })

const titlesFor = async (client: Client, search: string): Promise<readonly string[]> => {
  const { status, body } = await client.get(`/api/rest/movies?search=${encodeURIComponent(search)}`)
  expect([search, status]).toEqual([search, 200])
  return body.content.map(({ title }: { title: string }) => title)
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let simple: Client
  beforeAll(async () => {
    service = await startCinema(database)
    staff = service.as('staff')
    simple = service.as('simple')
  })
  afterAll(() => service.stop())

  const isSound = async () => {
    const { store } = service.app.platform
    await until('the index to follow', () => store.refreshSearch(new AbortController().signal))
    return (await store.checkSearch()).find(({ resource }) => resource === 'movies')
  }
  const change = async (path: string, values: object) => {
    const { status, body } = await staff.patch(`/api/rest/${path}`, values)
    expect([path, status < 300, body?.detail]).toEqual([path, true, undefined])
  }

  test('a record is found by words of the records that it refers to, and follows their changes', async () => {
    const studio = await make(staff, 'studios', { name: 'Harbour Pictures', aliases: ['Quayside'] })
    const greta = await make(staff, 'performers', { name: 'Greta Lindqvist' })
    const other = await make(staff, 'performers', { name: 'Orson Vale' })
    const movie = await make(staff, 'movies', { title: 'The lighthouse', studio: studio.pk, cast: [greta.pk] })
    expect(await titlesFor(simple, 'lighthouse harbour greta ')).toEqual(['The lighthouse'])
    expect(await titlesFor(simple, 'quayside')).toEqual(['The lighthouse'])
    const { matches } = (await simple.get('/api/rest/movies?search=lindqvist&_matches=true')).body
    expect(matches).toMatchObject([{ snippet: 'Greta Lindqvist', marks: [6, 15] }])
    const { groups } = (await simple.get('/api/search?q=lindqvist')).body
    expect(groups[0]).toMatchObject({ resource: 'movies', records: [{ snippet: 'Greta Lindqvist' }] })

    await change(`studios/${studio.pk}`, { name: 'Meadow Pictures', aliases: ['Grassland'] })
    expect([await titlesFor(simple, 'harbour '), await titlesFor(simple, 'meadow grassland ')]).toEqual([
      [],
      ['The lighthouse'],
    ])
    await change(`movies/${movie.pk}`, { cast: [other.pk] })
    expect([await titlesFor(simple, 'greta '), await titlesFor(simple, 'orson ')]).toEqual([[], ['The lighthouse']])
    await service.app.platform.records.update(movies, movie.pk, { studio: null })
    expect(await titlesFor(simple, 'meadow ')).toEqual([])
    expect(await isSound()).toMatchObject({ wrong: 0, left: 0 })
  })

  test('what is deleted is forgotten, and found again when it is restored', async () => {
    const studio = await make(staff, 'studios', { name: 'Thunder House' })
    const hedy = await make(staff, 'performers', { name: 'Hedy Marchetti' })
    const movie = await make(staff, 'movies', { title: 'The comet', studio: studio.pk, cast: [hedy.pk] })
    expect(await titlesFor(simple, 'thunder marchetti ')).toEqual(['The comet'])
    expect((await staff.delete(`/api/rest/performers/${hedy.pk}`)).status).toBe(204)
    expect((await staff.delete(`/api/rest/studios/${studio.pk}`)).status).toBe(204)
    expect([await titlesFor(simple, 'marchetti '), await titlesFor(simple, 'thunder ')]).toEqual([[], []])
    const restore = (path: string) => staff.post(`/api/rest/${path}/restore`, {})
    expect((await restore(`performers/${hedy.pk}`)).status).toBe(200)
    expect(await titlesFor(simple, 'marchetti ')).toEqual(['The comet'])
    expect((await staff.delete(`/api/rest/movies/${movie.pk}`)).status).toBe(204)
    expect(await titlesFor(simple, 'marchetti ')).toEqual([])
    expect((await restore(`movies/${movie.pk}`)).status).toBe(200)
    expect(await titlesFor(simple, 'marchetti comet ')).toEqual(['The comet'])
    expect(await isSound()).toMatchObject({ wrong: 0, left: 0 })
  })

  test('records are found by those that refer to them, which come, move and go', async () => {
    const [first, second] = [
      await make(staff, 'movies', { title: 'The desert' }),
      await make(staff, 'movies', { title: 'The glacier' }),
    ]
    const note = await make(staff, 'notes', { text: 'screened in Rotterdam', movie: first.pk })
    expect(await titlesFor(staff, 'rotterdam ')).toEqual(['The desert'])
    await change(`notes/${note.pk}`, { movie: second.pk })
    expect(await titlesFor(staff, 'rotterdam ')).toEqual(['The glacier'])
    await change(`notes/${note.pk}`, { text: 'screened in Antwerp' })
    expect([await titlesFor(staff, 'rotterdam '), await titlesFor(staff, 'antwerp ')]).toEqual([[], ['The glacier']])
    expect((await staff.delete(`/api/rest/notes/${note.pk}`)).status).toBe(204)
    expect(await titlesFor(staff, 'antwerp ')).toEqual([])
  })

  test('words of records that the caller may not read find nothing, and show nowhere', async () => {
    const movie = await make(staff, 'movies', { title: 'The orchard' })
    await make(staff, 'notes', { text: 'confidential screening', movie: movie.pk })
    const opinion = await make(simple, 'opinions', { text: 'tremendous' })
    await change(`movies/${movie.pk}`, { opinion: opinion.pk })
    expect(await titlesFor(staff, 'confidential tremendous ')).toEqual(['The orchard'])
    for (const hidden of ['confidential ', 'confid', 'confidentail ', 'orchard confidential ', 'tremendous '])
      expect([hidden, await titlesFor(simple, hidden)]).toEqual([hidden, []])
    expect(await titlesFor(simple, 'orchard -confidential')).toEqual(['The orchard'])
    const { matches } = (await simple.get('/api/rest/movies?search=orchard&_matches=true')).body
    expect(matches).toMatchObject([{ snippet: 'The orchard' }])
    expect((await simple.get('/api/search?q=confidential')).body.groups).toEqual([])
    const searched = async (client: Client) => (await client.get('/api/rest/movies/uischema')).body.searchedByWords
    expect(await searched(staff)).toEqual(['title', 'studio', 'cast', 'notes', 'opinion'])
    expect(await searched(simple)).toEqual(['title', 'studio', 'cast'])
  })

  test('a related record of very many others holds up no write, and they follow in the background', async () => {
    const { records, store } = service.app.platform
    const studio = await make(staff, 'studios', { name: 'Crowded Studio' })
    await records.createMany(
      movies,
      Array.from({ length: 120 }, (_, at) => ({ title: `Episode ${at}`, studio: studio.pk })),
    )
    await change(`studios/${studio.pk}`, { name: 'Renamed Studio' })
    const count = (search: string) => records.count(movies, { search })
    await until('the index to follow', async () => (await count('renamed ')) === 120)
    expect(await count('crowded ')).toBe(0)
    await store.packSearch(new AbortController().signal)
    expect(await isSound()).toMatchObject({ wrong: 0, left: 0 })
  })
})

describe.each(databases)('two writers on %s', database => {
  testAll('who change a record and what it refers to at the same time leave the index right', async () => {
    const service = await startCinema(database)
    try {
      const { store } = service.app.platform
      const staff = service.as('staff')
      const cast = await Promise.all(['Ada', 'Bela', 'Cleo'].map(name => make(staff, 'performers', { name })))
      const all = await Promise.all(
        Array.from({ length: 6 }, (_, at) => make(staff, 'movies', { title: `Part ${at}`, cast: [cast[0]?.pk] })),
      )
      for (let round = 0; round < 12; round++)
        await Promise.all([
          ...cast.map(({ pk }, at) => staff.patch(`/api/rest/performers/${pk}`, { name: `Name${round} of${at}` })),
          ...all.map(({ pk }, at) =>
            staff.patch(`/api/rest/movies/${pk}`, { cast: cast.slice(0, (round + at) % 4).map(one => one.pk) }),
          ),
          make(staff, 'movies', { title: `New ${round}`, cast: cast.map(one => one.pk) }),
        ])
      await until('the index to follow', () => store.refreshSearch(new AbortController().signal))
      const findings = await store.checkSearch()
      expect(findings.find(({ resource }) => resource === 'movies')).toMatchObject({ records: 18, wrong: 0, left: 0 })
    } finally {
      await service.stop()
    }
  })
})

test('paths that lead nowhere are refused at the start', () => {
  const faultsOf = (search: readonly string[]) => {
    const wrong = defineResource('movies', {
      about: 'Movies.',
      search,
      fields: { title: text(), cast: links('performers') },
      access,
    })
    try {
      createRegistry([performers, wrong])
      return []
    } catch (error) {
      return String(error)
    }
  }
  expect(faultsOf(['cast.name'])).toEqual([])
  expect(faultsOf(['crew.name'])).toContain("search names 'crew.name', and 'crew' is not a field")
  expect(faultsOf(['title.name'])).toContain("'title' is not a relation")
  expect(faultsOf(['cast.nam'])).toContain("'nam' is not a field of performers; did you mean 'name'?")
  expect(faultsOf(['cast.version'])).toContain('must be a text')
  expect(faultsOf(['cast.agent.name'])).toContain('leads over several relations')
})
