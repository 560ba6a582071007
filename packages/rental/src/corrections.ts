// Mistakes are undone by further records, never by changing what was written: voiding a payment, waiving a late fee.

import { type Fault, isAdmin, money, Problem } from 'plinth'
import type { CodeContext } from 'plinth/module'
import type { RentalCounter } from './counter.ts'
import {
  addPayment,
  type CounterCall,
  type CounterTransaction,
  changeAccount,
  inCounterTransaction,
  lockAccounts,
  type PaymentsResult,
  returnDateOf,
  toPayments,
} from './counter-transaction.ts'
import { reasonField } from './fields.ts'
import { type Copy, filmInventoryEntries } from './film-inventory-entries.ts'
import { type Payment, payments } from './payments.ts'
import { rentalFault } from './problems.ts'
import { type Rental, rentals } from './rentals.ts'
import { currencySetting, readRentalSettings } from './settings.ts'

export interface Correction {
  readonly payment: string
  readonly reason: string
  /** How much of a fee is waived; null for all of it. */
  readonly amount: number | null
}

export const correctionFields = {
  reason: reasonField,
  amount: money({ currency: currencySetting, about: 'The amount to waive; default: the whole fee.' }),
}

/** Amounts that are paid are above 0. */
export const checkAmount = (
  { amount }: { readonly amount?: number | null | undefined },
  { settings }: Pick<CodeContext, 'settings'>,
): readonly Fault[] => {
  if (amount === undefined || amount === null || amount > 0) return []
  const { scale } = readRentalSettings(settings)
  return [{ pointer: '/amount', member: 'amount', ...rentalFault('positive_amount', { max: scale }) }]
}

export const voidPayment = (
  call: CounterCall,
  counter: RentalCounter,
  correction: Correction,
): Promise<PaymentsResult> =>
  inCounterTransaction(call, counter, async transaction => {
    const { payment, rental, copy } = await hold(transaction, correction.payment)
    mustBeRecent(transaction, payment)
    if (payment.kind === 'void' || payment.kind === 'waiver')
      throw new Problem('conflict', {
        en: `A ${payment.kind} cannot be voided.`,
        de: 'Diese Art von Zahlung lässt sich nicht stornieren.',
      })
    const waiver = await transaction.records.first(payments, { where: { waives: payment.pk } })
    const amount = -(payment.amount + (waiver?.amount ?? 0))
    if (rental && payment.kind === 'rental') await undoRental(transaction, rental)
    if (rental && copy && payment.kind === 'return') await undoReturn(transaction, rental, copy)
    await compensate(transaction, payment, { kind: 'void', amount, reason: correction.reason, voids: payment.pk })
    // Paying off a balance and charging to one are each other's opposites.
    if (payment.kind === 'settlement')
      await changeAccount(transaction, payment.customer.pk, { balance: payment.amount })
    return toPayments(call.context, transaction, { customer: null, points: 0 })
  })

export const waiveFee = (call: CounterCall, counter: RentalCounter, correction: Correction): Promise<PaymentsResult> =>
  inCounterTransaction(call, counter, async transaction => {
    const { payment } = await hold(transaction, correction.payment)
    if (await transaction.records.first(payments, { where: { waives: payment.pk } }))
      throw new Problem('conflict', { en: 'The fee has already been waived.', de: 'Die Gebühr wurde schon erlassen.' })
    const fee = payment.kind === 'return' ? payment.amount - payment.replacementFee : 0
    const waived = correction.amount ?? fee
    if (fee === 0)
      throw new Problem('conflict', {
        en: 'This payment has no late fee.',
        de: 'Diese Zahlung enthält keine Verspätungsgebühr.',
      })
    if (waived > fee)
      throw new Problem('conflict', {
        en: 'The late fee is lower than that.',
        de: 'Die Verspätungsgebühr ist niedriger.',
      })
    const { reason } = correction
    await compensate(transaction, payment, { kind: 'waiver', amount: -waived, reason, waives: payment.pk })
    return toPayments(call.context, transaction, { customer: null, points: 0 })
  })

interface LockedPayment {
  readonly payment: Payment
  readonly rental: Rental | null
  readonly copy: Copy | null
}

/** The payment with its rental and copy, held against all others; 409 when it was voided before. */
const hold = async (transaction: CounterTransaction, pk: string): Promise<LockedPayment> => {
  const { records } = transaction
  const payment = await records.get(payments, pk)
  const found = payment.rental && (await records.get(rentals, payment.rental.pk))
  const copy = found && (await records.lock(filmInventoryEntries, found.inventory.pk))
  const people = [payment.customer.pk, ...(found ? [found.customer.pk] : [])]
  await lockAccounts(transaction, people)
  const rental = found && (await records.get(rentals, found.pk))
  if (await records.first(payments, { where: { voids: pk } }))
    throw new Problem('conflict', {
      en: 'The payment has already been voided.',
      de: 'Die Zahlung wurde schon storniert.',
    })
  return { payment, rental, copy }
}

const mustBeRecent = ({ counter, records: { caller, now } }: CounterTransaction, { createdDate }: Payment): void => {
  const minutes = (now.getTime() - Date.parse(createdDate)) / 60_000
  if (minutes > counter.settings.voidMinutes && !isAdmin(caller))
    throw new Problem('conflict', {
      en: 'The payment is too old to be voided by staff.',
      de: 'Die Zahlung ist zu alt, um vom Personal storniert zu werden.',
    })
}

const undoRental = async (transaction: CounterTransaction, rental: Rental): Promise<void> => {
  if (rental.returnDate !== null)
    throw new Problem('conflict', {
      en: 'The copy has been returned; void the return first.',
      de: 'Das Exemplar wurde zurückgegeben; stornieren Sie zuerst die Rückgabe.',
    })
  await transaction.records.update(rentals, rental.pk, { returnDate: returnDateOf(transaction, rental), voided: true })
  await changeAccount(transaction, rental.customer.pk, { points: -rental.bonusPoints })
}

const undoReturn = async (transaction: CounterTransaction, rental: Rental, copy: Copy): Promise<void> => {
  if (rental.returnDate === null || rental.voided)
    throw new Problem('conflict', { en: 'The rental is not returned.', de: 'Die Ausleihe ist nicht zurückgegeben.' })
  if (copy.currentRental)
    throw new Problem('conflict', { en: 'The copy has been rented again.', de: 'Das Exemplar ist wieder ausgeliehen.' })
  // It was good when it went out, and it is out again.
  await transaction.records.update(filmInventoryEntries, copy.pk, { status: 'good' })
  await transaction.records.update(rentals, rental.pk, { returnDate: null, returnedBy: null })
}

type Compensation = Pick<Parameters<typeof addPayment>[1], 'kind' | 'amount' | 'reason' | 'voids' | 'waives'>

const compensate = async (
  transaction: CounterTransaction,
  payment: Payment,
  compensation: Compensation,
): Promise<void> => {
  const { onAccount, days } = payment
  const customer = payment.customer.pk
  const rental = payment.rental?.pk ?? null
  await addPayment(transaction, { customer, rental, days, onAccount, ...compensation })
  if (onAccount) await changeAccount(transaction, customer, { balance: compensation.amount })
}
