// Why rows were refused: rows with the same fault of the same field are counted together.

import type { FaultParams } from '../../core/fault.ts'
import { type Fault, type Problem, problemAsFault } from '../../core/problem.ts'
import type { RowRefusal } from './import-task.ts'

interface RefusedFault {
  /** The field; null when the row as a whole is refused. */
  readonly member: string | null
  readonly code: string
  readonly message: string
  readonly params?: FaultParams
}

/** What is wrong with a row, with the columns of the file; one fault without a field when it is the row as a whole. */
export const faultsOf = (
  { problem, columnOf }: RowRefusal,
  { fault: inWords }: ImportWords,
): readonly (RefusedFault & { readonly column: string | null })[] =>
  (problem.details.errors?.length ? problem.details.errors : [problemAsFault(problem)]).map((fault: Fault) => {
    const { member: field, params } = fault
    const column = field === undefined ? null : columnOf(field)
    return { member: field ?? null, code: fault.code, message: inWords(fault), ...(params && { params }), column }
  })

/** What is said of refused rows in the language of the caller. */
export interface ImportWords {
  problem(problem: Problem): string
  fault(fault: Fault): string
}

export const englishWords: ImportWords = {
  problem: ({ message }) => message,
  fault: ({ message }) => message,
}

interface RefusalReason extends RefusedFault {
  readonly count: number
  /** The line of the first row. */
  readonly line: number
  /** Some of the values. */
  readonly values: readonly string[]
}

const [maxReasons, maxValues, maxLength] = [100, 5, 100]

export class RefusalReasons {
  readonly #reasons = new Map<string, RefusalReason>()
  readonly #words: ImportWords

  constructor(words: ImportWords = englishWords) {
    this.#words = words
  }

  add(refusal: RowRefusal): void {
    const { row } = refusal
    for (const { column, ...fault } of faultsOf(refusal, this.#words)) {
      const key = JSON.stringify(fault)
      const known = this.#reasons.get(key)
      if (!known && this.#reasons.size === maxReasons) continue
      const { count, line, values } = known ?? { count: 0, line: row.line, values: [] }
      const value = column === null ? null : row.cells[column]
      this.#reasons.set(key, { ...fault, count: count + 1, line, values: withValue(values, value) })
    }
  }

  /** The most frequent first. */
  list(): RefusalReason[] {
    return [...this.#reasons.values()].sort((one, other) => other.count - one.count)
  }
}

const withValue = (values: readonly string[], cell: unknown): readonly string[] => {
  if (cell === null || cell === undefined || values.length === maxValues) return values
  const text = (typeof cell === 'object' ? JSON.stringify(cell) : String(cell)).slice(0, maxLength)
  return values.includes(text) ? values : [...values, text]
}
