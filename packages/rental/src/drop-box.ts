// Copies from the drop box: many are returned at once, and no customer is at the counter. What is due is charged to them.

import { type Fault, list, Problem, setting } from 'plinth'
import type { RentalCounter } from './counter.ts'
import {
  type CopyReference,
  type CounterCall,
  inCounterTransaction,
  lockAccounts,
  lockCopies,
  type PaymentsResult,
  returnCopy,
  toPayments,
} from './counter-transaction.ts'
import { type CopyCode, copyField } from './fields.ts'
import { rentalFault } from './problems.ts'
import { quote, type ReturnQuote } from './quote.ts'
import { rentalSettings } from './settings.ts'

export const returnFields = {
  items: list(copyField, {
    required: true,
    minItems: 1,
    maxItems: setting(rentalSettings, 'maxItems'),
    about: 'The pks or the barcodes of copies.',
  }),
}

export const toCopyReferences = (codes: readonly CopyCode[]): readonly CopyReference[] =>
  codes.map(({ code, path }, at) => ({ codeAt: `/items/${at}${path}`, code }))

export const returnAll = (
  call: CounterCall,
  counter: RentalCounter,
  items: readonly CopyReference[],
): Promise<PaymentsResult> =>
  inCounterTransaction(call, counter, async transaction => {
    const copies = await lockCopies(transaction, items)
    const quotes: ReturnQuote[] = []
    const errors: Fault[] = []
    for (const [at, copy] of copies.entries()) {
      if (copy.currentRental) {
        const one = await quote(transaction.records, {
          copy,
          days: () => 1,
          condition: 'good',
          now: transaction.records.now,
        })
        if (one.kind === 'return') quotes.push(one)
      } else errors.push({ pointer: items[at]?.codeAt ?? '', ...rentalFault('not_rented') })
    }
    if (errors.length > 0)
      throw new Problem('conflict', {
        detail: { en: 'Not all of these copies are rented.', de: 'Nicht alle diese Exemplare sind ausgeliehen.' },
        errors,
      })
    await lockAccounts(
      transaction,
      quotes.map(one => one.rental.customer.pk),
    )
    for (const one of quotes)
      await returnCopy(transaction, one, { payer: null, customer: one.rental.customer.pk, onAccount: one.cost > 0 })
    return toPayments(call.context, transaction, { customer: null, points: 0 })
  })
