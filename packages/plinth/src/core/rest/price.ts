// The price of a query: estimated before anything runs, held against the budget of the caller, and explained to administrators.

import type { Format } from '../formats/format.ts'
import type { Request } from '../http/exchange.ts'
import type { JsonMembers } from '../model/json.ts'
import type { Query } from '../model/query.ts'
import type { View } from '../model/view.ts'
import {
  type CostEstimate,
  cheaperThan,
  estimateInclude,
  estimateSearch,
  overBudget,
  type PricedSearch,
  reasonOf,
} from '../query/cost.ts'
import type { ItemOptions } from '../query/read-query.ts'
import type { Answer } from './answer.ts'
import type { Context } from './platform.ts'

export const priceOf = async ({ platform }: Context, priced: PricedSearch): Promise<CostEstimate> =>
  estimateSearch(priced, await platform.store.sizes())

export const budgetOf = ({ caller, platform: { limits } }: Context): number =>
  caller.pk === null ? limits.maxAnonymousQueryCost : limits.maxQueryCost

/** Refuses what is over the budget, and counts the cost towards the rate limit of the caller. */
export const charge = (
  context: Context,
  request: Request,
  { estimate, view }: { readonly estimate: CostEstimate; readonly view: View },
): void => {
  request.queryCost = estimate.cost
  const budget = budgetOf(context)
  if (estimate.cost > budget) throw overBudget(estimate, budget, context.visibility.view(view.resource))
  context.platform.rateLimiter.charge(context.caller, request, estimate.cost)
}

/** What `include` adds to an answer with this many records; reading one record without it costs nothing here. */
export const chargeInclude = async (
  context: Context,
  request: Request,
  { options, records }: { readonly options: ItemOptions; readonly records: number },
): Promise<void> => {
  if (options.include.length === 0) return
  const estimate = estimateInclude(options, records, await context.platform.store.sizes())
  charge(context, request, { estimate, view: options.view })
}

export interface Explained {
  readonly priced: PricedSearch
  /** As it would run, with all that the service adds to it. */
  readonly query: Query
  readonly format: Format | undefined
}

export const explainCost = async (context: Context, { priced, query, format }: Explained): Promise<Answer> => {
  const { store } = context.platform
  const { view } = priced.search
  const { cost, parts } = await priceOf(context, priced)
  const statements = await store.explain(view.resource, query)
  const value: JsonMembers = {
    cost,
    budget: budgetOf(context),
    records: (await store.sizes()).records(view.resource),
    parts: parts.map(part => ({
      part: part.part,
      parameter: part.parameter ?? null,
      member: part.member ?? null,
      cost: Math.ceil(part.cost),
      does: reasonOf(part),
      cheaper: cheaperThan(part, view),
    })),
    statements: statements.map(({ purpose, sql, values, plan }) => ({
      purpose,
      sql,
      values: [...values],
      plan: [...plan],
    })),
  }
  if (!format?.meta) return { kind: 'value', status: 200, name: 'explanation', value }
  return {
    kind: 'text',
    mediaType: format.mediaType,
    body: format.meta(value),
    headers: { 'Cache-Control': 'no-store' },
  }
}
