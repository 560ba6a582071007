// The rows of a file that later rows build on: those that have the same key or unique value, and those that a row refers to. A check
// writes nothing, so it writes them again before such a row.

import { stat } from 'node:fs/promises'
import type { PreparedRow } from './import-row.ts'
import { type FileRun, rowsOf } from './import-task.ts'
import { createMarker, type RowMarks } from './row-marks.ts'

export interface MarkedRow extends PreparedRow {
  /** The place, counted from 0. */
  readonly at: number
  readonly marks: RowMarks
}

interface Bearers {
  readonly first: MarkedRow
  readonly last: MarkedRow
}

/** The most marks whose rows are in memory. */
const maxKept = 300_000
/** Rows that are written again for one batch. */
const maxNeeded = 300

export class EarlierRows {
  /** The number of rows in the file. */
  readonly total: number
  readonly #shared: RepeatedTexts
  /** The first and the last row of each mark. What is between them makes no difference, or hardly any. */
  readonly #kept = new Map<string, Bearers>()
  readonly #markOf: ReturnType<typeof createMarker>
  #at = 0

  private constructor(task: FileRun, shared: RepeatedTexts, total: number) {
    this.#markOf = createMarker(task)
    this.#shared = shared
    this.total = total
  }

  /** Reads the whole file, to learn which marks there are more than once. */
  static async of(task: FileRun): Promise<EarlierRows> {
    const shared = new RepeatedTexts((await stat(task.file)).size)
    const markOf = createMarker(task)
    let total = 0
    for await (const row of rowsOf(task)) {
      await task.pause()
      task.signal?.throwIfAborted()
      total += 1
      const { own, others } = markOf(row)
      for (const mark of new Set([...own, ...others])) shared.add(mark)
    }
    return new EarlierRows(task, shared, total)
  }

  get isFull(): boolean {
    return this.#kept.size >= maxKept
  }

  /** The next rows of the file, with the marks that they share with others. */
  mark(rows: readonly PreparedRow[]): readonly MarkedRow[] {
    return rows.map(prepared => {
      const { own, others } = this.#markOf(prepared.row)
      const isShared = (mark: string): boolean => this.#shared.has(mark)
      this.#at += 1
      return { ...prepared, at: this.#at - 1, marks: { own: own.filter(isShared), others: others.filter(isShared) } }
    })
  }

  /** What must be there before these rows, in the order of the file; null when that is too much. */
  neededBy(rows: readonly MarkedRow[]): readonly MarkedRow[] | null {
    const needed = new Set<MarkedRow>()
    const from = rows[0]?.at ?? 0
    const open = [...rows]
    for (let row = open.pop(); row; row = open.pop()) {
      for (const mark of [...row.marks.own, ...row.marks.others]) {
        const bearers = this.#kept.get(mark)
        for (const bearer of bearers ? [bearers.first, bearers.last] : []) {
          if (bearer.at >= Math.min(from, row.at) || needed.has(bearer)) continue
          needed.add(bearer)
          open.push(bearer)
        }
      }
      if (needed.size > maxNeeded) return null
    }
    return [...needed].sort((one, other) => one.at - other.at)
  }

  /** Keeps the rows that were not refused. */
  keep(rows: readonly MarkedRow[]): void {
    for (const row of rows)
      for (const mark of row.marks.own) this.#kept.set(mark, { first: this.#kept.get(mark)?.first ?? row, last: row })
  }
}

// Which texts were added more than once, in little memory: a text that was added once may be taken for one of them.

const [fewestBits, mostBits] = [2 ** 16, 2 ** 28]

class RepeatedTexts {
  readonly #mask: number
  readonly #once: Uint8Array
  readonly #again: Uint8Array

  /** `size`: of the file, in bytes. */
  constructor(size: number) {
    const bits = 2 ** Math.ceil(Math.log2(Math.min(mostBits, Math.max(fewestBits, 8 * size))))
    this.#mask = bits - 1
    this.#once = new Uint8Array(bits / 8)
    this.#again = new Uint8Array(bits / 8)
  }

  add(text: string): void {
    const place = this.#placeOf(text)
    const [byte, bit] = [place >>> 3, 1 << (place & 7)]
    const before = this.#once[byte] ?? 0
    if (before & bit) this.#again[byte] = (this.#again[byte] ?? 0) | bit
    else this.#once[byte] = before | bit
  }

  has(text: string): boolean {
    const place = this.#placeOf(text)
    return ((this.#again[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0
  }

  /** FNV-1a. */
  #placeOf(text: string): number {
    let hash = 0x811c9dc5
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    return (hash ^ (hash >>> 15)) & this.#mask
  }
}
