import { defineResource, type Row } from '../../core/model/define.ts'
import { boolean, computed, integer, many, money, ref, text, textList, timestamp } from '../../core/model/fields.ts'
import { adminOnly, atCounter, ofCustomer } from './access.ts'
import { dueDateOf, longestRental } from './pricing.ts'
import { rentalHooks } from './rental-hooks.ts'

/** The copy while it is out, else nothing: unique, so that the database itself admits one open rental for each copy. */
export const openCopyOf = ({ inventory, returnDate }: Readonly<Record<string, unknown>>): string | null =>
  (returnDate ?? null) === null ? String(inventory) : null

export const defineRentals = (scale: number, currency: string) =>
  defineResource('rentals', {
    about: 'Who had which copy, from when to when, and at which price.',
    stamps: 'people',
    showsId: true,
    fields: {
      customer: ref('users', { required: true, fixed: true }),
      inventory: ref('filmInventoryEntries', { required: true, fixed: true, title: 'Copy' }),
      rentalDate: timestamp({ indexed: true, writable: adminOnly, about: 'The present moment unless given.' }),
      days: integer({ default: 1, min: 1, max: longestRental, fixed: true, about: 'How many days were paid.' }),
      dueDate: computed(timestamp({ indexed: true }), ({ rentalDate, days }) =>
        dueDateOf(String(rentalDate), Number(days)),
      ),
      returnDate: timestamp({ writable: adminOnly, about: 'When it came back; null while it is out.' }),
      returnedBy: ref('users', { serverOwned: true, title: 'Returned by' }),
      voided: boolean({ default: false, serverOwned: true, about: 'Undone at the counter.' }),
      // The price at the time of the rental: later changes of the strategy do not affect it.
      pricingStrategy: ref('filmPricingStrategies', { serverOwned: true }),
      initialPrice: money({ scale, serverOwned: true }),
      daysFree: integer({ serverOwned: true }),
      dailyPrice: money({ scale, serverOwned: true }),
      bonusPoints: integer({ default: 0, serverOwned: true }),
      currency: text({ max: 3, default: currency, serverOwned: true }),
      remark: text({ max: 500 }),
      corrections: textList({
        maxItems: 1000,
        serverOwned: true,
        about: 'What was corrected afterwards, and by whom.',
      }),
      payments: many('payments', { by: 'rental' }),
      openCopy: computed(text({ max: 255, unique: true, writeOnly: true }), openCopyOf),
    },
    // Open rentals by the day they are due: what is overdue is a range of it.
    indexes: [['returnDate', 'dueDate', 'pk']],
    hooks: rentalHooks,
    access: { read: ofCustomer, write: atCounter },
  })

export type Rental = Row<ReturnType<typeof defineRentals>>
