// The rental module.

import { choice, currency, integer, timeZone } from '../kinds.ts'
import { setting } from '../load.ts'

export const rentalSettings = {
  'app.rental.currency': setting({
    is: currency,
    default: 'EUR',
    meaning:
      'The ISO 4217 code of all amounts; its minor units decide how many decimals they have. Not to be changed once there are amounts.',
  }),
  'app.rental.timeZone': setting({
    is: timeZone,
    default: 'UTC',
    meaning: 'The time zone of the store, in which due dates are shown and ages are counted.',
  }),
  'app.rental.maxItems': setting({
    is: integer(1, 1000),
    default: 100,
    meaning: 'How many copies one submission may rent or return.',
  }),
  'app.rental.voidMinutes': setting({
    is: integer(0, 1_000_000),
    default: 60,
    meaning: 'How long after a payment staff may void it; administrators always may.',
  }),
  'app.rental.adultAge': setting({
    is: integer(0, 99),
    default: 18,
    meaning: 'From which age a customer may rent films rated NC-17.',
  }),
  'app.rental.lateFeesTo': setting({
    is: choice('payer', 'renter'),
    default: 'payer',
    meaning: 'Who is charged for a late return that another person brings back: `payer`, that person, or `renter`.',
  }),
}
