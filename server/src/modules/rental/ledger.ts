// The counter's own writing: payments, and the accounts of clients. Everything happens at one desk: in one transaction, at
// one moment, by one member of staff.

import { uuidv7 } from 'uuidv7'
import type { Caller } from '../../core/model/caller.ts'
import type { Values } from '../../core/model/record.ts'
import type { Resource } from '../../core/model/resource.ts'
import { changeStamps, creationStamps } from '../../core/model/stamps.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { type Context, inTransaction } from '../../core/rest/platform.ts'
import type { Client } from './clients.ts'
import { memberEquals } from './conditions.ts'
import type { Counter } from './counter.ts'
import type { Payment } from './payments.ts'
import { findFirst } from './reading.ts'

export interface Desk {
  readonly tx: Transaction
  readonly counter: Counter
  readonly caller: Caller
  readonly now: Date
  /** The pk of the first payment, under which all of them stand on one receipt. */
  readonly receipt: string
  /** What was written so far. */
  readonly payments: Payment[]
}

/** All or nothing. */
export const atDesk = <T>(context: Context, counter: Counter, work: (desk: Desk) => Promise<T>): Promise<T> =>
  inTransaction(context, ({ tx, caller, platform }) =>
    work({ tx, counter, caller, now: platform.clock(), receipt: uuidv7(), payments: [] }),
  )

export const insertAt = (desk: Desk, resource: Resource, values: Values, pk = uuidv7()) =>
  desk.tx.insert(resource, pk, { ...values, ...creationStamps(resource, desk) })

export const updateAt = (desk: Desk, resource: Resource, pk: string, values: Values) =>
  desk.tx.update(resource, pk, { ...values, ...changeStamps(resource, desk) })

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

export const addPayment = async (desk: Desk, entry: Entry): Promise<Payment> => {
  const { counter, caller, receipt, payments } = desk
  const values = {
    days: 0,
    replacementFee: 0,
    onAccount: false,
    reason: null,
    payer: entry.customer,
    ...entry,
    currency: counter.settings.currency,
    staff: caller.pk,
    selfServed: entry.customer === caller.pk,
    receipt,
  }
  const pk = payments.length === 0 ? receipt : undefined
  const payment = (await insertAt(desk, counter.payments, values, pk)) as Payment
  payments.push(payment)
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
export const holdAccounts = async ({ tx, counter }: Desk, users: readonly string[]): Promise<void> => {
  for (const user of [...new Set(users)].sort()) await tx.lock(counter.users, user)
}

/** Changes what the store keeps of a client, whose account is held; who is none yet becomes one. */
export const changeAccount = async (
  desk: Desk,
  user: string,
  { points = 0, balance = 0 }: AccountChange,
): Promise<void> => {
  if (points === 0 && balance === 0) return
  const { tx, counter } = desk
  const { clients } = counter
  const client = (await findFirst(tx, clients, memberEquals(clients, 'user', user))) as Client | null
  if (!client) {
    await insertAt(desk, clients, { user, bonusPoints: Math.max(0, points), balance })
    return
  }
  await updateAt(desk, clients, client.pk, {
    // Points that were taken back may have been spent already.
    bonusPoints: Math.max(0, client.bonusPoints + points),
    balance: client.balance + balance,
  })
}
