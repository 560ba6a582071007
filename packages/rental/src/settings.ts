// What a deployment decides about its store.

import { choice, defineSettings, integer, type SettingsOf, setting } from 'plinth'
import { decimalsOf, defineTextType, type ReadSettings } from 'plinth/module'

/** ISO 4217. */
const currency = defineTextType('text', 'must be a currency code such as EUR', text =>
  Intl.supportedValuesOf('currency').includes(text) ? text : undefined,
)

/** A name of the tz database. */
const timeZone = defineTextType('text', 'must be a time zone such as Europe/Athens', text => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) && text
  } catch {
    return undefined
  }
})

export const rentalSettings = defineSettings('app.rental', {
  currency: currency({
    default: 'EUR',
    about: 'The ISO 4217 currency code of all amounts. It cannot change once there are amounts.',
  }),
  timeZone: timeZone({ default: 'UTC', about: 'The time zone of the store, for due dates and ages.' }),
  maxItems: integer({ default: 100, min: 1, max: 1000, about: 'The maximum number of copies in one order.' }),
  voidMinutes: integer({
    default: 60,
    min: 0,
    max: 1_000_000,
    about: 'Minutes for which staff can void a payment; administrators always can.',
  }),
  adultAge: integer({ default: 18, min: 0, max: 99, about: 'The minimum age for films rated NC-17.' }),
  lateFeesTo: choice(['payer', 'renter'], {
    default: 'payer',
    about: 'Who pays the late fee if another person returns a copy: `payer`, that person, or `renter`.',
  }),
})

export interface RentalSettings extends SettingsOf<(typeof rentalSettings)['fields']> {
  /** How many decimals the currency has: 2 for EUR, 0 for JPY, 3 for KWD. */
  readonly scale: number
}

export const readRentalSettings = (settings: ReadSettings): RentalSettings => {
  const values = settings(rentalSettings)
  return { ...values, scale: decimalsOf(values.currency) }
}

/** The currency of all amounts. */
export const currencySetting = setting(rentalSettings, 'currency')
