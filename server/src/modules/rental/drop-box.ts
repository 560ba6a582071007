// Copies from the drop box: many come back at once and nobody stands at the counter. What is due is owed.

import { list } from '../../core/model/shape.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import type { Context } from '../../core/rest/platform.ts'
import { takeBack } from './acts.ts'
import type { RentalCounter } from './counter.ts'
import { rentalFault } from './faults.ts'
import { type CopyCode, copyField } from './fields.ts'
import { atDesk, holdAccounts } from './ledger.ts'
import { lockCopies, type Named } from './lock-copies.ts'
import { type Submitted, toPayments } from './payments-answer.ts'
import { quote, type ReturnQuote } from './quote.ts'
import type { RentalSettings } from './settings.ts'

export const returnFields = ({ maxItems }: RentalSettings) => ({
  items: list(copyField, { required: true, minItems: 1, maxItems, about: 'The pks or the barcodes of copies.' }),
})

export const toNamed = (codes: readonly CopyCode[]): readonly Named[] =>
  codes.map(({ code, path }, at) => ({ codeAt: `/items/${at}${path}`, code }))

export const returnAll = (context: Context, counter: RentalCounter, items: readonly Named[]): Promise<Submitted> =>
  atDesk(context, counter, async desk => {
    const copies = await lockCopies(desk, items)
    const quotes: ReturnQuote[] = []
    const errors: Fault[] = []
    for (const [at, copy] of copies.entries()) {
      if (copy.currentRental) {
        const one = await quote(desk.records, { copy, days: () => 1, condition: 'good', now: desk.records.now })
        if (one.kind === 'return') quotes.push(one)
      } else errors.push({ pointer: items[at]?.codeAt ?? '', ...rentalFault('not_rented') })
    }
    if (errors.length > 0) throw new Problem('conflict', { detail: 'Not all of these copies are rented.', errors })
    await holdAccounts(
      desk,
      quotes.map(one => one.rental.customer.pk),
    )
    for (const one of quotes)
      await takeBack(desk, one, { payer: null, customer: one.rental.customer.pk, onAccount: one.cost > 0 })
    return toPayments(context, desk, { customer: null, points: 0 })
  })
