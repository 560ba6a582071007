// Paying off what is owed.

import { money } from '../../core/model/fields.ts'
import { Problem } from '../../core/problem.ts'
import type { Context } from '../../core/rest/platform.ts'
import { users } from '../people/index.ts'
import { clients } from './clients.ts'
import type { RentalCounter } from './counter.ts'
import { rentalFault } from './faults.ts'
import { reference } from './fields.ts'
import { addPayment, atDesk, changeAccount } from './ledger.ts'
import { type Submitted, toPayments } from './payments-answer.ts'
import type { RentalSettings } from './settings.ts'

export interface Settlement {
  readonly customer: string
  readonly amount: number
}

export const settlementFields = ({ scale }: RentalSettings) => ({
  customer: reference({ required: true }),
  amount: money({ scale, required: true, about: 'In the currency of the store.' }),
})

export const settle = (
  context: Context,
  counter: RentalCounter,
  { customer, amount }: Settlement,
): Promise<Submitted> =>
  atDesk(context, counter, async desk => {
    const user = await desk.records.lock(users, customer)
    const client = user && (await desk.records.first(clients, { user: customer }))
    if (!user) {
      const errors = [{ pointer: '/customer', member: 'customer', ...rentalFault('no_such_customer') }]
      throw new Problem('unprocessable', { detail: 'The customer does not exist.', errors })
    }
    if (amount > (client?.balance ?? 0)) throw new Problem('conflict', 'The customer does not owe that much.')
    await addPayment(desk, { kind: 'settlement', amount, customer, rental: null })
    await changeAccount(desk, customer, { balance: -amount })
    return toPayments(context, desk, { customer: user, points: 0 })
  })
