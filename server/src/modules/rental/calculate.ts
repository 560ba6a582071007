// Order calculation: `GET /api/rest/order/orders/{copy}?days=3`.

import { fault } from '../../core/fault.ts'
import type { Request } from '../../core/http/exchange.ts'
import type { JsonMembers } from '../../core/model/json.ts'
import { Problem } from '../../core/problem.ts'
import { type Parameters, readParameters } from '../../core/query/parameters.ts'
import type { Context } from '../../core/rest/platform.ts'
import { findCopy, type RentalCounter, readCode } from './counter.ts'
import { badParameter, readDays } from './faults.ts'
import { type Condition, conditions, quote, toOrder } from './quote.ts'

export const calculate = async (context: Context, counter: RentalCounter, request: Request): Promise<JsonMembers> => {
  const parameters = readParameters(request.search)
  const condition = conditionIn(parameters)
  const copy = await findCopy(context.platform.records, readCode(request.params.code ?? ''))
  if (!copy) throw new Problem('not_found')
  const now = context.platform.clock()
  const days = () => daysIn(parameters)
  return toOrder(await quote(context.platform.records, { copy, days, condition, now }), counter)
}

/** Numbers as callers write them; anything else is for `readDays` to refuse. */
const daysIn = (parameters: Parameters): number => {
  const values = parameters.get('days')
  const [text] = values ?? []
  if (text === undefined) return 1
  const days = values?.length === 1 && /^[+-]?\d{1,15}$/.test(text.trim()) ? readDays(Number(text)) : readDays(text)
  if (typeof days === 'number') return days
  throw badParameter('days', days)
}

const conditionIn = (parameters: Parameters): Condition => {
  const [text = 'good'] = parameters.get('condition') ?? []
  const condition = conditions.find(known => known === text)
  if (!condition) throw badParameter('condition', fault('choice', { choices: conditions }))
  return condition
}
