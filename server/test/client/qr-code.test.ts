// QR codes are read back by the rules of the standard: format, mask, blocks, error correction, text.

import { describe, expect, test } from 'vitest'
import { type QrMatrix, toQrMatrix } from '../../../client/src/areas/account/qr-matrix.ts'

/** Level M with each mask, as annex C of ISO/IEC 18004 lists them. */
const formats = [
  '101010000010010',
  '101000100100101',
  '101111001111100',
  '101101101001011',
  '100010111111001',
  '100000011001110',
  '100111110010111',
  '100101010100000',
]

const bit = (matrix: QrMatrix, row: number, column: number): string => (matrix.isDark(row, column) ? '1' : '0')

const formatOf = (matrix: QrMatrix): string =>
  [
    ...[0, 1, 2, 3, 4, 5, 7, 8].map(column => bit(matrix, 8, column)),
    ...[7, 5, 4, 3, 2, 1, 0].map(row => bit(matrix, row, 8)),
  ].join('')

const secondFormatOf = (matrix: QrMatrix): string => {
  const { size } = matrix
  const below = Array.from({ length: 7 }, (_, at) => bit(matrix, size - 1 - at, 8))
  const right = Array.from({ length: 8 }, (_, at) => bit(matrix, 8, size - 8 + at))
  return [...below, ...right].join('')
}

const row = (matrix: QrMatrix, at: number, length: number): string =>
  Array.from({ length }, (_, column) => bit(matrix, at, column)).join('')

/** The blocks of data and the correction of each, by the size of the code (table 9). */
const blocksOf: Readonly<Record<number, readonly [correction: number, ...data: number[]]>> = {
  21: [10, 16],
  29: [26, 44],
  41: [16, 27, 27, 27, 27],
  57: [26, 43, 43, 43, 43, 44],
}

const centresOf: Readonly<Record<number, readonly number[]>> = { 21: [], 29: [6, 22], 41: [6, 34], 57: [6, 28, 50] }

const isPattern = (size: number, row: number, column: number): boolean => {
  const isCorner = (row < 9 && column < 9) || (row < 9 && column >= size - 8) || (row >= size - 8 && column < 9)
  const isVersion = size >= 45 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11))
  const centres = centresOf[size] ?? []
  const isAlignment = centres.some(down =>
    centres.some(right => {
      const isFinder = [down, right].every(place => place === 6 || place === size - 7) && (down === 6 || right === 6)
      return !isFinder && Math.abs(down - row) <= 2 && Math.abs(right - column) <= 2
    }),
  )
  return isCorner || isVersion || isAlignment || row === 6 || column === 6
}

const isMasked = (mask: number, row: number, column: number): boolean => {
  const product = row * column
  const rules = [
    (row + column) % 2,
    row % 2,
    column % 3,
    (row + column) % 3,
    (Math.floor(row / 2) + Math.floor(column / 3)) % 2,
    (product % 2) + (product % 3),
    ((product % 2) + (product % 3)) % 2,
    (((row + column) % 2) + (product % 3)) % 2,
  ]
  return rules[mask] === 0
}

/** From the lower right corner in columns of two, up and down in turns. */
const codewordsOf = (matrix: QrMatrix): number[] => {
  const { size } = matrix
  const mask = formats.indexOf(formatOf(matrix))
  const bits: number[] = []
  let isUp = true
  for (let right = size - 1; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right -= 1
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (isPattern(size, row, column)) continue
        bits.push(matrix.isDark(row, column) !== isMasked(mask, row, column) ? 1 : 0)
      }
    }
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(''), 2),
  )
}

/** Multiplication in the field of 256 elements, without tables. */
const times = (one: number, other: number): number => {
  let product = 0
  for (let left = one, right = other; right > 0; right >>= 1) {
    if (right & 1) product ^= left
    left = left & 0x80 ? (left << 1) ^ 0x11d : left << 1
  }
  return product
}

/** A block is whole when its polynomial is zero at every root of the generator. */
const isWhole = (block: readonly number[], correction: number): boolean => {
  let root = 1
  for (let at = 0; at < correction; at += 1, root = times(root, 2)) {
    if (block.reduce((sum, word) => times(sum, root) ^ word, 0) !== 0) return false
  }
  return true
}

const readBack = (matrix: QrMatrix): { text: string; areWhole: boolean } => {
  const [correction, ...lengths] = blocksOf[matrix.size] ?? [0]
  const blocks: number[][] = lengths.map(() => [])
  const words = codewordsOf(matrix)[Symbol.iterator]()
  const deal = (rounds: number, takes: (block: number, round: number) => boolean) => {
    for (let round = 0; round < rounds; round += 1)
      for (const [at, block] of blocks.entries()) if (takes(at, round)) block.push(words.next().value ?? 0)
  }
  deal(Math.max(...lengths), (block, round) => round < (lengths[block] ?? 0))
  deal(correction, () => true)
  const bits = blocks
    .flatMap((block, at) => block.slice(0, lengths[at]))
    .map(word => word.toString(2).padStart(8, '0'))
    .join('')
  const counter = matrix.size < 57 ? 8 : 16
  const count = Number.parseInt(bits.slice(4, 4 + counter), 2)
  const bytes = Array.from({ length: count }, (_, at) =>
    Number.parseInt(bits.slice(4 + counter + at * 8, 12 + counter + at * 8), 2),
  )
  return {
    text: new TextDecoder().decode(new Uint8Array(bytes)),
    areWhole: blocks.every(block => isWhole(block, correction)),
  }
}

describe.each([
  ['a word', 'HELLO', 21],
  ['twenty-seven bytes', 'x'.repeat(27), 29],
  [
    'an address of an authenticator',
    `otpauth://totp/Plinth:somebody@example.org?secret=${'ABCD'.repeat(8)}&issuer=Plinth`,
    41,
  ],
  ['letters beyond ASCII', 'Größe ✓', 21],
  ['as much as there is room for', 'y'.repeat(213), 57],
])('%s', (_, text, size) => {
  const matrix = toQrMatrix(text)
  if (!matrix) throw new Error('no code')

  test('takes the smallest version that it fits', () => {
    expect(matrix.size).toBe(size)
  })

  test('is read back, and no block is damaged', () => {
    expect(readBack(matrix)).toEqual({ text, areWhole: true })
  })

  test('tells its format twice, and the same', () => {
    expect(formats).toContain(formatOf(matrix))
    expect(secondFormatOf(matrix)).toBe(formatOf(matrix))
  })

  test('has its three finders and its timing', () => {
    expect([0, 1, 2, 6, 7].map(at => row(matrix, at, 8))).toEqual([
      '11111110',
      '10000010',
      '10111010',
      '11111110',
      '00000000',
    ])
    const timing = Array.from({ length: size - 16 }, (_, at) => bit(matrix, 6, 8 + at)).join('')
    expect(timing).toBe('10'.repeat(size).slice(0, size - 16))
  })
})

test('versions from 7 on tell their number', () => {
  const matrix = toQrMatrix('z'.repeat(110))
  if (!matrix) throw new Error('no code')
  expect(matrix.size).toBe(45)
  const bits = Array.from({ length: 18 }, (_, at) => bit(matrix, Math.floor(at / 3), 45 - 11 + (at % 3)))
  expect(bits.reverse().join('')).toBe('000111110010010100')
})

test('a text that is too long gives no code', () => {
  expect(toQrMatrix('x'.repeat(214))).toBeNull()
})
