// What the counter answers.

import {
  boolean,
  choice,
  date,
  defineShape,
  integer,
  json,
  list,
  number,
  object,
  optional,
  text,
  timestamp,
} from 'plinth'
import { mapOf } from 'plinth/module'
import { mpaaRatings } from './catalogue.ts'
import { conditions } from './fields.ts'

const must = { required: true } as const
const word = text(must)
const days = integer(must)
const amount = number({ ...must, about: 'In the currency of the store.' })

const person = object({ pk: word, username: text() }, must)

export const order = defineShape('Order', {
  inventoryId: word,
  barcode: text(),
  filmTitle: word,
  filmMpaa: choice(mpaaRatings),
  rentalId: text({ about: 'The current rental; null when the copy is available.' }),
  cost: amount,
  days: integer({ ...must, about: 'The number of days that the cost covers.' }),
  pricingStrategy: object(
    {
      pk: text(),
      id: text(),
      name: text(),
      initialPrice: amount,
      daysFree: days,
      dailyPrice: amount,
      bonusPoints: days,
    },
    must,
  ),
  currency: word,
  dueDate: timestamp(must),
  dueDateLocal: word,
  timeZone: word,
  customer: optional(person),
  daysKept: optional(days),
  condition: optional(choice(conditions, must)),
  replacementFee: optional(amount),
})

export const paymentsShape = defineShape('Payments', {
  items: list(object({}, { others: json() }), {
    ...must,
    about: 'The payments, as the resource `payments` shows them.',
  }),
  totalCost: amount,
  currency: word,
  customer: object({ pk: word, username: text() }),
  bonusPoints: days,
  receipt: text({ ...must, format: 'uri' }),
})

export const store = defineShape('Store', { currency: word, timeZone: word }, { about: 'The store.' })

const sums = {
  taken: number({ ...must, about: 'The amount taken at the counter: the sum of `byKind`.' }),
  byKind: mapOf(amount, must),
  onAccount: number({ ...must, about: 'The amount added to debts.' }),
  count: days,
}

export const takings = defineShape(
  'Takings',
  {
    from: date(must),
    to: date(must),
    currency: word,
    timeZone: word,
    days: list(object({ date: date(must), ...sums }), must),
    ...sums,
  },
  { about: 'The sums of each day and of all of them.' },
)

export const receiptShape = defineShape('Receipt', {
  number: word,
  date: timestamp(must),
  dateLocal: word,
  timeZone: word,
  currency: word,
  customer: text({ about: 'The customer who paid; null if copies of several customers were returned together.' }),
  staff: text(),
  items: list(
    object({
      pk: word,
      kind: word,
      customer: text(),
      film: text(),
      copy: text(),
      days,
      dueDate: timestamp(),
      dueDateLocal: text(),
      amount,
      onAccount: boolean(must),
      reason: text(),
    }),
    must,
  ),
  totalCost: amount,
  tendered: number({ about: 'The cash that the customer gave; null if it is not known.' }),
  change: number(),
})
