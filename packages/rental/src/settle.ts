// Paying off what is owed.

import { money, Problem, users } from 'plinth'
import { clients } from './clients.ts'
import type { RentalCounter } from './counter.ts'
import {
  addPayment,
  type CounterCall,
  changeAccount,
  inCounterTransaction,
  type PaymentsResult,
  toPayments,
} from './counter-transaction.ts'
import { reference } from './fields.ts'
import { rentalFault } from './problems.ts'
import { currencySetting } from './settings.ts'

export interface Settlement {
  readonly customer: string
  readonly amount: number
}

export const settlementFields = {
  customer: reference({ required: true }),
  amount: money({ currency: currencySetting, required: true, about: 'In the currency of the store.' }),
}

export const settle = (
  call: CounterCall,
  counter: RentalCounter,
  { customer, amount }: Settlement,
): Promise<PaymentsResult> =>
  inCounterTransaction(call, counter, async transaction => {
    const user = await transaction.records.lock(users, customer)
    const client = user && (await transaction.records.first(clients, { where: { user: customer } }))
    if (!user) {
      const errors = [{ pointer: '/customer', member: 'customer', ...rentalFault('no_such_customer') }]
      throw new Problem('unprocessable', {
        detail: { en: 'The customer does not exist.', de: 'Diesen Kunden gibt es nicht.' },
        errors,
      })
    }
    if (amount > (client?.balance ?? 0))
      throw new Problem('conflict', {
        en: 'The debt of the customer is lower than that.',
        de: 'Der Kunde schuldet weniger.',
      })
    await addPayment(transaction, { kind: 'settlement', amount, customer, rental: null })
    await changeAccount(transaction, customer, { balance: -amount })
    return toPayments(call.context, transaction, { customer: user, points: 0 })
  })
