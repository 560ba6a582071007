import { boolean, choice, defineResource, integer, money, type Row, ref, text } from 'plinth'
import { atCounter, ofCustomer } from './access.ts'
import { currencySetting } from './settings.ts'

export const paymentKinds = ['adjustment', 'rental', 'return', 'waiver', 'void', 'settlement'] as const

export const payments = defineResource('payments', {
  title: { de: 'Zahlungen' },
  singularTitle: { de: 'Zahlung' },
  about: {
    en: 'Charges, refunds and waived fees. Payments are never changed: a correction is another payment.',
    de: 'Zahlungen, Erstattungen und erlassene Gebühren. Zahlungen werden nie geändert: Eine Korrektur ist eine weitere Zahlung.',
  },
  // Payments are made at the counter.
  createForm: false,
  stamps: 'people',
  showsId: true,
  history: true,
  fields: {
    amount: money({
      required: true,
      currency: currencySetting,
      about: { en: 'Negative for payments to the customer.', de: 'Negativ, wenn der Kunde den Betrag erhält.' },
      title: { de: 'Betrag' },
    }),
    replacementFee: money({
      currency: currencySetting,
      default: 0,
      serverOwned: true,
      about: {
        en: 'The part for a lost or damaged copy.',
        de: 'Der Anteil für ein verlorenes oder beschädigtes Exemplar.',
      },
      title: { de: 'Ersatzgebühr' },
    }),
    currency: text({ max: 3, default: currencySetting, serverOwned: true, title: { de: 'Währung' } }),
    tendered: money({
      currency: currencySetting,
      serverOwned: true,
      about: {
        en: 'The cash that the customer gave for the whole receipt, on its first payment.',
        de: 'Das Bargeld, das der Kunde für den ganzen Beleg gegeben hat, bei dessen erster Zahlung.',
      },
      title: { en: 'Cash received', de: 'Gegeben' },
    }),
    days: integer({
      default: 0,
      min: 0,
      about: {
        en: 'The number of days that the amount covers.',
        de: 'Die Anzahl der Tage, für die der Betrag gilt.',
      },
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
      about: { en: 'The charged customer.', de: 'Wem der Betrag berechnet wird.' },
      title: { de: 'Kunde' },
    }),
    payer: ref('users', {
      serverOwned: true,
      about: { en: 'The customer at the counter.', de: 'Wer an der Theke bezahlt hat.' },
      title: { de: 'Zahlende Person' },
    }),
    rental: ref('rentals', { title: { de: 'Ausleihe' } }),
    staff: ref('users', { serverOwned: true, title: { de: 'Personal' } }),
    selfServed: boolean({
      default: false,
      serverOwned: true,
      about: { en: 'Whether staff charged themselves.', de: 'Das Personal hat sich selbst bedient.' },
      title: { de: 'Selbst bedient' },
    }),
    onAccount: boolean({
      default: false,
      serverOwned: true,
      about: {
        en: 'Not paid, but added to the debt of the customer.',
        de: 'Nicht bezahlt, sondern zu den Schulden des Kunden hinzugefügt.',
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
      about: { en: 'The first payment of the same transaction.', de: 'Die erste Zahlung desselben Vorgangs.' },
      title: { de: 'Beleg' },
    }),
  },
  // The takings of some days are a range of it.
  indexes: [['createdDate', 'pk']],
  hooks: {
    // Only the counter gives these itself. A payment that is added by hand stands on a receipt of its own.
    beforeCreate: ({ values, caller, pk }) => {
      values.staff ??= caller.pk
      values.receipt ??= pk
      values.payer ??= values.customer
      values.selfServed ??= values.customer === caller.pk
    },
  },
  access: { read: ofCustomer, create: atCounter, update: 'false', delete: 'false' },
})

export type Payment = Row<typeof payments>
