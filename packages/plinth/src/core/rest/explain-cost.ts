// `explain`: the cost of a query, its parts and its statements, for administrators.

import type { Format } from '../formats/format.ts'
import type { JsonMembers } from '../model/json.ts'
import type { Query } from '../model/query.ts'
import type { PageLinks, View } from '../model/view.ts'
import type { CostEstimate, PricedSearch } from '../query/cost.ts'
import { cheaperThan, reasonOf } from '../query/cost-words.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { budgetOf, priceOf } from './query-budget.ts'

interface ExplainedSearch {
  readonly priced: PricedSearch
  /** The query as it would run, with all that the service adds to it. */
  readonly query: Query
  readonly answer: ExplanationAnswer
}

/** The form and the addresses of the answer. */
interface ExplanationAnswer {
  readonly format: Format | undefined
  readonly links: PageLinks
  readonly base: string
}

export const explainCost = async (context: Context, { priced, query, answer }: ExplainedSearch): Promise<Answer> => {
  const { view } = priced.search
  const estimate = await priceOf(context, priced)
  const statements = await context.platform.store.explain(view.resource, query)
  return toExplanation(context, { view, estimate, statements }, answer)
}

/** A cost and the statements that it is the cost of. */
export interface Explained {
  readonly view: View
  readonly estimate: CostEstimate
  readonly statements: readonly ExplainedStatement[]
}

type ExplainedStatement = Awaited<ReturnType<Context['platform']['store']['explain']>>[number]

export const toExplanation = async (
  context: Context,
  { view, estimate: { cost, parts }, statements }: Explained,
  { format, links, base }: ExplanationAnswer,
): Promise<Answer> => {
  const { store } = context.platform
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
  if (!format?.explanation) return { kind: 'value', status: 200, name: 'explanation', value }
  return {
    kind: 'text',
    mediaType: format.mediaType,
    body: format.explanation({ view, paging: null, links }, value, base),
    headers: { 'Cache-Control': 'no-store' },
  }
}
