// The problems and faults of the counter.

import { defineFaults, defineProblems, Problem } from 'plinth'
import type { FaultReason } from 'plinth/module'

export const rentalProblem = defineProblems({
  quote_changed: {
    status: 409,
    title: 'Quote changed',
    meaning: 'A copy or a price has changed since the quote; `quote` has the current values. Nothing was charged.',
  },
})

export const rentalFault = defineFaults({
  barcode: 'must be 1 to 40 letters, digits, spaces, dots, dashes or underscores',
  check_digit: 'has a wrong check digit',
  no_such_copy: 'no such copy',
  named_twice: 'is listed twice',
  order: 'must be an order',
  copy: 'must be the identifier or the barcode of a copy',
  positive_amount: 'must be greater than 0, with at most {max} decimal places',
  no_such_customer: 'no such user',
  inactive: 'is not active',
  age: 'is rated NC-17, and the customer is under age',
  rented: 'the copy is on loan',
  not_rented: 'is not on loan',
  price_changed: 'is not the current price',
  wrong_sum: 'is not the sum of the items',
  future_rental: 'is in the future',
  early_return: 'is before the rental',
  other_film: 'belong to another film',
  unknown_strategy: "'{name}' is not known",
  after_end: 'must not be after `to`',
  max_period: 'must be within {max} days of `to`',
})

export const badParameter = (parameter: string, reason: FaultReason): Problem =>
  new Problem('bad_parameter', {
    detail: `${parameter} ${reason.message}.`,
    errors: [{ parameter, ...reason }],
  })
