// The problems and faults of the counter.

import { defineFaults, defineProblems, Problem } from 'plinth'
import type { FaultReason } from 'plinth/module'

export const rentalProblem = defineProblems({
  quote_changed: {
    status: 409,
    title: { en: 'Quote changed', de: 'Preise haben sich geändert' },
    meaning: 'A copy or a price has changed since the quote; `quote` has the current values. Nothing was charged.',
  },
})

export const rentalFault = defineFaults({
  barcode: {
    en: 'must be 1 to 40 letters, digits, spaces, dots, dashes or underscores',
    de: 'Verwenden Sie 1 bis 40 Buchstaben, Ziffern, Leerzeichen, Punkte, Binde- und Unterstriche.',
  },
  check_digit: { en: 'has a wrong check digit', de: 'Die Prüfziffer stimmt nicht.' },
  no_such_copy: { en: 'no such copy', de: 'Dieses Exemplar gibt es nicht.' },
  named_twice: { en: 'is listed twice', de: 'Ist doppelt aufgeführt.' },
  order: { en: 'must be an order', de: 'Geben Sie einen Auftrag an.' },
  copy: {
    en: 'must be the identifier or the barcode of a copy',
    de: 'Geben Sie die Kennung oder den Strichcode eines Exemplars ein.',
  },
  positive_amount: {
    en: 'must be greater than 0, with at most {max} decimal places',
    de: 'Geben Sie einen Betrag über 0 mit höchstens {max} Nachkommastellen ein.',
  },
  no_such_customer: { en: 'no such user', de: 'Diesen Kunden gibt es nicht.' },
  inactive: { en: 'is not active', de: 'Dieses Kundenkonto ist nicht aktiv.' },
  age: {
    en: 'is rated NC-17, and the customer is under age',
    de: 'Dieser Film ist ab 18 (NC-17), und der Kunde ist nicht volljährig.',
  },
  rented: { en: 'the copy is on loan', de: 'Dieses Exemplar ist ausgeliehen.' },
  not_rented: { en: 'is not on loan', de: 'Dieses Exemplar ist nicht mehr ausgeliehen.' },
  price_changed: { en: 'is not the current price', de: 'Der Preis hat sich geändert.' },
  wrong_sum: { en: 'is not the sum of the items', de: 'Das ist nicht die Summe der Positionen.' },
  future_rental: { en: 'is in the future', de: 'Dieses Datum liegt in der Zukunft.' },
  early_return: { en: 'is before the rental', de: 'Dieses Datum liegt vor der Ausleihe.' },
  other_film: { en: 'belong to another film', de: 'Gehört zu einem anderen Film.' },
  unknown_strategy: { en: "'{name}' is not known", de: 'Es gibt kein Preismodell „{name}“.' },
  after_end: { en: 'must not be after `to`', de: 'Der Zeitraum endet, bevor er beginnt.' },
  max_period: { en: 'must be within {max} days of `to`', de: 'Wählen Sie einen Zeitraum von höchstens {max} Tagen.' },
})

export const badParameter = (parameter: string, reason: FaultReason): Problem =>
  new Problem('bad_parameter', {
    detail: `${parameter} ${reason.message}.`,
    errors: [{ parameter, ...reason }],
  })
