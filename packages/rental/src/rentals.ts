// Rentals. When one is written, its copy follows and its price is captured; corrections are audited.

import {
  boolean,
  computed,
  defineResource,
  fault,
  type HookContextOf,
  integer,
  many,
  money,
  Problem,
  type RecordReader,
  type Row,
  ref,
  text,
  textList,
  timestamp,
} from 'plinth'
import { defineAudit, type FaultReason, type HookContext, type HookName } from 'plinth/module'
import { adminOnly, atCounter, ofCustomer } from './access.ts'
import { filmPricingStrategies, films } from './catalogue.ts'
import { type Copy, filmInventoryEntries } from './film-inventory-entries.ts'
import { dueDateOf, longestRental } from './pricing.ts'
import { rentalFault } from './problems.ts'
import { currencySetting } from './settings.ts'

/** The copy while it is out, else nothing: unique, so that the database itself admits one open rental for each copy. */
const openCopyOf = ({
  inventory = null,
  returnDate = null,
}: {
  readonly inventory?: string | null | undefined
  readonly returnDate?: string | null | undefined
}): string | null => (returnDate === null ? inventory : null)

export const rentals = defineResource('rentals', {
  title: { de: 'Ausleihen' },
  singularTitle: { de: 'Ausleihe' },
  about: {
    en: 'Rentals of copies to customers.',
    de: 'Ausleihen von Exemplaren an Kunden.',
  },
  stamps: 'people',
  showsId: true,
  history: true,
  fields: {
    customer: ref('users', { required: true, fixed: true, title: { de: 'Kunde' } }),
    inventory: ref('filmInventoryEntries', { required: true, fixed: true, title: { en: 'Copy', de: 'Exemplar' } }),
    rentalDate: timestamp({
      indexed: true,
      writable: adminOnly,
      about: { en: 'Default: now.', de: 'Standard: jetzt.' },
      title: { de: 'Ausgeliehen am' },
    }),
    days: integer({
      default: 1,
      min: 1,
      max: longestRental,
      fixed: true,
      about: { en: 'The number of paid days.', de: 'Die Anzahl der bezahlten Tage.' },
      title: { de: 'Tage' },
    }),
    dueDate: computed(
      timestamp({ indexed: true, title: { de: 'Fällig am' } }),
      ({
        rentalDate,
        days,
      }: {
        readonly rentalDate?: string | null | undefined
        readonly days?: number | null | undefined
      }) => dueDateOf(String(rentalDate), Number(days)),
    ),
    returnDate: timestamp({
      writable: adminOnly,
      about: {
        en: 'The time of the return; null while the copy is on loan.',
        de: 'Zeitpunkt der Rückgabe; leer, solange das Exemplar verliehen ist.',
      },
      title: { de: 'Zurückgegeben am' },
    }),
    returnedBy: ref('users', { serverOwned: true, title: { en: 'Returned by', de: 'Zurückgegeben von' } }),
    voided: boolean({
      default: false,
      serverOwned: true,
      about: { en: 'Voided at the counter.', de: 'An der Theke storniert.' },
      title: { de: 'Storniert' },
    }),
    // The price at the time of the rental: later changes of the strategy do not affect it.
    pricingStrategy: ref('filmPricingStrategies', { serverOwned: true, title: { de: 'Preismodell' } }),
    initialPrice: money({ currency: currencySetting, serverOwned: true, title: { de: 'Grundpreis' } }),
    daysFree: integer({ serverOwned: true, title: { de: 'Freie Tage' } }),
    dailyPrice: money({ currency: currencySetting, serverOwned: true, title: { de: 'Tagespreis' } }),
    bonusPoints: integer({ default: 0, serverOwned: true, title: { de: 'Bonuspunkte' } }),
    currency: text({ max: 3, default: currencySetting, serverOwned: true, title: { de: 'Währung' } }),
    remark: text({ max: 500, title: { de: 'Bemerkung' } }),
    corrections: textList({
      maxItems: 1000,
      serverOwned: true,
      about: {
        en: 'Later corrections and their author.',
        de: 'Spätere Korrekturen und wer sie vorgenommen hat.',
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
  access: { read: ofCustomer, write: atCounter },
  hooks: {
    beforeCreate: async context => {
      const { values, now, records } = context
      const copy = await lockCopy(context, values.inventory)
      values.rentalDate ??= now.toISOString()
      await capturePrice(values, copy, records.asService)
      checkOpening(context, copy)
    },
    afterCreate: async context => {
      await followCopy(context)
    },
    beforeUpdate: async context => {
      const { values, before, isService } = context
      const copy = await lockCopy(context, before.inventory.pk)
      // A rental always has its day: a replacement that leaves it out keeps it.
      if (values.rentalDate === null) delete values.rentalDate
      // What the counter itself writes is no correction.
      if (!isService) await noteCorrections(context)
      checkOpening(context, copy)
    },
    afterUpdate: async context => {
      await followCopy(context)
    },
    beforeDelete: async context => {
      const { before, records } = context
      const copy = await lockCopy(context, before.inventory.pk)
      if (isOut(before)) await records.asService.update(filmInventoryEntries, copy.pk, { currentRental: null })
    },
  },
})

export type Rental = Row<typeof rentals>

type RentalContext<Name extends HookName> = HookContextOf<typeof rentals, Name>

export const rentalAudit = defineAudit(['RENTAL_CORRECTED'])

const checkOpening = (context: RentalContext<'beforeCreate' | 'beforeUpdate'>, copy: Copy): void => {
  const { before, values } = context
  checkDates(context)
  const opens = isOut({ ...before, ...values }) && !isOut(before)
  if (opens && !copy.available)
    throw new Problem('conflict', {
      en: 'The copy cannot be rented now.',
      de: 'Das Exemplar lässt sich gerade nicht ausleihen.',
    })
}

/** The copy knows the rental that it is out with. */
const followCopy = async (context: RentalContext<'afterCreate' | 'afterUpdate'>): Promise<void> => {
  const { pk, before, record, records } = context
  const out = isOut(record)
  if (out === isOut(before)) return
  const copy = await lockCopy(context, record.inventory.pk)
  await records.asService.update(filmInventoryEntries, copy.pk, { currentRental: out ? pk : null })
}

const isOut = (rental: { readonly returnDate?: string | null } | null): boolean =>
  rental !== null && (rental.returnDate ?? null) === null

const lockCopy = async ({ records }: HookContext, pk: string): Promise<Copy> => {
  const copy = await records.asService.lock(filmInventoryEntries, pk)
  if (copy) return copy
  const reason = fault('missing', { resource: 'filmInventoryEntries' })
  throw new Problem('unprocessable', { errors: [{ pointer: '/inventory', member: 'inventory', ...reason }] })
}

const capturePrice = async (values: object, copy: Copy, records: RecordReader): Promise<void> => {
  const { pricingStrategy } = await records.get(films, copy.film.pk)
  const { pk, initialPrice, daysFree, dailyPrice } = await records.get(filmPricingStrategies, pricingStrategy.pk)
  Object.assign(values, { pricingStrategy: pk, initialPrice, daysFree, dailyPrice })
}

const checkDates = ({ values, before, now }: RentalContext<'beforeCreate' | 'beforeUpdate'>): void => {
  const { rentalDate, returnDate } = { ...before, ...values }
  const faults = [
    ...(values.rentalDate && values.rentalDate > now.toISOString()
      ? [faultAt('rentalDate', rentalFault('future_rental'))]
      : []),
    ...(returnDate && rentalDate && returnDate < rentalDate
      ? [faultAt('returnDate', rentalFault('early_return'))]
      : []),
  ]
  if (faults.length > 0)
    throw new Problem('invalid', {
      detail: { en: 'The dates contradict each other.', de: 'Die Daten widersprechen einander.' },
      errors: faults,
    })
}

const faultAt = (field: string, reason: FaultReason) => ({ pointer: `/${field}`, member: field, ...reason })

const corrected = ['rentalDate', 'returnDate'] as const

/** The rental shows what was corrected to all who see it; the auditors find it among their events. */
const noteCorrections = async (context: RentalContext<'beforeUpdate'>): Promise<void> => {
  const { pk, values, before, caller, now, records } = context
  const changed = corrected
    .filter(field => field in values)
    .map(field => [field, `${before[field] ?? 'none'} -> ${values[field] ?? 'none'}`] as const)
  if (changed.length === 0) return
  const notes = changed.map(([field, change]) => `${now.toISOString()} ${caller.username}: ${field} ${change}`)
  values.corrections = [...(before.corrections ?? []), ...notes]
  const data = { rental: pk, ...Object.fromEntries(changed) }
  await rentalAudit.record(records, { type: 'RENTAL_CORRECTED', principal: caller.username, data, now })
}
