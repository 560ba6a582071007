// The two acts of the counter: a copy goes out, a copy comes back.

import { filmInventoryEntries } from './film-inventory-entries.ts'
import { addPayment, type CounterTransaction, changeAccount } from './ledger.ts'
import type { RentalQuote, ReturnQuote } from './quote.ts'
import { type Rental, rentals } from './rentals.ts'

export interface TakingOut {
  readonly customer: string
  /** Why a rule was set aside. */
  readonly remark: string | null
}

export const takeOut = async (
  desk: CounterTransaction,
  quote: RentalQuote,
  { customer, remark }: TakingOut,
): Promise<void> => {
  const { copy, strategy, days, cost } = quote
  const { bonusPoints } = strategy
  const rental = await desk.records.create(rentals, { customer, inventory: copy.pk, days, bonusPoints, remark })
  await addPayment(desk, { kind: 'rental', amount: cost, customer, rental: rental.pk, days, reason: remark })
}

export interface TakingBack {
  /** Who brought it; null when nobody was there. */
  readonly payer: string | null
  readonly customer: string
  /** To be paid another time. */
  readonly onAccount: boolean
}

export const takeBack = async (
  desk: CounterTransaction,
  quote: ReturnQuote,
  { payer, customer, onAccount }: TakingBack,
) => {
  const { copy, rental, condition, cost, days, replacementFee } = quote
  await desk.records.update(filmInventoryEntries, copy.pk, { status: condition })
  await desk.records.update(rentals, rental.pk, { returnDate: returnDateOf(desk, rental), returnedBy: payer })
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

/** A clock that was set back must not make a rental end before it began. */
export const returnDateOf = ({ records }: CounterTransaction, { rentalDate }: Rental): string => {
  const now = records.now.toISOString()
  return rentalDate !== null && rentalDate > now ? rentalDate : now
}
