// The price of a query: estimated before anything runs, and compared with the budget of the caller.

import type { Request } from '../http/exchange.ts'
import type { Query } from '../model/query.ts'
import type { TableSizes } from '../model/transaction.ts'
import type { View } from '../model/view.ts'
import {
  type CostEstimate,
  type estimateBatches,
  estimateInclude,
  estimateSearch,
  type PricedSearch,
} from '../query/cost.ts'
import { overBudget } from '../query/cost-words.ts'
import type { ItemOptions } from '../query/read-query.ts'
import type { Context } from './context.ts'

/** The estimates of searches that are known, with the sizes of tables that they are made from. */
const known = new WeakMap<Query, { readonly sizes: TableSizes; readonly estimate: CostEstimate }>()

export const priceOf = async ({ platform }: Context, priced: PricedSearch): Promise<CostEstimate> => {
  const sizes = await platform.store.sizes()
  // What is added depends on the caller and on the address.
  if (priced.added !== null || priced.source !== undefined) return estimateSearch(priced, sizes)
  const { query } = priced.search
  const before = known.get(query)
  if (before?.sizes === sizes) return before.estimate
  const estimate = estimateSearch(priced, sizes)
  known.set(query, { sizes, estimate })
  return estimate
}

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

interface ExportPrice {
  readonly estimate: ReturnType<typeof estimateBatches>
  readonly view: View
}

/**
 * Finding the records has the budget of a query. Writing them has one of its own: they are sent batch by batch, and others are served in
 * between. Callers without credentials have one budget for both.
 */
export const chargeExport = (context: Context, request: Request, { estimate, view }: ExportPrice): void => {
  const { finding, writing } = estimate
  const whole = { cost: finding.cost + writing.cost, parts: [...finding.parts, ...writing.parts] }
  if (context.caller.pk === null) {
    charge(context, request, { estimate: whole, view })
    return
  }
  const { maxExportCost } = context.platform.limits
  if (writing.cost > maxExportCost) throw overBudget(writing, maxExportCost, context.visibility.view(view.resource))
  charge(context, request, { estimate: finding, view })
  request.queryCost = whole.cost
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
