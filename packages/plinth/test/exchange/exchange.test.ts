// Records as files: what is exported can be imported again, invalid rows are reported, and nothing is imported twice.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { startLibrary } from '@plinth/test-kit/library'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FileFormat } from '../../src/core/formats/files/file-format.ts'
import { fileFormatOf } from '../../src/core/formats/files/index.ts'
import { contextFor } from '../../src/core/rest/context.ts'
import { commandLine, exportRecords, findResource } from '../../src/modules/exchange/commands.ts'
import { importFile } from '../../src/modules/exchange/import-records.ts'
import type { ImportEvent, ImportFileTask } from '../../src/modules/exchange/import-task.ts'

const json = { Accept: 'application/json' }

const inShort = (event: ImportEvent): string => {
  if (event.kind === 'ignored') return `ignored ${event.column}`
  if (event.kind !== 'refused') return `${event.kind} ${'line' in event ? event.line : event.rows}`
  const { message, details } = event.problem
  const faults = details.errors?.map(({ member: field, message }) => `${field ?? ''} ${message}`).join('; ')
  return `line ${event.row.line}: ${faults || message}`
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let folder: string
  beforeAll(async () => {
    service = await startLibrary(database)
    folder = await mkdtemp(join(tmpdir(), 'plinth-exchange-'))
  })
  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const empty = (...names: string[]) =>
    service.app.platform.store.transaction(async tx => {
      for (const name of names) await tx.removeWhere(tx.resource(name), { op: 'const', value: true })
    })
  beforeEach(() => empty('books', 'authors', 'shelves'))

  const create = async (resource: string, body: object) => {
    const answer = await service.as('admin').post(`/api/rest/${resource}`, body, json)
    expect(answer).toHaveStatus(201)
    return answer.body
  }
  const all = async (resource: string) => {
    const { content } = (await service.as('admin').get(`/api/rest/${resource}?_ps=500&sort=pk`, json)).body
    return content.map(
      ({
        version,
        createdDate,
        lastModifiedDate,
        createdBy,
        lastModifiedBy,
        ...rest
      }: object & Record<string, unknown>) => rest,
    )
  }
  const exportTo = async (file: string, resource: string, more: object = {}) => {
    const out = join(folder, file)
    const { platform } = service.app
    const task = { resource: findResource(platform, resource), format: fileFormatOf(undefined, out), out, ...more }
    const count = await exportRecords(platform, task)
    return { count, out }
  }
  const importFrom = async (file: string, resource: string, more: Partial<ImportFileTask> = {}) => {
    const { platform } = service.app
    const reported: string[] = []
    const counts = await importFile(contextFor(platform, commandLine), {
      resource: findResource(platform, resource),
      file,
      format: fileFormatOf(undefined, file),
      key: [],
      mode: 'create',
      mapping: new Map(),
      isAtomic: false,
      isDryRun: false,
      report: event => reported.push(inShort(event)),
      ...more,
    })
    return { counts, reported }
  }
  const write = async (name: string, ...lines: string[]) => {
    const file = join(folder, name)
    await writeFile(file, lines.join('\n'))
    return file
  }

  test.each(['books.csv', 'books.ndjson', 'books.json', 'books.xlsx'])(
    '%s: what is exported is imported to equal records',
    async file => {
      const shelf = await create('shelves', { name: 'West' })
      const author = await create('authors', { name: 'Ada, "the first"' })
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
        await create('books', {
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
      const before = await all('books')
      const { count, out } = await exportTo(file, 'books')
      expect(count).toBe(titles.length)
      for (const { pk } of before) await service.as('admin').delete(`/api/rest/books/${pk}`)
      const { counts, reported } = await importFrom(out, 'books')
      const expected = { created: titles.length, changed: 0, unchanged: 0, refused: 0 }
      expect([counts, reported]).toEqual([expected, ['ignored popularity']])
      expect(await all('books')).toEqual(before)
      // Once more, by their keys: nothing is left to change.
      const again = await importFrom(out, 'books', { key: ['pk'], mode: 'upsert' })
      expect(again.counts).toEqual({ created: 0, changed: 0, unchanged: titles.length, refused: 0 })
    },
  )

  test('a text that begins like a formula is guarded in CSV', async () => {
    await create('authors', { name: '=cmd()' })
    const { out } = await exportTo('authors.csv', 'authors', { fields: 'name,known' })
    expect(await readFile(out, 'utf8')).toBe("name,known\r\n'=cmd(),true\r\n")
  })

  test('fields, filter and sort choose what is exported', async () => {
    const shelf = await create('shelves', { name: 'East' })
    for (const title of ['b', 'a', 'c']) await create('books', { title, shelf: shelf.pk })
    const { out } = await exportTo('few.csv', 'books', {
      fields: 'title,shelf.name',
      filter: 'title!=c',
      sort: '-title',
    })
    expect(await readFile(out, 'utf8')).toBe('title,shelf.name\r\nb,East\r\na,East\r\n')
    await expect(exportTo('x.csv', 'books', { fields: 'titel' })).rejects.toThrow('Did you mean title?')
    await expect(exportTo('x.csv', 'books', { filter: 'titel==x' })).rejects.toThrow('titel')
  })

  test('rows update by a natural key, with mapped columns and references by label', async () => {
    await create('shelves', { name: 'North' })
    await create('books', { title: 'old', isbn: '1234567890', pages: 7, price: 3 })
    const file = await write('by-isbn.csv', 'Title,ISBN,Shelf,pages', 'new,1234567890,North,', 'added,0987654321,,12')
    const mapping = new Map([
      ['Title', 'title'],
      ['ISBN', 'isbn'],
      ['Shelf', 'shelf.name'],
    ])
    const { counts, reported } = await importFrom(file, 'books', { key: ['isbn'], mode: 'upsert', mapping })
    expect([counts, reported]).toEqual([{ created: 1, changed: 1, unchanged: 0, refused: 0 }, []])
    const [changed] = (await all('books')).filter((book: { isbn: string }) => book.isbn === '1234567890')
    // An empty cell clears the field; a column that is not there keeps it.
    expect(changed).toMatchObject({ title: 'new', pages: null, price: 3, shelf: { name: 'North' } })
  })

  test('a row sees the rows before it: the same key, a parent, a label of the same resource', async () => {
    const keys = await write('twice.csv', 'title,isbn', 'first,1234567890', 'other,1234567891', 'second,1234567890')
    const { counts } = await importFrom(keys, 'books', { key: ['isbn'], mode: 'upsert' })
    expect(counts).toEqual({ created: 2, changed: 1, unchanged: 0, refused: 0 })
    expect((await all('books')).map(({ title }: { title: string }) => title).sort()).toEqual(['other', 'second'])

    const pkOf = (at: number) => `00000000-0000-4000-8000-00000000000${at}`
    const byPk = await write(
      'by-pk.csv',
      'pk,name,parent',
      `${pkOf(1)},Root,`,
      `${pkOf(2)},Twig,${pkOf(1)}`,
      `${pkOf(3)},Leaf,${pkOf(2)}`,
    )
    const byLabel = await write('by-label.csv', 'name,parent.name', 'Oak,', 'Branch of the oak,Oak')
    for (const [file, created] of [
      [byPk, 3],
      [byLabel, 2],
    ] as const) {
      const { counts, reported } = await importFrom(file, 'shelves')
      expect([counts, reported]).toEqual([{ created, changed: 0, unchanged: 0, refused: 0 }, []])
    }
    const early = await write('early.csv', 'pk,name,parent', `${pkOf(5)},Early,${pkOf(4)}`, `${pkOf(4)},Late,`)
    const { counts: late, reported } = await importFrom(early, 'shelves')
    expect(late).toEqual({ created: 1, changed: 0, unchanged: 0, refused: 1 })
    expect(reported).toEqual([expect.stringMatching(/^line 2: parent /)])
    const search = '/api/rest/shelves?filter=name=in=(Leaf,"Branch of the oak")&sort=path'
    const { body } = await service.as('admin').get(search, json)
    const paths = body.content.map(({ path }: { path: string }) => path)
    expect(paths).toEqual(['Oak: Branch of the oak', 'Root: Twig: Leaf'])
  })

  test('new rows take few statements, with a key and references by label', async () => {
    for (const title of ['One', 'Two']) await create('books', { title })
    const rows = Array.from({ length: 100 }, (_, at) => `C-${1000 + at},${at % 2 === 0 ? 'One' : 'Two'}`)
    const file = await write('copies.csv', 'pk,book.title', ...rows)
    const { store } = service.app.platform
    const before = store.statements
    const { counts } = await importFrom(file, 'copies', { key: ['pk'], mode: 'upsert' })
    expect(counts).toEqual({ created: 100, changed: 0, unchanged: 0, refused: 0 })
    expect(store.statements - before).toBeLessThan(50)
  })

  const faulty = () =>
    write(
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
    const { counts, reported } = await importFrom(await faulty(), 'books')
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
    const { reported: refused } = await importFrom(file, 'books')
    await empty('books')
    for (const options of [{ isAtomic: true }, { isDryRun: true }]) {
      const { counts, reported } = await importFrom(file, 'books', options)
      expect(counts).toMatchObject({ created: options.isDryRun ? 2 : 0, refused: 5 })
      expect(reported).toEqual(refused)
      expect(await all('books')).toEqual([])
    }
    const sound = await write('sound.csv', 'title', 'one', 'two')
    expect((await importFrom(sound, 'books', { isDryRun: true })).counts.created).toBe(2)
    expect(await all('books')).toEqual([])
    expect((await importFrom(sound, 'books', { isAtomic: true })).counts.created).toBe(2)
    expect(await all('books')).toHaveLength(2)
  })

  const pkOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`

  test('a check and an import of many rows find the same: rows far apart that refer to each other or have the same key', async () => {
    const shelves = Array.from({ length: 140 }, (_, at) => `${pkOf(at)},Shelf ${at},${at < 110 ? '' : pkOf(at - 110)}`)
    const tree = await write('tree.csv', 'pk,name,parent', ...shelves, `${pkOf(900)},Orphan,${pkOf(901)}`)
    const labels = Array.from({ length: 130 }, (_, at) => `Label ${at},${at < 110 ? '' : `Label ${at - 110}`}`)
    const named = await write('labels.csv', 'name,parent.name', ...labels, 'Nothing above,Label 1000')
    const isbns = Array.from({ length: 150 }, (_, at) => `Book ${at},${1234567000 + (at % 120)}`)
    const books = await write('isbns.csv', 'title,isbn', ...isbns)
    const cases = [
      { file: tree, resource: 'shelves', expected: { created: 140, refused: 1 }, more: {} },
      { file: named, resource: 'shelves', expected: { created: 130, refused: 1 }, more: {} },
      { file: books, resource: 'books', expected: { created: 120, refused: 30 }, more: {} },
      {
        file: books,
        resource: 'books',
        expected: { created: 120, changed: 30 },
        more: { key: ['isbn'], mode: 'upsert' },
      },
    ] as const
    for (const { file, resource, expected, more } of cases) {
      await empty(resource)
      const checked = await importFrom(file, resource, { ...more, isDryRun: true })
      expect(checked.counts).toMatchObject(expected)
      expect(await importFrom(file, resource, more)).toEqual(checked)
    }
  })

  testAll('a row that builds on hundreds of rows before it ends the check, with the reason', async () => {
    const chain = Array.from({ length: 340 }, (_, at) => `${pkOf(at)},${at},${at === 0 ? '' : pkOf(at - 1)}`)
    const file = await write('chain.csv', 'pk,name,parent', ...chain)
    const { counts, reported } = await importFrom(file, 'shelves', { isDryRun: true })
    expect(counts.created + counts.refused).toBeLessThan(340)
    expect(reported.at(-1)).toMatch(/^unchecked \d+/)
  })

  test('a row that becomes invalid after the check undoes all or nothing, and is named', async () => {
    const rows = Array.from({ length: 150 }, (_, at) => `t${at},${1234567000 + at}`)
    const file = await write('both.csv', 'title,isbn', ...rows)
    const csv = fileFormatOf('csv', undefined)
    let reads = 0
    const format: FileFormat = {
      ...csv,
      async *read(path, check) {
        reads += 1
        yield* csv.read(path, check)
        // The file was read to find rows that build on others, and then to check them: it has not been written yet.
        if (reads === 2) await create('books', { title: 'first', isbn: '1234567120' })
      },
    }
    const { counts, reported } = await importFrom(file, 'books', { isAtomic: true, format })
    expect([counts, reported]).toEqual([
      { created: 0, changed: 0, unchanged: 0, refused: 1 },
      [expect.stringMatching(/^line 122: isbn /)],
    ])
    expect(await all('books')).toHaveLength(1)
  })

  /** Reads this many rows, then fails. */
  const cutOffAfter = (rows: number, format: FileFormat): FileFormat => ({
    ...format,
    async *read(path, check) {
      let read = 0
      for await (const row of format.read(path, check)) {
        if (++read > rows) throw new Error('cut off')
        yield row
      }
    },
  })

  test('an import that is cut off goes on behind the last row that was written', async () => {
    const titles = Array.from({ length: 250 }, (_, at) => `book ${at}`)
    const file = await write('long.csv', 'title', ...titles)
    const broken = cutOffAfter(180, fileFormatOf('csv', undefined))
    await expect(importFrom(file, 'books', { format: broken })).rejects.toThrow('cut off')
    const kept = (await all('books')).length
    expect(kept).toBeGreaterThanOrEqual(100)
    const { counts, reported } = await importFrom(file, 'books')
    expect(reported[0]).toBe(`resumed ${kept + 1}`)
    expect(counts.created).toBe(250)
    expect((await all('books')).map(({ title }: { title: string }) => title).sort()).toEqual([...titles].sort())
  })

  test('an import of JSON in one line that is cut off goes on behind the last row, refused rows included', async () => {
    const titles = Array.from({ length: 210 }, (_, at) => (at === 5 ? '' : `book ${at}`))
    const file = await write('one-line.json', JSON.stringify(titles.map(title => ({ title }))))
    const broken = cutOffAfter(180, fileFormatOf('json', undefined))
    await expect(importFrom(file, 'books', { format: broken })).rejects.toThrow('cut off')
    expect((await all('books')).length).toBeGreaterThanOrEqual(99)
    const { counts } = await importFrom(file, 'books')
    expect(counts).toEqual({ created: 209, changed: 0, unchanged: 0, refused: 1 })
    expect(await all('books')).toHaveLength(209)
  })

  test('columns, files and formats that do not exist are refused before anything is written', async () => {
    const file = await write('unknown.csv', 'titel', 'x')
    await expect(importFrom(file, 'books')).rejects.toThrow("books has no field 'titel'. Did you mean title?")
    await expect(importFrom(join(folder, 'missing.csv'), 'books')).rejects.toThrow('does not exist')
    expect(() => fileFormatOf(undefined, 'books.doc')).toThrow("There is no format 'doc'")
    const list = await write('object.json', '{"title": "x"}')
    await expect(importFrom(list, 'books')).rejects.toThrow('must be a list')
  })
})
