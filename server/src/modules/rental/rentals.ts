import { defineResource, variantOf } from '../../core/model/define.ts'
import { boolean, computed, integer, many, money, ref, text, textList, timestamp } from '../../core/model/fields.ts'
import type { Row } from '../../core/model/row.ts'
import { adminOnly, atCounter, ofCustomer } from './access.ts'
import { dueDateOf, longestRental } from './pricing.ts'
import { rentalHooks } from './rental-hooks.ts'

/** The copy while it is out, else nothing: unique, so that the database itself admits one open rental for each copy. */
const openCopyOf = ({ inventory, returnDate }: Readonly<Record<string, unknown>>): string | null =>
  (returnDate ?? null) === null ? String(inventory) : null

const defineRentals = (scale: number, currency: string) =>
  defineResource('rentals', {
    title: { de: 'Ausleihen' },
    singularTitle: { de: 'Ausleihe' },
    about: {
      en: 'Who had which copy, from when to when, and at which price.',
      de: 'Wer welches Exemplar hatte, von wann bis wann und zu welchem Preis.',
    },
    stamps: 'people',
    showsId: true,
    fields: {
      customer: ref('users', { required: true, fixed: true, title: { de: 'Kunde' } }),
      inventory: ref('filmInventoryEntries', { required: true, fixed: true, title: { en: 'Copy', de: 'Exemplar' } }),
      rentalDate: timestamp({
        indexed: true,
        writable: adminOnly,
        about: { en: 'The present moment unless given.', de: 'Ohne Angabe: jetzt.' },
        title: { de: 'Ausgeliehen am' },
      }),
      days: integer({
        default: 1,
        min: 1,
        max: longestRental,
        fixed: true,
        about: { en: 'How many days were paid.', de: 'Wie viele Tage bezahlt sind.' },
        title: { de: 'Tage' },
      }),
      dueDate: computed(timestamp({ indexed: true, title: { de: 'Fällig am' } }), ({ rentalDate, days }) =>
        dueDateOf(String(rentalDate), Number(days)),
      ),
      returnDate: timestamp({
        writable: adminOnly,
        about: {
          en: 'When it came back; null while it is out.',
          de: 'Wann es zurückkam; leer, solange es verliehen ist.',
        },
        title: { de: 'Zurückgegeben am' },
      }),
      returnedBy: ref('users', { serverOwned: true, title: { en: 'Returned by', de: 'Zurückgegeben von' } }),
      voided: boolean({
        default: false,
        serverOwned: true,
        about: { en: 'Undone at the counter.', de: 'An der Theke storniert.' },
        title: { de: 'Storniert' },
      }),
      // The price at the time of the rental: later changes of the strategy do not affect it.
      pricingStrategy: ref('filmPricingStrategies', { serverOwned: true, title: { de: 'Preismodell' } }),
      initialPrice: money({ scale, serverOwned: true, title: { de: 'Grundpreis' } }),
      daysFree: integer({ serverOwned: true, title: { de: 'Freie Tage' } }),
      dailyPrice: money({ scale, serverOwned: true, title: { de: 'Tagespreis' } }),
      bonusPoints: integer({ default: 0, serverOwned: true, title: { de: 'Bonuspunkte' } }),
      currency: text({ max: 3, default: currency, serverOwned: true, title: { de: 'Währung' } }),
      remark: text({ max: 500, title: { de: 'Bemerkung' } }),
      corrections: textList({
        maxItems: 1000,
        serverOwned: true,
        about: {
          en: 'What was corrected afterwards, and by whom.',
          de: 'Was nachträglich korrigiert wurde und von wem.',
        },
        title: { de: 'Korrekturen' },
      }),
      payments: many('payments', { by: 'rental', title: { de: 'Zahlungen' } }),
      openCopy: computed(
        text({ max: 255, unique: true, writeOnly: true, title: { de: 'Offenes Exemplar' } }),
        openCopyOf,
      ),
    },
    // Open rentals by the day they are due: what is overdue is a range of it.
    indexes: [['returnDate', 'dueDate', 'pk']],
    hooks: rentalHooks,
    access: { read: ofCustomer, write: atCounter },
  })

/** In cents. Code asks for records by it, whatever the currency of the store. */
export const rentals = defineRentals(2, 'EUR')

export const createRentals = (scale: number, currency: string) => variantOf(rentals, defineRentals(scale, currency))

export type Rental = Row<typeof rentals>
