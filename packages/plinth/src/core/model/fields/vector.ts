// Vectors as field values.

import { fault } from '../../fault.ts'
import type { Exactly, OptionNames, WrittenOptions } from '../field-options.ts'
import { ValueFault } from '../value-fault.ts'
import type { Distance, Vector } from '../vectors.ts'
import { value, writtenOptions } from './value.ts'

interface VectorOptions extends WrittenOptions {
  /** How `near` measures: by the angle unless given. */
  readonly distance?: Distance
}

const vectorOptions: OptionNames<VectorOptions> = { ...writtenOptions, distance: true }

/** The shortest decimal that is this number of 32 bits again. */
const shortest = (number: number): number => {
  for (const digits of [6, 7, 8]) {
    const short = Number(number.toPrecision(digits))
    if (Math.fround(short) === number) return short
  }
  return Number(number.toPrecision(9))
}

const readVector = (input: unknown, size: number, distance: Distance): Vector => {
  const wrong = () => new ValueFault(fault('vector', { size }))
  if (!Array.isArray(input) || input.length !== size) throw wrong()
  const numbers = input.map((number: unknown) => {
    const kept = typeof number === 'number' ? Math.fround(number) : Number.NaN
    if (!Number.isFinite(kept)) throw wrong()
    return kept
  })
  if (distance === 'cosine' && numbers.every(number => number === 0)) throw new ValueFault(fault('vector_of_zeros'))
  return numbers
}

/**
 * A list of so many numbers, such as the embedding of a text, by which `near` finds the records that are most alike. The application makes it.
 * Lists of records leave it out unless `fields` names it.
 *
 * @example vector(384, { distance: 'cosine' })
 */
export const vector = <const O extends VectorOptions>(size: number, options?: Exactly<O, VectorOptions>) => {
  const distance = options?.distance ?? 'cosine'
  return value<Vector, O>(
    {
      name: 'vector',
      column: 'vector',
      schema: { type: 'array', items: { type: 'number' }, minItems: size, maxItems: size },
      widget: 'vector',
      read: input => readVector(input, size, distance),
      readText: () => {
        throw new ValueFault(fault('unsearchable'))
      },
      checkStored: stored => void readVector(stored, size, distance),
      show: stored => stored.map(shortest),
      vector: { size, distance },
      wildcards: false,
      isBulky: true,
    },
    options ?? {},
    vectorOptions,
  )
}
