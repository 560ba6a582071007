// `explain=cost`: what a search would cost, its statements, and the plans of the database for them. For administrators.

import type { Format } from '../formats/format.ts'
import type { JsonMembers } from '../model/json.ts'
import type { Query } from '../model/query.ts'
import { cheaperThan, type PricedSearch, reasonOf } from '../query/cost.ts'
import type { Answer } from './answer.ts'
import type { Context } from './platform.ts'
import { budgetOf, priceOf } from './price.ts'

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
