import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { buildProgram } from '@plinth/test-kit/program'
import { openStore, strategyOf, type TestStore } from '@plinth/test-kit/rental-store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importFilms } from '../src/import-films.ts'

const header = 'title,releaseYear,mpaaRating,replacementCost,pricingStrategy,actors,categories,barcodes,copies'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let store: TestStore
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plinth-import-'))
    store = await openStore(database)
  })
  afterAll(async () => {
    await store.stop()
    await rm(folder, { recursive: true })
  })

  const importing = async (...lines: string[]) => {
    const file = join(folder, 'films.csv')
    await writeFile(file, lines.join('\r\n'))
    const reported: string[] = []
    const counts = await importFilms(store.app.platform, { file, report: line => reported.push(line) })
    return { counts, reported }
  }
  const filmsNamed = async (title: string) =>
    (await store.staff.get(`/api/rest/films?title=${encodeURIComponent(title)}`)).body.content
  const countOf = async (name: string) =>
    Number((await store.staff.get(`/api/rest/${name}?_ps=1`)).headers.get('x-total-count'))

  const rows = [
    `\uFEFF${header}`,
    '"The ""Long"" Quay, Part 2",1999,pg13,12.5,Old,Alma Abendroth; Quill Newcomer,Fiction: Drama; Essay: Short,Q-1; Q-2,',
    'Plain,,,,,,,,2',
  ]

  test('a film comes in whole: people, categories, copies', async () => {
    const { counts, reported } = await importing(...rows)
    expect([counts, reported]).toEqual([{ created: 2, changed: 0, unchanged: 0, refused: 0 }, []])
    const [film] = await filmsNamed('The "Long" Quay, Part 2')
    expect(film).toMatchObject({
      releaseYear: 1999,
      mpaaRating: 'PG-13',
      replacementCost: 12.5,
      pricingStrategy: { pk: strategyOf('old') },
      copyCount: 2,
      availableCount: 2,
    })
    expect(film.filmActors.map((one: { name: string }) => one.name).sort()).toEqual([
      'Alma Abendroth',
      'Quill Newcomer',
    ])
    const short = await store.staff.get('/api/rest/filmCategories?name=Short')
    expect(short.body.content).toMatchObject([{ path: 'Essay: Short', pathLevel: 1 }])
    expect(await filmsNamed('Plain')).toMatchObject([
      { copyCount: 2, mpaaRating: 'unrated', pricingStrategy: { pk: strategyOf('regular') } },
    ])
  })

  test('the same file again changes nothing, and a changed row what it says', async () => {
    const names = ['films', 'filmActors', 'filmCategories', 'filmInventoryEntries']
    const before = await Promise.all(names.map(countOf))
    expect((await importing(...rows)).counts).toEqual({ created: 0, changed: 0, unchanged: 2, refused: 0 })
    expect(await Promise.all(names.map(countOf))).toEqual(before)
    // Known by its barcode, a film may even change its title.
    const { counts } = await importing(header, 'The Long Quay,1999,R,,,,,Q-2,3', 'Plain,,,9.99,,,,,')
    expect(counts).toEqual({ created: 0, changed: 2, unchanged: 0, refused: 0 })
    expect(await filmsNamed('The Long Quay')).toMatchObject([{ mpaaRating: 'R', replacementCost: 12.5, copyCount: 3 }])
  })

  test('rows that cannot be taken are named, and all others are', async () => {
    const { counts, reported } = await importing(
      header,
      'Good One,2001,G,,,,,,',
      ',2001,G,,,,,,',
      'Bad Rating,2001,X,,,,,,',
      'Bad Year,soon,G,,,,,,',
      'Bad Price,2001,G,1.005,,,,,',
      'Bad Strategy,2001,G,,Free,,,,',
      'Bad Barcode,2001,G,,,,,4006381333932,',
      'Stolen Barcode,2001,G,,,,,Q-1; 2000000000008,',
      'Bad Copies,2001,G,,,,,,many',
      'Too Short,2001',
      'Too Long,2001,G,,,,,,,,,',
      'Good Two,2001,G,,,,,,1',
    )
    expect(counts).toEqual({ created: 2, changed: 0, unchanged: 0, refused: 10 })
    expect(reported).toEqual([
      expect.stringMatching(/^line 3: title/),
      expect.stringMatching(/^line 4: mpaaRating/),
      expect.stringMatching(/^line 5: releaseYear/),
      expect.stringMatching(/^line 6: replacementCost/),
      expect.stringMatching(/^line 7: pricingStrategy 'Free'/),
      expect.stringMatching(/^line 8: barcode.*check digit/),
      expect.stringMatching(/^line 9: barcodes/),
      expect.stringMatching(/^line 10: copies/),
      expect.stringMatching(/^line 11: the row has more or fewer cells/),
      expect.stringMatching(/^line 12: the row has more or fewer cells/),
    ])
    for (const title of ['Bad Barcode', 'Stolen Barcode', 'Bad Copies', 'Too Short', 'Too Long'])
      expect(await filmsNamed(title)).toEqual([])
    expect(await filmsNamed('Good Two')).toHaveLength(1)
  })

  test.each([
    ['an unknown column', ['title,colour', 'X,red'], /Unknown: colour/],
    ['no title', ['releaseYear', '2001'], /including title/],
    ['a row that breaks off', [header, '"Open'], /Quote|quote/],
  ])('a file with %s is refused', async (_, lines, message) => {
    await expect(importing(...lines)).rejects.toThrow(message)
  })

  testAll(
    'a large catalogue comes in by streams, with news on the way',
    async () => {
      const many = Array.from({ length: 2050 }, (_, at) => `Bulk ${at},2005,G,,,,,,`)
      const { counts, reported } = await importing(header, ...many)
      expect(counts.created).toBe(2050)
      expect(reported).toEqual(['1000 rows', '2000 rows'])
    },
    120_000,
  )
})

testAll(
  'the command tells of every row that it refuses, and ends accordingly',
  async () => {
    const program = await buildProgram('import')
    const folder = await mkdtemp(join(tmpdir(), 'plinth-import-'))
    const file = join(folder, 'films.csv')
    const run = async (...lines: string[]) => {
      await writeFile(file, lines.join('\n'))
      const args = [program.file, 'import', 'films', file, `--app.dataDir=${folder}`]
      const ended = promisify(execFile)(process.execPath, args, { cwd: folder })
      const { stdout, stderr, code } = await ended.then(
        done => ({ ...done, code: 0 }),
        (failed: { stdout: string; stderr: string; code: number }) => failed,
      )
      return { code, stdout, stderr }
    }
    expect(await run(header, 'One,2001,G,,,,,,1')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 films created, 0 changed, 0 unchanged, 0 refused\.$/m),
    })
    expect(await run(header, 'One,2001,G,,,,,,1', 'Two,soon,G,,,,,,')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^0 films created, 0 changed, 1 unchanged, 1 refused\.$/m),
      stderr: expect.stringMatching(/^line 3: releaseYear/m),
    })
    const reading = (path: string) =>
      promisify(execFile)(process.execPath, [program.file, 'import', 'films', path, `--app.dataDir=${folder}`]).catch(
        (failed: { stderr: string; code: number }) => failed,
      )
    expect(await reading(join(folder, 'none.csv'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\S+none\.csv does not exist\.\n$/),
    })
    expect(await reading(folder)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\S+ is a folder, not a file\.\n$/),
    })
    await rm(folder, { recursive: true })
    await program.remove()
  },
  60_000,
)
