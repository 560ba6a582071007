// Imports of many rows: rows that refer to rows far before them, and imports that are cut off.

import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FileFormat } from '../../src/core/formats/files/file-format.ts'
import { fileFormatOf } from '../../src/core/formats/files/index.ts'
import { type ExchangedLibrary, startExchange } from './exchanged-library.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let library: ExchangedLibrary
  beforeAll(async () => {
    library = await startExchange(database)
  })
  afterAll(() => library.stop())
  beforeEach(() => library.empty('books', 'authors', 'shelves'))

  const pkOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`

  testAll(
    'a check and an import of many rows find the same: rows far apart that refer to each other or have the same key',
    async () => {
      const shelves = Array.from(
        { length: 140 },
        (_, at) => `${pkOf(at)},Shelf ${at},${at < 110 ? '' : pkOf(at - 110)}`,
      )
      const tree = await library.write('tree.csv', 'pk,name,parent', ...shelves, `${pkOf(900)},Orphan,${pkOf(901)}`)
      const labels = Array.from({ length: 130 }, (_, at) => `Label ${at},${at < 110 ? '' : `Label ${at - 110}`}`)
      const named = await library.write('labels.csv', 'name,parent.name', ...labels, 'Nothing above,Label 1000')
      const isbns = Array.from({ length: 150 }, (_, at) => `Book ${at},${1234567000 + (at % 120)}`)
      const books = await library.write('isbns.csv', 'title,isbn', ...isbns)
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
        await library.empty(resource)
        const checked = await library.importFrom(file, resource, { ...more, isDryRun: true })
        expect(checked.counts).toMatchObject(expected)
        expect(await library.importFrom(file, resource, more)).toEqual(checked)
      }
    },
  )

  testAll('a row that builds on hundreds of rows before it ends the check, with the reason', async () => {
    const chain = Array.from({ length: 340 }, (_, at) => `${pkOf(at)},${at},${at === 0 ? '' : pkOf(at - 1)}`)
    const file = await library.write('chain.csv', 'pk,name,parent', ...chain)
    const { counts, reported } = await library.importFrom(file, 'shelves', { isDryRun: true })
    expect(counts.created + counts.refused).toBeLessThan(340)
    expect(reported.at(-1)).toMatch(/^unchecked \d+/)
  })

  test('a row that becomes invalid after the check undoes all or nothing, and is named', async () => {
    const rows = Array.from({ length: 150 }, (_, at) => `t${at},${1234567000 + at}`)
    const file = await library.write('both.csv', 'title,isbn', ...rows)
    const csv = fileFormatOf('csv', undefined)
    let reads = 0
    const format: FileFormat = {
      ...csv,
      async *read(path, check) {
        reads += 1
        yield* csv.read(path, check)
        // The file was read to find rows that build on others, and then to check them: it has not been written yet.
        if (reads === 2) await library.create('books', { title: 'first', isbn: '1234567120' })
      },
    }
    const { counts, reported } = await library.importFrom(file, 'books', { isAtomic: true, format })
    expect([counts, reported]).toEqual([
      { created: 0, changed: 0, unchanged: 0, refused: 1 },
      [expect.stringMatching(/^line 122: isbn /)],
    ])
    expect(await library.all('books')).toHaveLength(1)
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
    const file = await library.write('long.csv', 'title', ...titles)
    const broken = cutOffAfter(180, fileFormatOf('csv', undefined))
    await expect(library.importFrom(file, 'books', { format: broken })).rejects.toThrow('cut off')
    const kept = (await library.all('books')).length
    expect(kept).toBeGreaterThanOrEqual(100)
    const { counts, reported } = await library.importFrom(file, 'books')
    expect(reported[0]).toBe(`resumed ${kept + 1}`)
    expect(counts.created).toBe(250)
    expect((await library.all('books')).map(({ title }: { title: string }) => title).sort()).toEqual([...titles].sort())
  })

  test('an import of JSON in one line that is cut off goes on behind the last row, refused rows included', async () => {
    const titles = Array.from({ length: 210 }, (_, at) => (at === 5 ? '' : `book ${at}`))
    const file = await library.write('one-line.json', JSON.stringify(titles.map(title => ({ title }))))
    const broken = cutOffAfter(180, fileFormatOf('json', undefined))
    await expect(library.importFrom(file, 'books', { format: broken })).rejects.toThrow('cut off')
    expect((await library.all('books')).length).toBeGreaterThanOrEqual(99)
    const { counts } = await library.importFrom(file, 'books')
    expect(counts).toEqual({ created: 209, changed: 0, unchanged: 0, refused: 1 })
    expect(await library.all('books')).toHaveLength(209)
  })
})
