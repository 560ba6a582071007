// What callers may use: requests and cost in a minute, counted in this instance, and the cost of a single query.

import type { Format } from '../formats/format.ts'
import { type CallerNetwork, networkOf, networkScales, networksOf } from '../http/caller-address.ts'
import type { Request } from '../http/exchange.ts'
import { anonymous, type Caller, type Requester } from '../model/caller.ts'
import type { JsonMembers } from '../model/json.ts'
import type { Query } from '../model/query.ts'
import type { PageLinks, View } from '../model/view.ts'
import { Problem } from '../problem.ts'
import {
  type CostEstimate,
  type estimateBatches,
  estimateInclude,
  estimateSearch,
  type PricedSearch,
} from '../query/cost.ts'
import { cheaperThan, overBudget, reasonOf } from '../query/cost-words.ts'
import type { ItemOptions } from '../query/read-query.ts'
import { type Limited, Quota, rateLimitOf, type Standing, tooManyRequests } from '../quota.ts'
import type { Answer } from './answer.ts'
import type { Context } from './platform.ts'
import type { Service } from './service.ts'

/** In a minute; 0 is without limit. */
export interface RateLimits {
  readonly requests: number
  readonly cost: number
}

export interface RateLimitOptions {
  readonly anonymous?: RateLimits
  /** Users and API keys. */
  readonly known?: RateLimits
  readonly clock: () => Date
}

const unlimited: RateLimits = { requests: 0, cost: 0 }

/** The limits of one kind of callers. */
interface Policies {
  readonly requests: WideningQuota | null
  readonly cost: WideningQuota | null
  /** `RateLimit-Policy`; empty without limits. */
  readonly text: string
}

export class RateLimiter {
  readonly #anonymous: Policies
  readonly #known: Policies

  constructor({ anonymous = unlimited, known = unlimited, clock }: RateLimitOptions) {
    this.#anonymous = toPolicies(anonymous, networkScales, clock)
    this.#known = toPolicies(known, [1], clock)
  }

  /** Counts the request, which costs 1 until more is known of it; beyond a limit: 429. Counts a request once only. */
  count(caller: Caller, request: Request): void {
    const policies = this.#policiesOf(caller)
    if (policies.text === '' || request.isEssential || request.rateLimit) return
    const keys = countedKeys(caller, request)
    const { requests, cost } = policies
    const limits: Limited[] = []
    if (requests) limits.push(requests.count(keys, 'take', 1))
    if (cost) limits.push(cost.count(keys, 'overdraw', 1))
    request.rateLimit = { 'ratelimit-policy': policies.text, ratelimit: limits.map(rateLimitOf).join(', ') }
  }

  /** Counts what the request costs beyond 1. One that exceeds what is left is the last until the count starts again. */
  charge(caller: Caller, request: Request, units: number): void {
    const { cost, requests, text } = this.#policiesOf(caller)
    if (!cost || units <= 1) return
    const keys = countedKeys(caller, request)
    const limits = [cost.count(keys, 'overdraw', units - 1)]
    if (requests) limits.unshift(requests.count(keys, 'look', 0))
    request.rateLimit = { 'ratelimit-policy': text, ratelimit: limits.map(rateLimitOf).join(', ') }
  }

  #policiesOf({ pk }: Caller): Policies {
    return pk === null ? this.#anonymous : this.#known
  }
}

/** Counts the requests of callers once they are known. */
export const countRequests = (
  { authenticate, peekCaller }: Pick<Service, 'authenticate' | 'peekCaller'>,
  limiter: RateLimiter,
): Pick<Service, 'authenticate' | 'peekCaller'> => ({
  authenticate: async (request, forgiving) => {
    try {
      const caller = await authenticate(request, forgiving)
      // The log wants to know who asked.
      request.callerPk = caller.pk
      limiter.count(caller, request)
      return caller
    } catch (error) {
      // Wrong credentials are no way around the limits on callers without any.
      if (error instanceof Problem && error.status === 401) limiter.count(anonymous, request)
      throw error
    }
  },
  peekCaller: request => {
    const cached = peekCaller(request)
    if (cached) limiter.count(cached.caller, request)
    return cached
  },
})

/** The quota of a caller, and those of the wider networks that the caller may have to themselves. */
class WideningQuota {
  readonly #policy: 'requests' | 'cost'
  readonly #quotas: readonly Quota[]

  constructor(policy: 'requests' | 'cost', quotas: readonly Quota[]) {
    this.#policy = policy
    this.#quotas = quotas
  }

  /** The standing of the caller. Wider networks only show when they have nothing left: 429. */
  count(keys: readonly CountedKey[], operation: 'look' | 'take' | 'overdraw', units: number): Limited {
    let own: Limited | null = null
    let at = 0
    for (const { name } of keys) {
      const quota = this.#quotas[at++]
      if (!quota) break
      const limited = mustBeLeft(this.#policy, quota, quota[operation](name, units))
      own ??= limited
    }
    if (!own) throw new Error('there is nothing to count')
    return own
  }
}

const toPolicies = ({ requests, cost }: RateLimits, scales: readonly number[], clock: () => Date): Policies => ({
  requests:
    requests > 0
      ? new WideningQuota(
          'requests',
          scales.map(scale => new Quota(requests * scale, clock)),
        )
      : null,
  cost:
    cost > 0
      ? new WideningQuota(
          'cost',
          scales.map(scale => new Quota(cost * scale, clock)),
        )
      : null,
  text: [
    ...(requests > 0 ? [`"requests";q=${requests};w=60`] : []),
    ...(cost > 0 ? [`"cost";q=${cost};qu="cost";w=60`] : []),
  ].join(', '),
})

const mustBeLeft = (policy: string, { perMinute: limit }: Quota, { waitMs, left, resetMs }: Standing): Limited => {
  const limited = { policy, limit, left, resetMs }
  if (waitMs === 0) return limited
  throw tooManyRequests(limited, policy === 'cost' ? 'Your requests exceed the cost limit' : 'Too many requests')
}

/** A program with an API key is a caller of its own. Callers without credentials are distinguished by their networks. */
export const callerKey = ({ pk, apiKey }: Caller, { remoteAddress }: Request): string => {
  if (apiKey !== undefined) return `key ${apiKey}`
  return pk === null ? `address ${networkOf(remoteAddress)}` : `user ${pk}`
}

type CountedKey = Pick<CallerNetwork, 'name'>

/** What a request of the caller counts for: the caller, and the wider networks of one without credentials. */
const countedKeys = (caller: Caller, request: Request): readonly CountedKey[] =>
  caller.pk === null && caller.apiKey === undefined
    ? networksOf(request.remoteAddress)
    : [{ name: callerKey(caller, request) }]

export const requesterOf = (caller: Caller, request: Request): Requester => ({
  key: () => callerKey(caller, request),
  signal: () => request.signal,
})

// The price of a query: estimated before anything runs, held against the budget of the caller, and explained to administrators.

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

export interface Explained {
  readonly priced: PricedSearch
  /** As it would run, with all that the service adds to it. */
  readonly query: Query
  readonly format: Format | undefined
  readonly links: PageLinks
  readonly base: string
}

export const explainCost = async (context: Context, explained: Explained): Promise<Answer> => {
  const { priced, query, format, links, base } = explained
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
  if (!format?.explanation) return { kind: 'value', status: 200, name: 'explanation', value }
  return {
    kind: 'text',
    mediaType: format.mediaType,
    body: format.explanation({ view, paging: null, links }, value, base),
    headers: { 'Cache-Control': 'no-store' },
  }
}
