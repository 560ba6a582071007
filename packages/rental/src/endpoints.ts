// The counter's endpoints, beyond the generic ones.

import { aliasOf, answerSearch, defineEndpoint, type Endpoint, mayUse, replaceByBody } from 'plinth'
import { filmActors, filmCategories, filmPricingStrategies, films } from './catalogue.ts'
import { checkAmount, correctionFields, voidPayment, waiveFee } from './corrections.ts'
import { mustServe, type RentalCounter, scan } from './counter.ts'
import { returnAll, returnFields, toCopyReferences } from './drop-box.ts'
import { filmInventoryEntries } from './film-inventory-entries.ts'
import { checkOrders, ordersShape, submitOrders, toOrders } from './orders.ts'
import { calculateOrder } from './quote.ts'
import { printReceipt } from './receipts.ts'
import { rentals } from './rentals.ts'
import type { RentalSettings } from './settings.ts'
import { settle, settlementFields } from './settle.ts'
import { paymentsShape, store } from './shapes.ts'
import { countTakings } from './takings.ts'

/** Collections whose records can also be replaced at the collection's own address. */
const replaceable = [filmInventoryEntries, films, filmActors, filmCategories, filmPricingStrategies, rentals]

export const rentalEndpoints = (settings: RentalSettings): readonly Endpoint[] => {
  const counter: RentalCounter = { settings }
  const calculate = calculateOrder(counter)
  const submit = submitEndpoint(counter)
  return [
    ...replaceable.map(replaceByBody),
    scanCode,
    calculate,
    aliasOf(calculate, {
      path: '/api/rest/orders/{code}',
      id: 'calculateOrderShort',
      summary: 'Calculate an order, by the short path',
    }),
    submit,
    aliasOf(submit, {
      path: '/api/rest/orders',
      id: 'submitOrdersShort',
      summary: 'Rent and return copies, by the short path',
    }),
    returnEndpoint(counter),
    correction(counter, {
      id: 'voidPayment',
      summary: 'Void a payment',
      path: 'void',
      act: voidPayment,
    }),
    correction(counter, { id: 'waiveFee', summary: 'Waive a late fee', path: 'waive', act: waiveFee }),
    settleEndpoint(counter),
    describeStore(settings),
    listOverdue,
    countTakings(counter),
    printReceipt(counter),
  ]
}

const scanCode = defineEndpoint({
  method: 'GET',
  path: '/api/rest/filmInventoryEntries/{pk}',
  id: 'scan',
  summary: 'Find the client of a scanned card, or the copy',
  description: 'Staff find customers by pk or card; everyone finds copies by pk or barcode.',
  params: { pk: { says: 'The pk of a user or a copy, or the code that was scanned.', schema: { type: 'string' } } },
  access: mayUse(filmInventoryEntries, 'read'),
  answers: { 200: { about: 'The user or the copy.', item: filmInventoryEntries } },
  problems: [400, 401, 403, 404],
  answer: ({ context, request }) => scan(context, request),
})

/** What all endpoints have in common that take or give money. */
const acting = {
  method: 'POST',
  tag: 'rental',
  access: mustServe,
  answers: { 200: { about: 'The records written in one transaction.', value: paymentsShape } },
  problems: [400, 401, 403, 404, 409, 415, 422],
} as const

const submitEndpoint = (counter: RentalCounter): Endpoint =>
  defineEndpoint({
    ...acting,
    path: '/api/rest/order/orders',
    id: 'submitOrders',
    summary: 'Rent and return copies, all or none',
    body: ordersShape(counter.settings),
    check: checkOrders,
    run: async ({ context, request, body }) => (await submitOrders(context, counter, toOrders(body)))(request.base),
  })

const returnEndpoint = (counter: RentalCounter): Endpoint =>
  defineEndpoint({
    ...acting,
    path: '/api/rest/order/returns',
    id: 'emptyDropBox',
    summary: 'Return several copies without a customer',
    body: returnFields(counter.settings),
    run: async ({ context, request, body: { items } }) =>
      (await returnAll(context, counter, toCopyReferences(items)))(request.base),
  })

interface CorrectionEndpoint {
  readonly id: string
  readonly summary: string
  readonly path: 'void' | 'waive'
  readonly act: typeof voidPayment
}

const correction = (counter: RentalCounter, { id, summary, path, act }: CorrectionEndpoint): Endpoint =>
  defineEndpoint({
    ...acting,
    path: `/api/rest/order/payments/{pk}/${path}`,
    id,
    summary,
    body: correctionFields(counter.settings),
    check: checkAmount(counter.settings),
    run: async ({ context, request, params, body }) =>
      (await act(context, counter, { ...body, payment: params.pk }))(request.base),
  })

const settleEndpoint = (counter: RentalCounter): Endpoint =>
  defineEndpoint({
    ...acting,
    path: '/api/rest/order/settlements',
    id: 'settleBalance',
    summary: 'Pay a debt',
    body: settlementFields(counter.settings),
    check: checkAmount(counter.settings),
    run: async ({ context, request, body }) => (await settle(context, counter, body))(request.base),
  })

const describeStore = ({ currency, timeZone }: RentalSettings): Endpoint =>
  defineEndpoint({
    method: 'GET',
    path: '/api/rest/order/store',
    id: 'describeStore',
    summary: 'Read the currency and the time zone of the store',
    tag: 'rental',
    access: mayUse(rentals, 'read'),
    answers: { 200: store },
    problems: [401, 403],
    run: () => ({ currency, timeZone }),
  })

/** A search of rentals like any other, within those that should be back. */
const listOverdue = defineEndpoint({
  method: 'GET',
  path: '/api/rest/order/overdue',
  id: 'listOverdue',
  summary: 'Search overdue rentals',
  tag: 'rental',
  access: mayUse(rentals, 'read'),
  answers: { 200: { about: 'A page of rentals.', page: rentals } },
  problems: [400, 401, 403],
  answer: ({ context, request }) => {
    const now = context.platform.clock().toISOString()
    return answerSearch(context, rentals, { request, where: { returnDate: null, dueDate: { lt: now } } })
  },
})
