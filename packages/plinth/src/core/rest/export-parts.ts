// Batches of an export in parts with little text: what is read at once may be long texts, which take long to write.

import type { Json } from '../model/json.ts'

type Row = readonly Json[]

/** The characters that are written at once: few milliseconds of work. */
const textAtOnce = 1_000_000

export function* partsOf(rows: readonly Row[]): Generator<readonly Row[]> {
  let [part, length]: [Row[], number] = [[], 0]
  for (const row of rows) {
    part.push(row)
    length += textLength(row)
    if (length < textAtOnce) continue
    yield part
    ;[part, length] = [[], 0]
  }
  if (part.length > 0) yield part
}

const textLength = (row: Row): number =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)
