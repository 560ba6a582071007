// Records as files: what is exported can be imported again, invalid rows are reported, and nothing is imported twice.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileFormatOf } from '../../src/core/formats/files/index.ts'
import { type ExchangedLibrary, json, startExchange } from './exchanged-library.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let library: ExchangedLibrary
  beforeAll(async () => {
    library = await startExchange(database)
  })
  afterAll(() => library.stop())
  beforeEach(() => library.empty('books', 'authors', 'shelves'))

  test.each(everyThird(['books.csv', 'books.ndjson', 'books.json', 'books.xlsx']))(
    '%s: what is exported is imported to equal records',
    async file => {
      const shelf = await library.create('shelves', { name: 'West' })
      const author = await library.create('authors', { name: 'Ada, "the first"' })
      const titles = [
        '=SUM(A1)',
        "'=1",
        "''-x",
        '-5',
        '@home',
        'Zeile\nzwei',
        'comma, "quote"',
        "'plain",
        ' padded ',
        '＝wide',
      ]
      for (const [at, title] of titles.entries())
        await library.create('books', {
          title,
          ...(at % 2 === 0 && {
            isbn: `123456789${at}`,
            pages: 10 + at,
            weight: 1.25,
            price: 9.99,
            published: '2020-02-29',
          }),
          ...(at % 3 === 0 && {
            tags: ['one', 'two; three'],
            notes: { a: 'b' },
            shelf: shelf.pk,
            authors: [author.pk],
          }),
          inPrint: at % 2 === 1,
          binding: 'hardcover',
          acquired: '2021-01-02T03:04:05.678Z',
        })
      const before = await library.all('books')
      const { count, out } = await library.exportTo(file, 'books')
      expect(count).toBe(titles.length)
      for (const { pk } of before) await library.service.as('admin').delete(`/api/rest/books/${pk}`)
      const { counts, reported } = await library.importFrom(out, 'books')
      const expected = { created: titles.length, changed: 0, unchanged: 0, refused: 0 }
      expect([counts, reported]).toEqual([expected, ['ignored popularity']])
      expect(await library.all('books')).toEqual(before)
      // Once more, by their keys: nothing is left to change.
      const again = await library.importFrom(out, 'books', { key: ['pk'], mode: 'upsert' })
      expect(again.counts).toEqual({ created: 0, changed: 0, unchanged: titles.length, refused: 0 })
    },
  )

  test('a text that begins like a formula is guarded in CSV', async () => {
    await library.create('authors', { name: '=cmd()' })
    const { out } = await library.exportTo('authors.csv', 'authors', { fields: 'name,known' })
    expect(await readFile(out, 'utf8')).toBe("name,known\r\n'=cmd(),true\r\n")
  })

  test('fields, filter and sort choose what is exported', async () => {
    const shelf = await library.create('shelves', { name: 'East' })
    for (const title of ['b', 'a', 'c']) await library.create('books', { title, shelf: shelf.pk })
    const { out } = await library.exportTo('few.csv', 'books', {
      fields: 'title,shelf.name',
      filter: 'title!=c',
      sort: '-title',
    })
    expect(await readFile(out, 'utf8')).toBe('title,shelf.name\r\nb,East\r\na,East\r\n')
    await expect(library.exportTo('x.csv', 'books', { fields: 'titel' })).rejects.toThrow('Did you mean title?')
    await expect(library.exportTo('x.csv', 'books', { filter: 'titel==x' })).rejects.toThrow('titel')
  })

  test('rows update by a natural key, with mapped columns and references by label', async () => {
    await library.create('shelves', { name: 'North' })
    await library.create('books', { title: 'old', isbn: '1234567890', pages: 7, price: 3 })
    const file = await library.write(
      'by-isbn.csv',
      'Title,ISBN,Shelf,pages',
      'new,1234567890,North,',
      'added,0987654321,,12',
    )
    const mapping = new Map([
      ['Title', 'title'],
      ['ISBN', 'isbn'],
      ['Shelf', 'shelf.name'],
    ])
    const { counts, reported } = await library.importFrom(file, 'books', { key: ['isbn'], mode: 'upsert', mapping })
    expect([counts, reported]).toEqual([{ created: 1, changed: 1, unchanged: 0, refused: 0 }, []])
    const [changed] = (await library.all('books')).filter((book: { isbn: string }) => book.isbn === '1234567890')
    // An empty cell clears the field; a column that is not there keeps it.
    expect(changed).toMatchObject({ title: 'new', pages: null, price: 3, shelf: { name: 'North' } })
  })

  test('a row sees the rows before it: the same key, a parent, a label of the same resource', async () => {
    const keys = await library.write(
      'twice.csv',
      'title,isbn',
      'first,1234567890',
      'other,1234567891',
      'second,1234567890',
    )
    const { counts } = await library.importFrom(keys, 'books', { key: ['isbn'], mode: 'upsert' })
    expect(counts).toEqual({ created: 2, changed: 1, unchanged: 0, refused: 0 })
    expect((await library.all('books')).map(({ title }: { title: string }) => title).sort()).toEqual([
      'other',
      'second',
    ])

    const pkOf = (at: number) => `00000000-0000-4000-8000-00000000000${at}`
    const byPk = await library.write(
      'by-pk.csv',
      'pk,name,parent',
      `${pkOf(1)},Root,`,
      `${pkOf(2)},Twig,${pkOf(1)}`,
      `${pkOf(3)},Leaf,${pkOf(2)}`,
    )
    const byLabel = await library.write('by-label.csv', 'name,parent.name', 'Oak,', 'Branch of the oak,Oak')
    for (const [file, created] of [
      [byPk, 3],
      [byLabel, 2],
    ] as const) {
      const { counts, reported } = await library.importFrom(file, 'shelves')
      expect([counts, reported]).toEqual([{ created, changed: 0, unchanged: 0, refused: 0 }, []])
    }
    const early = await library.write('early.csv', 'pk,name,parent', `${pkOf(5)},Early,${pkOf(4)}`, `${pkOf(4)},Late,`)
    const { counts: late, reported } = await library.importFrom(early, 'shelves')
    expect(late).toEqual({ created: 1, changed: 0, unchanged: 0, refused: 1 })
    expect(reported).toEqual([expect.stringMatching(/^line 2: parent /)])
    const search = '/api/rest/shelves?filter=name=in=(Leaf,"Branch of the oak")&sort=path'
    const { body } = await library.service.as('admin').get(search, json)
    const paths = body.content.map(({ path }: { path: string }) => path)
    expect(paths).toEqual(['Oak: Branch of the oak', 'Root: Twig: Leaf'])
  })

  test('new rows take few statements, with a key and references by label', async () => {
    for (const title of ['One', 'Two']) await library.create('books', { title })
    const rows = Array.from({ length: 100 }, (_, at) => `C-${1000 + at},${at % 2 === 0 ? 'One' : 'Two'}`)
    const file = await library.write('copies.csv', 'pk,book.title', ...rows)
    const { store } = library.service.app.platform
    const before = store.statements
    const { counts } = await library.importFrom(file, 'copies', { key: ['pk'], mode: 'upsert' })
    expect(counts).toEqual({ created: 100, changed: 0, unchanged: 0, refused: 0 })
    expect(store.statements - before).toBeLessThan(50)
  })

  const faulty = () =>
    library.write(
      'faulty.csv',
      'title,isbn,pages,shelf.name',
      'good,1234567890,10,',
      ',1234567891,10,',
      'many pages,1234567892,many,',
      'no shelf,1234567893,,Nowhere',
      'uneven',
      'taken,1234567890,1,',
      'last,1234567894,1,',
    )

  test('invalid rows are reported with line and field, and the others are imported', async () => {
    const { counts, reported } = await library.importFrom(await faulty(), 'books')
    expect(counts).toEqual({ created: 2, changed: 0, unchanged: 0, refused: 5 })
    expect(reported).toEqual([
      expect.stringMatching(/^line 3: title /),
      expect.stringMatching(/^line 4: pages must be/),
      'line 5: shelf.name matches no record of shelves',
      expect.stringMatching(/^line 6: the row has more or fewer cells/),
      expect.stringMatching(/^line 7: isbn /),
    ])
  })

  test('with all or nothing, and in a dry run, all refused rows are reported and nothing is written', async () => {
    const file = await faulty()
    const { reported: refused } = await library.importFrom(file, 'books')
    await library.empty('books')
    for (const options of [{ isAtomic: true }, { isDryRun: true }]) {
      const { counts, reported } = await library.importFrom(file, 'books', options)
      expect(counts).toMatchObject({ created: options.isDryRun ? 2 : 0, refused: 5 })
      expect(reported).toEqual(refused)
      expect(await library.all('books')).toEqual([])
    }
    const sound = await library.write('sound.csv', 'title', 'one', 'two')
    expect((await library.importFrom(sound, 'books', { isDryRun: true })).counts.created).toBe(2)
    expect(await library.all('books')).toEqual([])
    expect((await library.importFrom(sound, 'books', { isAtomic: true })).counts.created).toBe(2)
    expect(await library.all('books')).toHaveLength(2)
  })

  test('columns, files and formats that do not exist are refused before anything is written', async () => {
    const file = await library.write('unknown.csv', 'titel', 'x')
    await expect(library.importFrom(file, 'books')).rejects.toThrow("books has no field 'titel'. Did you mean title?")
    await expect(library.importFrom(join(library.folder, 'missing.csv'), 'books')).rejects.toThrow('does not exist')
    expect(() => fileFormatOf(undefined, 'books.doc')).toThrow("There is no format 'doc'")
    const list = await library.write('object.json', '{"title": "x"}')
    await expect(library.importFrom(list, 'books')).rejects.toThrow('must be a list')
  })
})
