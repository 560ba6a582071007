// The counter's endpoints as callers are told of them.

import { type Description, shape } from '../../core/model/description.ts'
import type { JsonSchema } from '../../core/model/json.ts'

const text: JsonSchema = { type: 'string' }
const amount: JsonSchema = { type: 'number', description: 'In the currency of the store.' }
const days: JsonSchema = { type: 'integer' }
const instant: JsonSchema = { type: 'string', format: 'date-time' }
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

const object = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required: [...required] }),
})

const person = object({ pk: text, username: orNull(text) })

export const rentalSchemas: Readonly<Record<string, JsonSchema>> = {
  Order: object(
    {
      inventoryId: text,
      barcode: orNull(text),
      filmTitle: text,
      filmMpaa: { type: 'string', enum: ['unrated', 'G', 'PG', 'PG-13', 'R', 'NC-17'] },
      rentalId: { ...orNull(text), description: 'The current rental; null when the copy is available.' },
      cost: amount,
      days: { ...days, description: 'The days that the cost is for.' },
      pricingStrategy: { type: 'object' },
      currency: text,
      dueDate: instant,
      dueDateLocal: text,
      timeZone: text,
      customer: person,
      daysKept: days,
      condition: { type: 'string', enum: ['good', 'damaged', 'lost'] },
      replacementFee: amount,
    },
    ['inventoryId', 'cost'],
  ),
  Orders: object(
    {
      customer: { description: 'A user: its pk, or an object with `pk`.', anyOf: [text, person] },
      items: { type: 'array', items: shape('Order'), minItems: 1 },
      totalCost: amount,
      override: {
        ...object({ reason: text }, ['reason']),
        description: 'By administrators only: sets the age rule aside.',
      },
    },
    ['items'],
  ),
  Payments: object(
    {
      items: { type: 'array', items: { type: 'object' } },
      totalCost: amount,
      currency: text,
      customer: orNull(person),
      bonusPoints: days,
      receipt: text,
    },
    ['items', 'totalCost'],
  ),
}

const sums = {
  taken: { ...amount, description: 'What went over the counter: the sum of `byKind`.' },
  byKind: { type: 'object', additionalProperties: { type: 'number' } },
  onAccount: { ...amount, description: 'What was not paid but is owed.' },
  count: days,
} satisfies Readonly<Record<string, JsonSchema>>

const day: JsonSchema = { type: 'string', format: 'date' }

const takings = object(
  {
    from: day,
    to: day,
    currency: text,
    timeZone: text,
    ...sums,
    days: { type: 'array', items: object({ date: day, ...sums }) },
  },
  ['from', 'to', 'days', 'taken', 'onAccount'],
)

const payments = { 200: { says: 'What was written, in one transaction.', value: shape('Payments') } }
const acting = [400, 401, 403, 404, 409, 415, 422]

const act = (id: string, summary: string, schema: JsonSchema): Description => ({
  id,
  summary,
  tag: 'rental',
  body: { schema },
  answers: payments,
  problems: acting,
})

const correction = object({ reason: text, amount }, ['reason'])

const calculation = (id: string, summary: string): Description => ({
  id,
  summary,
  tag: 'rental',
  path: { code: 'The pk or the barcode of the copy.' },
  query: {
    days: { says: 'For how many days to rent; not looked at for returns.', schema: { type: 'integer', default: 1 } },
    condition: {
      says: 'How a rented copy comes back.',
      schema: { type: 'string', enum: ['good', 'damaged', 'lost'] },
    },
  },
  answers: { 200: { says: 'The order.', value: shape('Order') } },
  problems: [400, 401, 403, 404, 409],
})

export const descriptions = {
  scan: {
    id: 'scan',
    summary: 'Find the client of a scanned card, or the copy',
    description: 'For staff a user by pk or card; for everybody a copy by pk or barcode.',
    path: { pk: { says: 'The pk of a user or a copy, or the code that was scanned.', schema: text } },
    answers: { 200: { says: 'The user or the copy.', item: 'filmInventoryEntries' } },
    problems: [400, 401, 403, 404],
  },
  calculate: calculation('calculateOrder', 'Calculate what renting or returning a copy costs now'),
  calculateShort: calculation('calculateOrderShort', 'Calculate an order, by the short path'),
  submit: act('submitOrders', 'Rent and return copies, all or none', shape('Orders')),
  submitShort: act('submitOrdersShort', 'Rent and return copies, by the short path', shape('Orders')),
  returns: act(
    'emptyDropBox',
    'Take back many copies without a customer',
    object({ items: { type: 'array', items: text, minItems: 1 } }, ['items']),
  ),
  void: act('voidPayment', 'Undo a payment by another one', correction),
  waive: act('waiveFee', 'Waive a late fee', correction),
  settle: act('settleBalance', 'Pay off what is owed', object({ customer: text, amount }, ['customer', 'amount'])),
  store: {
    id: 'describeStore',
    summary: 'Read the currency and the time zone of the store',
    tag: 'rental',
    answers: {
      200: { says: 'The store.', value: object({ currency: text, timeZone: text }, ['currency', 'timeZone']) },
    },
    problems: [401, 403],
  },
  overdue: {
    id: 'listOverdue',
    summary: 'Search the rentals that should be back',
    tag: 'rental',
    answers: { 200: { says: 'A page of rentals.', page: 'rentals' } },
    problems: [400, 401, 403],
  },
  takings: {
    id: 'countTakings',
    summary: 'Count what was taken at the counter, day by day',
    description: 'Days are those of the time zone of the store.',
    tag: 'rental',
    query: {
      from: { says: 'The first day; 30 days up to `to` unless given, 366 at most.', schema: day },
      to: { says: 'The last day; today unless given.', schema: day },
    },
    answers: { 200: { says: 'The sums of each day and of all of them.', value: takings } },
    problems: [400, 401, 403],
  },
  receipt: {
    id: 'printReceipt',
    summary: 'Print the receipt of a payment',
    tag: 'rental',
    answers: {
      200: {
        says: 'Everything that was paid together.',
        content: { 'application/json': { type: 'object' }, 'text/html': text, 'text/plain': text },
      },
    },
    problems: [401, 403, 404, 406],
  },
} as const satisfies Readonly<Record<string, Description>>

export const describeReplacement = (resource: string): Description => ({
  id: `${resource}ReplaceByBody`,
  summary: 'Replace the record that the body names',
  body: { record: resource, mode: 'replace', namesRecord: true },
  answers: {
    200: { says: 'The record as it is now.', item: resource },
    204: { says: 'Replaced, with `return=minimal`.' },
  },
  problems: [400, 401, 403, 404, 409, 412, 415, 422],
})
