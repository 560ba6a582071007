// A transaction at the counter: copies are rented out and returned, payments are written, and accounts of clients change. All of it
// at one moment and by one field of staff, or nothing.

import { type Call, type Fault, Problem, type Row, type ShapeValue, type TransactionRecords, users } from 'plinth'
import { type Context, showRecord } from 'plinth/module'
import { uuidv7 } from 'uuidv7'
import { isSoundCode } from './barcodes.ts'
import { clients } from './clients.ts'
import { findCopy, type RentalCounter } from './counter.ts'
import { type Copy, filmInventoryEntries } from './film-inventory-entries.ts'
import { type Payment, payments, payments as paymentsOf } from './payments.ts'
import { sumOf, toDecimal } from './pricing.ts'
import { rentalFault } from './problems.ts'
import type { RentalQuote, ReturnQuote } from './quote.ts'
import { type Rental, rentals } from './rentals.ts'
import type { paymentsShape } from './shapes.ts'

export interface CounterTransaction {
  /** The records without permissions, which were checked before. */
  readonly records: TransactionRecords
  readonly counter: RentalCounter
  /** The pk of the first payment, which all payments of the receipt share. */
  readonly receipt: string
  /** The payments written so far. */
  readonly payments: Payment[]
  /** The cash that the customer gave, if it is known. */
  readonly tendered?: number | null
}

/** A call of an endpoint of the counter. */
export type CounterCall = Pick<Call, 'context' | 'records'>

/** All or nothing. */
export const inCounterTransaction = <T>(
  { records: { asService } }: CounterCall,
  counter: RentalCounter,
  work: (transaction: CounterTransaction) => Promise<T>,
): Promise<T> => asService.transaction(records => work({ records, counter, receipt: uuidv7(), payments: [] }))

export interface NewPayment {
  readonly kind: Payment['kind']
  readonly amount: number
  readonly customer: string
  readonly payer?: string
  readonly rental: string | null
  readonly days?: number
  readonly replacementFee?: number
  readonly onAccount?: boolean
  readonly reason?: string | null
  readonly voids?: string
  readonly waives?: string
}

export const addPayment = async (
  { records, receipt, payments: added, tendered = null }: CounterTransaction,
  entry: NewPayment,
): Promise<Payment> => {
  const first = added.length === 0 ? { pk: receipt, tendered } : {}
  const payment = await records.create(payments, { ...first, ...entry, receipt })
  added.push(payment)
  return payment
}

export interface AccountChange {
  readonly points?: number
  /** What the client owes from now on, beyond what it did. */
  readonly balance?: number
}

/**
 * Locks the accounts of these users until the end of the transaction, before anything is written that refers to them. On
 * PostgreSQL a reference takes a weak lock on its target, so two transactions could deadlock. The order is always the same, for
 * the same reason.
 */
export const lockAccounts = async ({ records }: CounterTransaction, people: readonly string[]): Promise<void> => {
  for (const user of [...new Set(people)].sort()) await records.lock(users, user)
}

/** Changes the account of a client, which is locked. A user who is no client yet becomes one. */
export const changeAccount = async (
  { records }: CounterTransaction,
  user: string,
  { points = 0, balance = 0 }: AccountChange,
): Promise<void> => {
  if (points === 0 && balance === 0) return
  const client = await records.first(clients, { where: { user } })
  if (!client) {
    await records.create(clients, { user, bonusPoints: Math.max(0, points), balance })
    return
  }
  await records.update(clients, client.pk, {
    // Points that are taken away may have been spent.
    bonusPoints: Math.max(0, client.bonusPoints + points),
    balance: client.balance + balance,
  })
}

export interface CopyReference {
  /** The place of the code in the body. */
  readonly codeAt: string
  readonly code: string
}

/** Locks copies in the order named. Unknown copies and copies named twice are refused, each with its place. */
export const lockCopies = async (
  { records }: CounterTransaction,
  items: readonly CopyReference[],
): Promise<readonly Copy[]> => {
  const errors: Fault[] = []
  const pks: string[] = []
  for (const { codeAt, code } of items) {
    const copy = await findCopy(records, code)
    const at = { pointer: codeAt, member: 'inventoryId' }
    if (!copy) errors.push({ ...at, ...rentalFault(isSoundCode(code) ? 'no_such_copy' : 'check_digit') })
    else if (pks.includes(copy.pk)) errors.push({ ...at, ...rentalFault('named_twice') })
    else pks.push(copy.pk)
  }
  if (errors.length > 0) {
    const detail =
      errors.length === 1 ? `An item is invalid: ${errors[0]?.message}.` : `${errors.length} items are invalid.`
    throw new Problem('unprocessable', { detail, errors })
  }
  // Always in the same order, so that two orders of the same copies cannot deadlock.
  for (const pk of [...pks].sort()) await records.lock(filmInventoryEntries, pk)
  return Promise.all(pks.map(pk => records.get(filmInventoryEntries, pk)))
}

export interface RentalTerms {
  readonly customer: string
  /** Why a rule was set aside. */
  readonly remark: string | null
}

export const rentOut = async (
  transaction: CounterTransaction,
  quote: RentalQuote,
  { customer, remark }: RentalTerms,
): Promise<void> => {
  const { copy, strategy, days, cost } = quote
  const { bonusPoints } = strategy
  const rental = await transaction.records.create(rentals, { customer, inventory: copy.pk, days, bonusPoints, remark })
  await addPayment(transaction, { kind: 'rental', amount: cost, customer, rental: rental.pk, days, reason: remark })
}

export interface ReturnTerms {
  /** The user who brought it; null for the drop box. */
  readonly payer: string | null
  readonly customer: string
  /** Says that it is to be paid another time. */
  readonly onAccount: boolean
}

export const returnCopy = async (
  transaction: CounterTransaction,
  quote: ReturnQuote,
  { payer, customer, onAccount }: ReturnTerms,
) => {
  const { copy, rental, condition, cost, days, replacementFee } = quote
  await transaction.records.update(filmInventoryEntries, copy.pk, { status: condition })
  await transaction.records.update(rentals, rental.pk, {
    returnDate: returnDateOf(transaction, rental),
    returnedBy: payer,
  })
  await addPayment(transaction, {
    kind: 'return',
    amount: cost,
    customer,
    payer: payer ?? customer,
    rental: rental.pk,
    days,
    replacementFee,
    onAccount,
  })
  if (onAccount) await changeAccount(transaction, customer, { balance: cost })
}

/** A clock that was set back must not make a rental end before it began. */
export const returnDateOf = ({ records }: CounterTransaction, { rentalDate }: Rental): string => {
  const now = records.now.toISOString()
  return rentalDate !== null && rentalDate > now ? rentalDate : now
}

/** Returns the result, which is written once the address of the caller is known. */
export type PaymentsResult = (base: string) => ShapeValue<typeof paymentsShape.fields>

export interface OrderOutcome {
  readonly customer: Row<typeof users> | null
  readonly points: number
}

export const toPayments = (
  context: Context,
  transaction: CounterTransaction,
  { customer, points }: OrderOutcome,
): PaymentsResult => {
  const { counter, payments, receipt } = transaction
  const { scale, currency } = counter.settings
  return base => ({
    items: payments.map(row => showRecord(context, paymentsOf, { row, base })),
    totalCost: toDecimal(sumOf(payments.map(payment => payment.amount)), scale),
    currency,
    customer: customer && { pk: customer.pk, username: customer.username },
    bonusPoints: points,
    receipt: `${base}/api/rest/order/receipts/${receipt}`,
  })
}
