// Limits on callers: their requests and the cost of their queries in a minute, counted in this instance.

import { type CallerNetwork, networkOf, networkScales, networksOf } from '../http/caller-address.ts'
import type { Request } from '../http/exchange.ts'
import type { Caller, Requester } from '../model/caller.ts'
import { type Limited, Quota, rateLimitOf, type Standing, tooManyRequests } from '../quota.ts'

/** The limits of requests in a minute; 0 is without limit. */
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
