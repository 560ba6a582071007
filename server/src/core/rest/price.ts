// The price of a query: estimated before anything runs, and held against the budget of the caller.

import type { Request } from '../http/exchange.ts'
import type { View } from '../model/view.ts'
import { type CostEstimate, estimateInclude, estimateSearch, overBudget, type PricedSearch } from '../query/cost.ts'
import type { ItemOptions } from '../query/read-query.ts'
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
