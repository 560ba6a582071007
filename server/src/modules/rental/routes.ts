// The counter's endpoints, beyond the generic ones.

import { formatsByName } from '../../core/formats/index.ts'
import type { Handler, Route } from '../../core/http/exchange.ts'
import type { Description } from '../../core/model/description.ts'
import type { JsonMembers } from '../../core/model/json.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { replaceNamed } from '../../core/rest/item.ts'
import { options } from '../../core/rest/options.ts'
import { allowed } from '../../core/rest/permit.ts'
import type { Context } from '../../core/rest/platform.ts'
import { respond, type Task } from '../../core/rest/respond.ts'
import { search } from '../../core/rest/search.ts'
import type { Service } from '../../core/rest/service.ts'
import { calculate } from './calculate.ts'
import { isBefore, isNull } from './conditions.ts'
import { readCorrection, voidPayment, waiveFee } from './corrections.ts'
import { type Counter, createCounter, mustServe } from './counter.ts'
import { describeReplacement, descriptions } from './descriptions.ts'
import { readReturns, returnAll } from './drop-box.ts'
import { readOrders } from './orders-body.ts'
import type { Submitted } from './payments-answer.ts'
import { receiptHandler } from './receipt-handler.ts'
import { scan } from './scan.ts'
import type { RentalSettings } from './settings.ts'
import { readSettlement, settle } from './settle.ts'
import { submitOrders } from './submit-orders.ts'
import { readTakings } from './takings.ts'

/** Collections whose records can also be replaced at the collection's own address. */
const replaceable = [
  'filmInventoryEntries',
  'films',
  'filmActors',
  'filmCategories',
  'filmPricingStrategies',
  'rentals',
]

export const rentalRoutes =
  (settings: RentalSettings) =>
  (service: Service): readonly Route[] => {
    const counter = createCounter(settings, service.platform)
    const submit = posting(service, counter, (context, { body }) =>
      submitOrders(context, counter, readOrders(body.json, settings)),
    )
    const correct = (act: typeof voidPayment): Handler =>
      posting(service, counter, (context, { body, request }) =>
        act(context, counter, readCorrection(body.json, request.params.pk ?? '', counter)),
      )
    const returns = posting(service, counter, (context, { body }) =>
      returnAll(context, counter, readReturns(body.json, settings)),
    )
    const settlements = posting(service, counter, (context, { body }) =>
      settle(context, counter, readSettlement(body.json, counter)),
    )
    const calculation = calculating(service, counter)
    return [
      ...replaceable.flatMap(name => collectionRoutes(service, service.platform.registry.resource(name))),
      get('/api/rest/filmInventoryEntries/{pk}', scanning(service, counter), descriptions.scan),
      get('/api/rest/order/orders/{code}', calculation, descriptions.calculate),
      get('/api/rest/orders/{code}', calculation, descriptions.calculateShort),
      post('/api/rest/order/orders', submit, descriptions.submit),
      post('/api/rest/orders', submit, descriptions.submitShort),
      post('/api/rest/order/returns', returns, descriptions.returns),
      post('/api/rest/order/payments/{pk}/void', correct(voidPayment), descriptions.void),
      post('/api/rest/order/payments/{pk}/waive', correct(waiveFee), descriptions.waive),
      post('/api/rest/order/settlements', settlements, descriptions.settle),
      get('/api/rest/order/store', describingStore(service, counter), descriptions.store),
      get('/api/rest/order/overdue', listingOverdue(service, counter), descriptions.overdue),
      get('/api/rest/order/takings', countingTakings(service, counter), descriptions.takings),
      get('/api/rest/order/receipts/{pk}', receiptHandler(service, counter), descriptions.receipt),
    ]
  }

const json = formatsByName.json

const get = (path: string, handler: Handler, describe: Description): Route => ({
  method: 'GET',
  path,
  handler,
  describe,
})
const post = (path: string, handler: Handler, describe: Description): Route => ({
  method: 'POST',
  path,
  handler,
  describe,
})

const collectionRoutes = (service: Service, resource: Resource): Route[] => {
  const path = `/api/rest/${resource.name}`
  const put = respond(service, {
    resource,
    format: json,
    takesBody: true,
    permit: allowed(resource, 'replace'),
    run: (context, task) => replaceNamed(context, { ...task, resource }),
  })
  return [
    { method: 'PUT', path, handler: put, describe: describeReplacement(resource.name) },
    { method: 'OPTIONS', path, handler: options(service, resource, ['POST', 'GET', 'PUT']) },
  ]
}

const scanning = (service: Service, counter: Counter): Handler =>
  respond(service, {
    resource: counter.copies,
    format: json,
    takesBody: false,
    permit: allowed(counter.copies, 'read'),
    run: (context, { request }) => scan(context, counter, { resource: counter.copies, request }),
  })

const calculating = (service: Service, counter: Counter): Handler =>
  respond(service, {
    resource: counter.rentals,
    format: json,
    takesBody: false,
    permit: mustServe(counter),
    run: async (context, { request }) => valueAnswer('order', await calculate(context, counter, request)),
  })

const posting = (
  service: Service,
  counter: Counter,
  act: (context: Context, task: Task) => Promise<Submitted>,
): Handler =>
  respond(service, {
    resource: counter.payments,
    format: json,
    takesBody: true,
    permit: mustServe(counter),
    run: async (context, task) => valueAnswer('payments', (await act(context, task))(task.request.base)),
  })

/** A search of rentals like any other, within those that should be back. */
const listingOverdue = (service: Service, counter: Counter): Handler =>
  respond(service, {
    resource: counter.rentals,
    format: json,
    takesBody: false,
    permit: allowed(counter.rentals, 'read'),
    run: (context, { request }) => {
      const { rentals, platform } = counter
      const due = isBefore(rentals, 'dueDate', platform.clock().toISOString())
      const within = { op: 'and' as const, parts: [isNull(rentals, 'returnDate'), due] }
      return search(context, { resource: rentals, request, within })
    },
  })

const describingStore = (service: Service, counter: Counter): Handler =>
  respond(service, {
    resource: counter.rentals,
    format: json,
    takesBody: false,
    permit: allowed(counter.rentals, 'read'),
    run: () => {
      const { currency, timeZone } = counter.settings
      return valueAnswer('store', { currency, timeZone })
    },
  })

const countingTakings = (service: Service, counter: Counter): Handler =>
  respond(service, {
    resource: counter.payments,
    format: json,
    takesBody: false,
    permit: mustServe(counter),
    run: async (context, { request }) => valueAnswer('takings', await readTakings(context, counter, request)),
  })

const valueAnswer = (name: string, value: JsonMembers): Answer => ({ kind: 'value', status: 200, name, value })
