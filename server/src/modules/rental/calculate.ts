// Order calculation: `GET /api/rest/order/orders/{code}?days=3`.

import { Problem } from '../../core/problem.ts'
import { defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { findCopy, mustServe, type RentalCounter, readCode } from './counter.ts'
import { badParameter } from './faults.ts'
import { conditionField, daysField } from './fields.ts'
import { quote, toOrder } from './quote.ts'
import { order } from './shapes.ts'

export const calculateOrder = (counter: RentalCounter): Endpoint =>
  defineEndpoint({
    method: 'GET',
    path: '/api/rest/order/orders/{code}',
    id: 'calculateOrder',
    summary: 'Calculate what renting or returning a copy costs now',
    tag: 'rental',
    params: { code: 'The pk or the barcode of the copy.' },
    access: mustServe(counter),
    query: { days: daysField, condition: conditionField },
    answers: { 200: { about: 'The order.', value: order } },
    problems: [400, 401, 403, 404, 409],
    run: async ({ context, params, query: { days, condition } }) => {
      const { records, clock } = context.platform
      const copy = await findCopy(records, readCode(params.code))
      if (!copy) throw new Problem('not_found')
      const daysToRent = (): number => {
        if (typeof days !== 'number') throw badParameter('days', days)
        return days
      }
      return toOrder(await quote(records, { copy, days: daysToRent, condition, now: clock() }), counter)
    },
  })
