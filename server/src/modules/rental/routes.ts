// The counter's endpoints, beyond the generic ones.

import { formatsByName } from '../../core/formats/index.ts'
import type { Handler, Route } from '../../core/http/exchange.ts'
import type { Description } from '../../core/model/description.ts'
import type { JsonMembers } from '../../core/model/json.ts'
import type { Resource } from '../../core/model/resource.ts'
import { whereOf } from '../../core/records/query.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { replaceNamed } from '../../core/rest/item.ts'
import { options } from '../../core/rest/options.ts'
import { allowed } from '../../core/rest/permit.ts'
import type { Context } from '../../core/rest/platform.ts'
import { respond, type Task } from '../../core/rest/respond.ts'
import { search } from '../../core/rest/search.ts'
import type { Service } from '../../core/rest/service.ts'
import { calculate } from './calculate.ts'
import { readCorrection, voidPayment, waiveFee } from './corrections.ts'
import { mustServe, type RentalCounter } from './counter.ts'
import { describeReplacement, descriptions } from './descriptions.ts'
import { readReturns, returnAll } from './drop-box.ts'
import { filmActors } from './film-actors.ts'
import { filmCategories } from './film-categories.ts'
import { filmInventoryEntries } from './film-inventory-entries.ts'
import { filmPricingStrategies } from './film-pricing-strategies.ts'
import { films } from './films.ts'
import { readOrders } from './orders-body.ts'
import { payments } from './payments.ts'
import type { Submitted } from './payments-answer.ts'
import { receiptHandler } from './receipt-handler.ts'
import { rentals } from './rentals.ts'
import { scan } from './scan.ts'
import type { RentalSettings } from './settings.ts'
import { readSettlement, settle } from './settle.ts'
import { submitOrders } from './submit-orders.ts'
import { readTakings } from './takings.ts'

/** Collections whose records can also be replaced at the collection's own address. */
const replaceable = [filmInventoryEntries, films, filmActors, filmCategories, filmPricingStrategies, rentals]

export const rentalRoutes =
  (settings: RentalSettings) =>
  (service: Service): readonly Route[] => {
    const counter: RentalCounter = { settings, platform: service.platform }
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
      ...replaceable.flatMap(one => collectionRoutes(service, service.platform.registry.resource(one))),
      get('/api/rest/filmInventoryEntries/{pk}', scanning(service), descriptions.scan),
      get('/api/rest/order/orders/{code}', calculation, descriptions.calculate),
      get('/api/rest/orders/{code}', calculation, descriptions.calculateShort),
      post('/api/rest/order/orders', submit, descriptions.submit),
      post('/api/rest/orders', submit, descriptions.submitShort),
      post('/api/rest/order/returns', returns, descriptions.returns),
      post('/api/rest/order/payments/{pk}/void', correct(voidPayment), descriptions.void),
      post('/api/rest/order/payments/{pk}/waive', correct(waiveFee), descriptions.waive),
      post('/api/rest/order/settlements', settlements, descriptions.settle),
      get('/api/rest/order/store', describingStore(service, counter), descriptions.store),
      get('/api/rest/order/overdue', listingOverdue(service), descriptions.overdue),
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

const scanning = (service: Service): Handler => {
  const copies = service.platform.registry.resource(filmInventoryEntries)
  return respond(service, {
    resource: copies,
    format: json,
    takesBody: false,
    permit: allowed(copies, 'read'),
    run: (context, { request }) => scan(context, { resource: copies, request }),
  })
}

const calculating = (service: Service, counter: RentalCounter): Handler =>
  respond(service, {
    resource: service.platform.registry.resource(rentals),
    format: json,
    takesBody: false,
    permit: mustServe(counter),
    run: async (context, { request }) => valueAnswer('order', await calculate(context, counter, request)),
  })

const posting = (
  service: Service,
  counter: RentalCounter,
  act: (context: Context, task: Task) => Promise<Submitted>,
): Handler =>
  respond(service, {
    resource: service.platform.registry.resource(payments),
    format: json,
    takesBody: true,
    permit: mustServe(counter),
    run: async (context, task) => valueAnswer('payments', (await act(context, task))(task.request.base)),
  })

/** A search of rentals like any other, within those that should be back. */
const listingOverdue = (service: Service): Handler => {
  const { registry, clock } = service.platform
  const resource = registry.resource(rentals)
  return respond(service, {
    resource,
    format: json,
    takesBody: false,
    permit: allowed(resource, 'read'),
    run: (context, { request }) => {
      const within = whereOf(registry, rentals, { returnDate: null, dueDate: { lt: clock().toISOString() } })
      return search(context, { resource, request, within })
    },
  })
}

const describingStore = (service: Service, { settings: { currency, timeZone } }: RentalCounter): Handler => {
  const resource = service.platform.registry.resource(rentals)
  return respond(service, {
    resource,
    format: json,
    takesBody: false,
    permit: allowed(resource, 'read'),
    run: () => valueAnswer('store', { currency, timeZone }),
  })
}

const countingTakings = (service: Service, counter: RentalCounter): Handler =>
  respond(service, {
    resource: service.platform.registry.resource(payments),
    format: json,
    takesBody: false,
    permit: mustServe(counter),
    run: async (context, { request }) => valueAnswer('takings', await readTakings(context, counter, request)),
  })

const valueAnswer = (name: string, value: JsonMembers): Answer => ({ kind: 'value', status: 200, name, value })
