// A text as a QR code (ISO/IEC 18004), byte mode, error correction level M, versions 1 to 10: up to 213 bytes.

interface Version {
  /** Codewords of error correction in each block. */
  readonly correction: number
  /** Codewords of data in each block. */
  readonly blocks: readonly number[]
  /** Centres of the alignment patterns, in both directions. */
  readonly centres: readonly number[]
}

/** Tables 9 and E.1 of the standard. */
const versions: readonly Version[] = [
  { correction: 10, blocks: [16], centres: [] },
  { correction: 16, blocks: [28], centres: [6, 18] },
  { correction: 26, blocks: [44], centres: [6, 22] },
  { correction: 18, blocks: [32, 32], centres: [6, 26] },
  { correction: 24, blocks: [43, 43], centres: [6, 30] },
  { correction: 16, blocks: [27, 27, 27, 27], centres: [6, 34] },
  { correction: 18, blocks: [31, 31, 31, 31], centres: [6, 22, 38] },
  { correction: 22, blocks: [38, 38, 39, 39], centres: [6, 24, 42] },
  { correction: 22, blocks: [36, 36, 36, 37, 37], centres: [6, 26, 46] },
  { correction: 26, blocks: [43, 43, 43, 43, 44], centres: [6, 28, 50] },
]

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? 0

/** Powers and logarithms in the field of 256 elements with the polynomial 0x11d. */
const powers = new Uint8Array(512)
const logarithms = new Uint8Array(256)
for (let exponent = 0, value = 1; exponent < 255; exponent += 1) {
  powers[exponent] = value
  powers[exponent + 255] = value
  logarithms[value] = exponent
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0)
}

const times = (one: number, other: number): number =>
  one === 0 || other === 0 ? 0 : at(powers, at(logarithms, one) + at(logarithms, other))

/** Reed and Solomon: the remainder of the data by the generator of this degree. */
const correctionOf = (data: readonly number[], degree: number): number[] => {
  let generator = [1]
  for (let root = 0; root < degree; root += 1) {
    const next = [...generator, 0]
    for (const [index, factor] of generator.entries())
      next[index + 1] = at(next, index + 1) ^ times(factor, at(powers, root))
    generator = next
  }
  const rest = [...data, ...new Array<number>(degree).fill(0)]
  for (let index = 0; index < data.length; index += 1) {
    const lead = at(rest, index)
    for (const [offset, factor] of generator.entries())
      rest[index + offset] = at(rest, index + offset) ^ times(factor, lead)
  }
  return rest.slice(data.length)
}

const bitsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, index) => (value >>> (length - 1 - index)) & 1)

/** Mode, length, content, terminator and padding as codewords. */
const dataCodewords = (bytes: Uint8Array, number: number, capacity: number): number[] => {
  const bits = [...bitsOf(4, 4), ...bitsOf(bytes.length, number < 10 ? 8 : 16)]
  for (const byte of bytes) bits.push(...bitsOf(byte, 8))
  bits.push(...bitsOf(0, Math.min(4, capacity * 8 - bits.length)))
  while (bits.length % 8 !== 0) bits.push(0)
  const words: number[] = []
  for (let index = 0; index < bits.length; index += 8)
    words.push(bits.slice(index, index + 8).reduce((word, bit) => (word << 1) | bit, 0))
  for (let pad = 0xec; words.length < capacity; pad ^= 0xec ^ 0x11) words.push(pad)
  return words
}

/** Blocks are sent in turns, so that a stain harms each of them a little. */
const interleaved = (words: readonly number[], { blocks, correction }: Version): number[] => {
  const starts = blocks.map((_, index) => blocks.slice(0, index).reduce((sum, length) => sum + length, 0))
  const data = blocks.map((length, index) => words.slice(starts[index], at(starts, index) + length))
  const corrections = data.map(block => correctionOf(block, correction))
  const longest = Math.max(...blocks)
  const inTurns = (parts: readonly (readonly number[])[], length: number) =>
    Array.from({ length }, (_, index) => parts.flatMap(part => part[index] ?? [])).flat()
  return [...inTurns(data, longest), ...inTurns(corrections, correction)]
}

export interface QrMatrix {
  readonly size: number
  readonly isDark: (row: number, column: number) => boolean
}

/** The remainder that protects the format and version numbers (annexes C and D). */
const protectedBits = (value: number, generator: number, degree: number): number => {
  let rest = value << degree
  for (let bit = 31 - Math.clz32(rest); bit >= degree; bit = 31 - Math.clz32(rest)) {
    rest ^= generator << (bit - degree)
    if (rest === 0) break
  }
  return (value << degree) | rest
}

class Canvas {
  readonly size: number
  readonly #dark: Uint8Array
  readonly #fixed: Uint8Array

  constructor(size: number) {
    this.size = size
    this.#dark = new Uint8Array(size * size)
    this.#fixed = new Uint8Array(size * size)
  }

  isDark(row: number, column: number): boolean {
    return this.#dark[row * this.size + column] === 1
  }

  isFixed(row: number, column: number): boolean {
    return this.#fixed[row * this.size + column] === 1
  }

  set(row: number, column: number, isDark: boolean): void {
    if (row < 0 || column < 0 || row >= this.size || column >= this.size) return
    this.#dark[row * this.size + column] = isDark ? 1 : 0
  }

  fix(row: number, column: number, isDark: boolean): void {
    if (row < 0 || column < 0 || row >= this.size || column >= this.size) return
    this.set(row, column, isDark)
    this.#fixed[row * this.size + column] = 1
  }
}

/** A square of rings around a centre, dark where the distance is not one of the light ones. */
const drawRings = (canvas: Canvas, centre: readonly [number, number], light: readonly number[]): void => {
  const reach = Math.max(...light)
  for (let row = -reach; row <= reach; row += 1)
    for (let column = -reach; column <= reach; column += 1)
      canvas.fix(centre[0] + row, centre[1] + column, !light.includes(Math.max(Math.abs(row), Math.abs(column))))
}

const drawPatterns = (canvas: Canvas, number: number, { centres }: Version): void => {
  const { size } = canvas
  const last = size - 7
  for (let index = 0; index < size; index += 1) {
    canvas.fix(6, index, index % 2 === 0)
    canvas.fix(index, 6, index % 2 === 0)
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    drawRings(canvas, [row, column], [2, 4])
  for (const row of centres)
    for (const column of centres) {
      const isFinder = (row === 6 && column === 6) || (row === 6 && column === last) || (row === last && column === 6)
      if (isFinder) continue
      drawRings(canvas, [row, column], [1])
      drawOutline(canvas, row, column)
    }
  if (number >= 7) drawVersion(canvas, number)
  drawFormat(canvas, 0)
}

const drawOutline = (canvas: Canvas, row: number, column: number): void => {
  for (let step = -2; step <= 2; step += 1) {
    for (const side of [-2, 2]) {
      canvas.fix(row + side, column + step, true)
      canvas.fix(row + step, column + side, true)
    }
  }
}

const drawVersion = (canvas: Canvas, number: number): void => {
  const bits = protectedBits(number, 0x1f25, 12)
  for (let index = 0; index < 18; index += 1) {
    const isDark = ((bits >>> index) & 1) === 1
    const [near, far] = [Math.floor(index / 3), canvas.size - 11 + (index % 3)]
    canvas.fix(near, far, isDark)
    canvas.fix(far, near, isDark)
  }
}

/** Level M is 00. Both copies, and the module that is always dark. */
const drawFormat = (canvas: Canvas, mask: number): void => {
  const bits = protectedBits(mask, 0x537, 10) ^ 0x5412
  const { size } = canvas
  for (let index = 0; index < 15; index += 1) {
    const isDark = ((bits >>> index) & 1) === 1
    const down = index < 6 ? index : index < 8 ? index + 1 : size - 15 + index
    const right = index < 8 ? size - 1 - index : index === 8 ? 7 : 14 - index
    canvas.fix(down, 8, isDark)
    canvas.fix(8, right, isDark)
  }
  canvas.fix(size - 8, 8, true)
}

const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  row => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

/** Upwards and downwards in pairs of columns from the right, around what is fixed. */
const drawData = (canvas: Canvas, words: readonly number[], mask: number): void => {
  const { size } = canvas
  const isMasked = masks[mask] ?? (() => false)
  let index = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    const isUpward = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step += 1) {
      const row = isUpward ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (canvas.isFixed(row, column)) continue
        const bit = (at(words, index >>> 3) >>> (7 - (index & 7))) & 1
        canvas.set(row, column, (bit === 1) !== isMasked(row, column))
        index += 1
      }
    }
  }
}

/** How hard a picture is to read: long runs, blocks and a bad balance (7.8.3; the rule on false finders is left out). */
const penaltyOf = (canvas: Canvas): number => {
  const { size } = canvas
  let penalty = 0
  let dark = 0
  for (let one = 0; one < size; one += 1) {
    for (const read of [(other: number) => canvas.isDark(one, other), (other: number) => canvas.isDark(other, one)]) {
      let run = 1
      for (let other = 1; other < size; other += 1) {
        run = read(other) === read(other - 1) ? run + 1 : 1
        if (run === 5) penalty += 3
        else if (run > 5) penalty += 1
      }
    }
    for (let other = 0; other < size; other += 1) {
      const isDark = canvas.isDark(one, other)
      if (isDark) dark += 1
      const isBlock =
        one > 0 &&
        other > 0 &&
        [
          [one - 1, other],
          [one, other - 1],
          [one - 1, other - 1],
        ].every(([row = 0, column = 0]) => canvas.isDark(row, column) === isDark)
      if (isBlock) penalty += 3
    }
  }
  return penalty + 10 * Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size))
}

/** Null: the text is too long. */
export const toQrMatrix = (text: string): QrMatrix | null => {
  const bytes = new TextEncoder().encode(text)
  const index = versions.findIndex(({ blocks }, place) => {
    const capacity = blocks.reduce((sum, length) => sum + length, 0)
    return bytes.length + (place < 9 ? 2 : 3) <= capacity
  })
  const version = versions[index]
  if (!version) return null
  const number = index + 1
  const capacity = version.blocks.reduce((sum, length) => sum + length, 0)
  const words = interleaved(dataCodewords(bytes, number, capacity), version)
  const candidates = masks.map((_, mask) => {
    const canvas = new Canvas(17 + 4 * number)
    drawPatterns(canvas, number, version)
    drawData(canvas, words, mask)
    drawFormat(canvas, mask)
    return canvas
  })
  const best = candidates.reduce((one, other) => (penaltyOf(other) < penaltyOf(one) ? other : one))
  return { size: best.size, isDark: (row, column) => best.isDark(row, column) }
}
