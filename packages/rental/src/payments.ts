import { boolean, choice, defineResource, type Hooks, integer, money, type Row, ref, text, variantOf } from 'plinth'
import { atCounter, ofCustomer } from './access.ts'

export const paymentKinds = ['adjustment', 'rental', 'return', 'waiver', 'void', 'settlement'] as const

/** Only the counter gives these itself. A payment that is added by hand stands on a receipt of its own. */
const hooks: Hooks = {
  on: ['create'],
  before: ({ values, caller, pk }) => {
    values.staff ??= caller.pk
    values.receipt ??= pk
    values.payer ??= values.customer
    values.selfServed ??= values.customer === caller.pk
  },
}

const definePayments = (scale: number, currency: string) =>
  defineResource('payments', {
    title: { de: 'Zahlungen' },
    singularTitle: { de: 'Zahlung' },
    about: {
      en: 'What was charged, paid back or waived. Payments are only ever added: a mistake is undone by another one.',
      de: 'Was berechnet, erstattet oder erlassen wurde. Zahlungen werden nie geändert: Ein Fehler wird durch eine weitere Zahlung ausgeglichen.',
    },
    stamps: 'people',
    showsId: true,
    fields: {
      amount: money({
        required: true,
        scale,
        about: { en: 'Negative when it goes to the customer.', de: 'Negativ, wenn der Kunde den Betrag erhält.' },
        title: { de: 'Betrag' },
      }),
      replacementFee: money({
        scale,
        default: 0,
        serverOwned: true,
        about: {
          en: 'The part for a lost or damaged copy.',
          de: 'Der Anteil für ein verlorenes oder beschädigtes Exemplar.',
        },
        title: { de: 'Ersatzgebühr' },
      }),
      currency: text({ max: 3, default: currency, serverOwned: true, title: { de: 'Währung' } }),
      days: integer({
        default: 0,
        min: 0,
        about: { en: 'The days that the amount is for.', de: 'Die Tage, für die der Betrag gilt.' },
        title: { de: 'Tage' },
      }),
      kind: choice(paymentKinds, {
        default: 'adjustment',
        serverOwned: true,
        title: { de: 'Art' },
        labels: {
          adjustment: { de: 'Ausgleich' },
          rental: { de: 'Ausleihe' },
          return: { de: 'Rückgabe' },
          waiver: { de: 'Erlass' },
          void: { de: 'Storno' },
          settlement: { de: 'Begleichung' },
        },
      }),
      customer: ref('users', {
        required: true,
        about: { en: 'Who is charged.', de: 'Wem der Betrag berechnet wird.' },
        title: { de: 'Kunde' },
      }),
      payer: ref('users', {
        serverOwned: true,
        about: { en: 'Who stood at the counter.', de: 'Wer an der Theke bezahlt hat.' },
        title: { de: 'Zahlende Person' },
      }),
      rental: ref('rentals', { title: { de: 'Ausleihe' } }),
      staff: ref('users', { serverOwned: true, title: { de: 'Personal' } }),
      selfServed: boolean({
        default: false,
        serverOwned: true,
        about: { en: 'Charged by staff to themselves.', de: 'Das Personal hat sich selbst bedient.' },
        title: { de: 'Selbst bedient' },
      }),
      onAccount: boolean({
        default: false,
        serverOwned: true,
        about: {
          en: 'Not paid at the counter but owed, part of the balance of the client.',
          de: 'Nicht an der Theke bezahlt, sondern offen: Teil des Saldos.',
        },
        title: { de: 'Auf Rechnung' },
      }),
      reason: text({ max: 500, title: { de: 'Grund' } }),
      voids: ref('payments', { serverOwned: true, unique: true, title: { de: 'Storniert die Zahlung' } }),
      waives: ref('payments', { serverOwned: true, unique: true, title: { de: 'Erlässt die Zahlung' } }),
      receipt: text({
        max: 36,
        serverOwned: true,
        indexed: true,
        about: { en: 'The first payment of the same submission.', de: 'Die erste Zahlung desselben Vorgangs.' },
        title: { de: 'Beleg' },
      }),
    },
    // The takings of some days are a range of it.
    indexes: [['createdDate', 'pk']],
    hooks,
    access: { read: ofCustomer, create: atCounter, update: 'false', delete: 'false' },
  })

/** In cents. Code asks for records by it, whatever the currency of the store. */
export const payments = definePayments(2, 'EUR')

export const createPayments = (scale: number, currency: string) => variantOf(payments, definePayments(scale, currency))

export type Payment = Row<typeof payments>
