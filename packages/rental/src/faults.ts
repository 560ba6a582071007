// The faults and the problems of the counter.

import { defineFaults, defineProblems, type FaultReason, Problem } from 'plinth'

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

export const badParameter = (parameter: string, reason: FaultReason): Problem =>
  new Problem('bad_parameter', {
    detail: `${parameter} ${reason.message}.`,
    errors: [{ parameter, ...reason }],
  })
