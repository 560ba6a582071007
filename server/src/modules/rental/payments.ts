import { defineResource, type Hooks, type Row } from '../../core/model/define.ts'
import { boolean, choice, integer, money, ref, text } from '../../core/model/fields.ts'
import { atCounter, ofCustomer } from './access.ts'

export const paymentKinds = ['adjustment', 'rental', 'return', 'waiver', 'void', 'settlement'] as const

/** A payment that is added by hand. The counter's own are written whole. */
const hooks: Hooks = {
  before: ({ values, caller, pk }) => {
    values.staff = caller.pk
    values.receipt = pk
    values.payer = values.customer
    values.selfServed = values.customer === caller.pk
  },
}

export const definePayments = (scale: number, currency: string) =>
  defineResource('payments', {
    about: 'What was charged, paid back or waived. Payments are only ever added: a mistake is undone by another one.',
    stamps: 'people',
    showsId: true,
    fields: {
      amount: money({ required: true, scale, about: 'Negative when it goes to the customer.' }),
      replacementFee: money({ scale, default: 0, serverOwned: true, about: 'The part for a lost or damaged copy.' }),
      currency: text({ max: 3, default: currency, serverOwned: true }),
      days: integer({ default: 0, min: 0, about: 'The days that the amount is for.' }),
      kind: choice(paymentKinds, { default: 'adjustment', serverOwned: true }),
      customer: ref('users', { required: true, about: 'Who is charged.' }),
      payer: ref('users', { serverOwned: true, about: 'Who stood at the counter.' }),
      rental: ref('rentals'),
      staff: ref('users', { serverOwned: true }),
      selfServed: boolean({ default: false, serverOwned: true, about: 'Charged by staff to themselves.' }),
      onAccount: boolean({
        default: false,
        serverOwned: true,
        about: 'Not paid at the counter but owed, part of the balance of the client.',
      }),
      reason: text({ max: 500 }),
      voids: ref('payments', { serverOwned: true, unique: true }),
      waives: ref('payments', { serverOwned: true, unique: true }),
      receipt: text({ max: 36, serverOwned: true, indexed: true, about: 'The first payment of the same submission.' }),
    },
    // The takings of some days are a range of it.
    indexes: [['createdDate', 'pk']],
    hooks,
    access: { read: ofCustomer, create: atCounter, update: 'false', delete: 'false' },
  })

export type Payment = Row<ReturnType<typeof definePayments>>
