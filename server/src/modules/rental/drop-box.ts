// Copies from the drop box: many come back at once and nobody stands at the counter. What is due is owed.

import { type Fault, Problem } from '../../core/problem.ts'
import type { Context } from '../../core/rest/platform.ts'
import { takeBack } from './acts.ts'
import { trimScan } from './barcodes.ts'
import type { RentalCounter } from './counter.ts'
import { isObject, readObject, readPk, readWhole, rentalFault } from './faults.ts'
import { atDesk, holdAccounts } from './ledger.ts'
import { lockCopies, type Named } from './lock-copies.ts'
import { readItems } from './orders-body.ts'
import { type Submitted, toPayments } from './payments-answer.ts'
import { quote, type ReturnQuote } from './quote.ts'
import type { RentalSettings } from './settings.ts'

/** `{items: [pk or barcode, …]}`; orders will do as well. */
export const readReturns = (json: unknown, settings: RentalSettings): readonly Named[] => {
  const items = readItems(readObject(json).items, settings)
  return readWhole(note =>
    items.map((item, at) => {
      const code = readPk(isObject(item) ? (item.inventoryId ?? item) : item)
      if (code === null) note(`/items/${at}`, rentalFault('copy'))
      const isOrder = isObject(item) && item.inventoryId !== undefined
      return { codeAt: `/items/${at}${isOrder ? '/inventoryId' : ''}`, code: trimScan(code ?? '') }
    }),
  )
}

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
