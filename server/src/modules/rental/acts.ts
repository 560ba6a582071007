// The two acts of the counter: a copy goes out, a copy comes back.

import { isAvailable } from './film-inventory-entries.ts'
import { addPayment, changeAccount, type Desk, insertAt, updateAt } from './ledger.ts'
import { dueDateOf } from './pricing.ts'
import type { RentalQuote, ReturnQuote } from './quote.ts'
import { openCopyOf } from './rentals.ts'

export interface TakingOut {
  readonly customer: string
  /** Why a rule was set aside. */
  readonly remark: string | null
}

export const takeOut = async (desk: Desk, quote: RentalQuote, { customer, remark }: TakingOut): Promise<void> => {
  const { counter, now } = desk
  const { copy, pricing, strategy, days, cost } = quote
  const { initialPrice, daysFree, dailyPrice } = pricing
  const dates = { rentalDate: now.toISOString(), dueDate: dueDateOf(now.toISOString(), days), returnDate: null }
  const rental = await insertAt(desk, counter.rentals, {
    customer,
    inventory: copy.pk,
    ...dates,
    days,
    pricingStrategy: strategy.pk,
    initialPrice,
    daysFree,
    dailyPrice,
    bonusPoints: strategy.bonusPoints,
    currency: counter.settings.currency,
    voided: false,
    remark,
    openCopy: openCopyOf({ inventory: copy.pk, ...dates }),
  })
  await updateAt(desk, counter.copies, copy.pk, { currentRental: rental.pk, available: false })
  await addPayment(desk, { kind: 'rental', amount: cost, customer, rental: rental.pk, days, reason: remark })
}

export interface TakingBack {
  /** Who brought it; null when nobody was there. */
  readonly payer: string | null
  readonly customer: string
  /** To be paid another time. */
  readonly onAccount: boolean
}

export const takeBack = async (desk: Desk, quote: ReturnQuote, { payer, customer, onAccount }: TakingBack) => {
  const { counter, now } = desk
  const { copy, rental, condition, cost, days, replacementFee } = quote
  // A clock that was set back must not make a rental end before it began.
  const returnDate = [now.toISOString(), String(rental.rentalDate)].sort().at(-1)
  await updateAt(desk, counter.rentals, rental.pk, { returnDate, returnedBy: payer, openCopy: null })
  const state = { currentRental: null, status: condition }
  await updateAt(desk, counter.copies, copy.pk, { ...state, available: isAvailable(state) })
  await addPayment(desk, {
    kind: 'return',
    amount: cost,
    customer,
    payer: payer ?? customer,
    rental: rental.pk,
    days,
    replacementFee,
    onAccount,
  })
  if (onAccount) await changeAccount(desk, customer, { balance: cost })
}
