// Faults of the counter, and its bodies read so that all faults are reported together.

import { defineFaults, type FaultReason, fault } from '../../core/fault.ts'
import { defineProblems, type Fault, Problem } from '../../core/problem.ts'
import { longestRental } from './pricing.ts'

export const rentalProblem = defineProblems({
  quote_changed: {
    status: 409,
    title: 'Quote changed',
    meaning: 'A copy or a price is no longer as quoted; `quote` has what holds now. Nothing was charged.',
  },
})

export const rentalFault = defineFaults({
  barcode: 'must be 1 to 40 letters, digits, blanks, points, dashes or underscores',
  check_digit: 'has a wrong check digit',
  no_such_copy: 'no such copy',
  named_twice: 'is named twice',
  order: 'must be an order',
  copy: 'must be the identifier or the barcode of a copy',
  positive_amount: 'must be above 0, of at most {max} decimals',
  no_such_customer: 'no such user',
  inactive: 'is not active',
  age: 'is rated NC-17, and the customer is not of age',
  rented: 'the copy is rented',
  not_rented: 'is not rented',
  price_changed: 'is not the present price',
  wrong_sum: 'is not the sum of the items',
  future_rental: 'lies in the future',
  early_return: 'lies before the rental',
  other_film: 'belong to another film',
  unknown_strategy: "'{name}' is not known",
  after_end: 'must not be after `to`',
  max_period: 'must be within {max} days of `to`',
})

export type Note = (pointer: string, reason: FaultReason) => void

/** Runs the reader; whatever it notes is refused together. */
export const readWhole = <T>(read: (note: Note) => T): T => {
  const errors: Fault[] = []
  const value = read((pointer, reason) =>
    errors.push({ pointer, member: pointer.slice(pointer.lastIndexOf('/') + 1), ...reason }),
  )
  if (errors.length === 0) return value
  const [first] = errors
  const detail = errors.length === 1 ? `${first?.member} ${first?.message}.` : `${errors.length} members are at fault.`
  throw new Problem('invalid', { detail, errors })
}

export const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

export const readObject = (json: unknown): Record<string, unknown> => {
  if (isObject(json)) return json
  throw new Problem('bad_request', 'The body must be an object.')
}

/** A pk, or an object that carries one; null when neither. */
export const readPk = (sent: unknown): string | null => {
  const pk = isObject(sent) ? (sent.pk ?? sent.id) : sent
  return typeof pk === 'string' && pk !== '' && pk.length <= 255 && pk.isWellFormed() && !pk.includes('\0') ? pk : null
}

export const readReason = (body: Record<string, unknown>, note: Note): string => {
  const { reason } = body
  if (typeof reason !== 'string' || reason.trim() === '') note('/reason', fault('required'))
  else if (reason.length > 500 || !reason.isWellFormed() || reason.includes('\0'))
    note('/reason', fault('max_length', { max: 500 }))
  return String(reason)
}

/** Days to rent for: at least one, and one by default. Returns the fault of other values. */
export const readDays = (sent: unknown): number | FaultReason => {
  if (sent === undefined || sent === null) return 1
  if (typeof sent !== 'number' || !Number.isInteger(sent)) return fault('whole_number')
  if (sent > longestRental) return fault('max', { max: longestRental })
  return Math.max(1, sent)
}

export const badParameter = (parameter: string, reason: FaultReason): Problem =>
  new Problem('bad_parameter', {
    detail: `${parameter} ${reason.message}.`,
    errors: [{ parameter, ...reason }],
  })
