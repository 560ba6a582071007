import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsvRecords } from './csv-records.ts'

const read = async (...pieces: string[]) => {
  const records: { cells: string[]; line: number }[] = []
  const found = readCsvRecords(
    (async function* () {
      yield* pieces
    })(),
  )
  for await (const { cells, line } of found) records.push({ cells: cells.map(({ text }) => text), line })
  return records
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

test('what is written is read, whatever it holds and wherever the pieces end', () => {
  const cell = fc.array(fc.constantFrom('a', '"', ',', '\n', '\r', ';', ' ', 'é', '\t')).map(signs => signs.join(''))
  const property = fc.asyncProperty(
    fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.array(fc.nat(80)),
    async (rows, newline, cuts) => {
      const text = rows.map(cells => cells.map(quoted).join(',') + newline).join('')
      const places = [0, ...cuts.map(cut => Math.min(cut, text.length)).sort((a, b) => a - b), text.length]
      const pieces = places.slice(1).map((to, at) => text.slice(places[at], to))
      expect((await read(...pieces)).map(({ cells }) => cells)).toEqual(rows)
    },
  )
  return checkProperty(property, { runs: 300 })
})

test('lines are counted where rows end, and empty lines are left out', async () => {
  expect(await read('\ufeffa,b\r\n\r\n1,"two\r\nlines"\r\n3,\r\n')).toEqual([
    { cells: ['a', 'b'], line: 1 },
    { cells: ['1', 'two\r\nlines'], line: 4 },
    { cells: ['3', ''], line: 5 },
  ])
  expect(await read('a,b\n1,2')).toEqual([
    { cells: ['a', 'b'], line: 1 },
    { cells: ['1', '2'], line: 2 },
  ])
  expect(await read()).toEqual([])
})

test('semicolons and tabs separate cells where the first line has no comma', async () => {
  for (const [text, cells] of [
    [
      'a;"b,c"\n1,5;2\n',
      [
        ['a', 'b,c'],
        ['1,5', '2'],
      ],
    ],
    [
      'a\tb\n1;2\t3\n',
      [
        ['a', 'b'],
        ['1;2', '3'],
      ],
    ],
    [
      'a,b\n1;2,3\n',
      [
        ['a', 'b'],
        ['1;2', '3'],
      ],
    ],
    ['a\n1;2\n', [['a'], ['1;2']]],
  ] as const)
    expect((await read(text)).map(record => record.cells)).toEqual(cells)
})

test('a quote inside of a cell is text; one that is not closed, or closed too early, is refused with its line', async () => {
  expect((await read('a,b\n5" pipe,x"y"\n'))[1]?.cells).toEqual(['5" pipe', 'x"y"'])
  await expect(read('a,b\n1,2\n"open,3\n4,5\n')).rejects.toThrow('The quote that is opened in line 3 is never closed.')
  await expect(read('a,b\n"1"x,2\n')).rejects.toThrow('Line 2: after a closing quote the cell must end.')
})

test('an endless row is refused', async () => {
  const piece = 'x'.repeat(1_000_000)
  await expect(read('a\n"', ...Array.from({ length: 11 }, () => piece))).rejects.toThrow('is too long')
})
