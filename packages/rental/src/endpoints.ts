// The counter's endpoints, beyond the generic ones.

import { defineEndpoint } from 'plinth'
import { aliasOf, answerSearch, mayUse, replaceByBody } from 'plinth/module'
import { filmActors, filmCategories, filmPricingStrategies, films } from './catalogue.ts'
import { checkAmount, correctionFields, voidPayment, waiveFee } from './corrections.ts'
import { counterOf, mustServe, scan } from './counter.ts'
import { returnAll, returnFields, toCopyReferences } from './drop-box.ts'
import { filmInventoryEntries } from './film-inventory-entries.ts'
import { checkOrders, ordersShape, submitOrders, toOrders } from './orders.ts'
import { calculateOrder } from './quote.ts'
import { printReceipt } from './receipts.ts'
import { rentals } from './rentals.ts'
import { rentalSettings } from './settings.ts'
import { settle, settlementFields } from './settle.ts'
import { paymentsShape, store } from './shapes.ts'
import { countTakings } from './takings.ts'

/** Collections whose records can also be replaced at the collection's own address. */
const replaceable = [filmInventoryEntries, films, filmActors, filmCategories, filmPricingStrategies, rentals]

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
  answer: scan,
})

/** What all endpoints have in common that take or give money. */
const acting = {
  method: 'POST',
  tag: 'rental',
  access: mustServe,
  answers: { 200: { about: 'The records written in one transaction.', value: paymentsShape } },
  problems: [400, 401, 403, 404, 409, 415, 422],
} as const

const submitOrdersEndpoint = defineEndpoint({
  ...acting,
  path: '/api/rest/order/orders',
  id: 'submitOrders',
  summary: 'Rent and return copies, all or none',
  body: ordersShape,
  check: checkOrders,
  run: async ({ context, records, request, body, settings }) =>
    (await submitOrders({ context, records }, counterOf(settings), toOrders(body)))(request.base),
})

const emptyDropBox = defineEndpoint({
  ...acting,
  path: '/api/rest/order/returns',
  id: 'emptyDropBox',
  summary: 'Return several copies without a customer',
  body: returnFields,
  run: async ({ context, records, request, body: { items }, settings }) =>
    (await returnAll({ context, records }, counterOf(settings), toCopyReferences(items)))(request.base),
})

const correcting = { ...acting, body: correctionFields, check: checkAmount } as const

const voidPaymentEndpoint = defineEndpoint({
  ...correcting,
  path: '/api/rest/order/payments/{pk}/void',
  id: 'voidPayment',
  summary: 'Void a payment',
  run: async ({ context, records, request, params, body, settings }) =>
    (await voidPayment({ context, records }, counterOf(settings), { ...body, payment: params.pk }))(request.base),
})

const waiveFeeEndpoint = defineEndpoint({
  ...correcting,
  path: '/api/rest/order/payments/{pk}/waive',
  id: 'waiveFee',
  summary: 'Waive a late fee',
  run: async ({ context, records, request, params, body, settings }) =>
    (await waiveFee({ context, records }, counterOf(settings), { ...body, payment: params.pk }))(request.base),
})

const settleBalance = defineEndpoint({
  ...acting,
  path: '/api/rest/order/settlements',
  id: 'settleBalance',
  summary: 'Pay a debt',
  body: settlementFields,
  check: checkAmount,
  run: async ({ context, records, request, body, settings }) =>
    (await settle({ context, records }, counterOf(settings), body))(request.base),
})

const describeStore = defineEndpoint({
  method: 'GET',
  path: '/api/rest/order/store',
  id: 'describeStore',
  summary: 'Read the currency and the time zone of the store',
  tag: 'rental',
  access: mayUse(rentals, 'read'),
  answers: { 200: store },
  problems: [401, 403],
  run: ({ settings }) => {
    const { currency, timeZone } = settings(rentalSettings)
    return { currency, timeZone }
  },
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

export const rentalEndpoints = [
  ...replaceable.map(replaceByBody),
  scanCode,
  calculateOrder,
  aliasOf(calculateOrder, {
    path: '/api/rest/orders/{code}',
    id: 'calculateOrderShort',
    summary: 'Calculate an order, by the short path',
  }),
  submitOrdersEndpoint,
  aliasOf(submitOrdersEndpoint, {
    path: '/api/rest/orders',
    id: 'submitOrdersShort',
    summary: 'Rent and return copies, by the short path',
  }),
  emptyDropBox,
  voidPaymentEndpoint,
  waiveFeeEndpoint,
  settleBalance,
  describeStore,
  listOverdue,
  countTakings,
  printReceipt,
] as const
