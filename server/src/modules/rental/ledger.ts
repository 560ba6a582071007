// The counter's own writing: payments, and the accounts of clients. Everything happens at one desk: in one transaction, at
// one moment, by one member of staff.

import { uuidv7 } from 'uuidv7'
import type { TransactionRecords } from '../../core/model/records.ts'
import { recordsFor } from '../../core/records/records.ts'
import type { Context } from '../../core/rest/platform.ts'
import { users } from '../people/index.ts'
import { clients } from './clients.ts'
import type { RentalCounter } from './counter.ts'
import { type Payment, payments } from './payments.ts'

export interface CounterTransaction {
  /** The service's own: who stands at the counter was asked before. */
  readonly records: TransactionRecords
  readonly counter: RentalCounter
  /** The pk of the first payment, under which all of them stand on one receipt. */
  readonly receipt: string
  /** What was written so far. */
  readonly payments: Payment[]
}

/** All or nothing. */
export const atDesk = <T>(
  context: Context,
  counter: RentalCounter,
  work: (desk: CounterTransaction) => Promise<T>,
): Promise<T> =>
  recordsFor(context).asService.transaction(records => work({ records, counter, receipt: uuidv7(), payments: [] }))

export interface Entry {
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
  { records, receipt, payments: added }: CounterTransaction,
  entry: Entry,
): Promise<Payment> => {
  const pk = added.length === 0 ? { pk: receipt } : {}
  const payment = await records.create(payments, { ...pk, ...entry, receipt })
  added.push(payment)
  return payment
}

export interface AccountChange {
  readonly points?: number
  /** What the client owes from now on, beyond what it did. */
  readonly balance?: number
}

/**
 * Holds the accounts of these users until the work is done. It comes before anything is written that refers to them: on
 * PostgreSQL a reference holds its target a little, and two desks that both did so would wait for each other. Always in
 * the same order, for the same reason.
 */
export const holdAccounts = async ({ records }: CounterTransaction, people: readonly string[]): Promise<void> => {
  for (const user of [...new Set(people)].sort()) await records.lock(users, user)
}

/** Changes what the store keeps of a client, whose account is held; who is none yet becomes one. */
export const changeAccount = async (
  { records }: CounterTransaction,
  user: string,
  { points = 0, balance = 0 }: AccountChange,
): Promise<void> => {
  if (points === 0 && balance === 0) return
  const client = await records.first(clients, { user })
  if (!client) {
    await records.create(clients, { user, bonusPoints: Math.max(0, points), balance })
    return
  }
  await records.update(clients, client.pk, {
    // Points that were taken back may have been spent already.
    bonusPoints: Math.max(0, client.bonusPoints + points),
    balance: client.balance + balance,
  })
}
