// Rate limits on ordinary use: requests and cost in a minute, for each caller, counted in this instance.

import { networkOf } from '../http/caller-address.ts'
import type { Request } from '../http/exchange.ts'
import type { Caller, Requester } from '../model/caller.ts'
import { Quota, type Standing } from '../quota.ts'
import { type Limited, rateLimitOf, tooManyRequests } from '../rate-limit-headers.ts'

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
  readonly requests: Quota | null
  readonly cost: Quota | null
  /** `RateLimit-Policy`; empty without limits. */
  readonly text: string
}

export class RateLimiter {
  readonly #anonymous: Policies
  readonly #known: Policies

  constructor({ anonymous = unlimited, known = unlimited, clock }: RateLimitOptions) {
    this.#anonymous = toPolicies(anonymous, clock)
    this.#known = toPolicies(known, clock)
  }

  /** Counts the request, which costs 1 until more is known of it; beyond a limit: 429. Counts a request once only. */
  count(caller: Caller, request: Request): void {
    const policies = this.#policiesOf(caller)
    if (policies.text === '' || request.isEssential || request.rateLimit) return
    const key = callerKey(caller, request)
    const { requests, cost } = policies
    const limits: Limited[] = []
    if (requests) limits.push(mustBeLeft('requests', requests, requests.take(key, 1)))
    if (cost) limits.push(mustBeLeft('cost', cost, cost.overdraw(key, 1)))
    request.rateLimit = { 'ratelimit-policy': policies.text, ratelimit: limits.map(rateLimitOf).join(', ') }
  }

  /** Counts what the request costs beyond 1. One that exceeds what is left is the last until the count starts again. */
  charge(caller: Caller, request: Request, units: number): void {
    const { cost, requests, text } = this.#policiesOf(caller)
    if (!cost || units <= 1) return
    const key = callerKey(caller, request)
    const limits = [mustBeLeft('cost', cost, cost.overdraw(key, units - 1))]
    if (requests) limits.unshift(mustBeLeft('requests', requests, requests.look(key, 0)))
    request.rateLimit = { 'ratelimit-policy': text, ratelimit: limits.map(rateLimitOf).join(', ') }
  }

  #policiesOf({ pk }: Caller): Policies {
    return pk === null ? this.#anonymous : this.#known
  }
}

const toPolicies = ({ requests, cost }: RateLimits, clock: () => Date): Policies => ({
  requests: requests > 0 ? new Quota(requests, clock) : null,
  cost: cost > 0 ? new Quota(cost, clock) : null,
  text: [
    ...(requests > 0 ? [`"requests";q=${requests};w=60`] : []),
    ...(cost > 0 ? [`"cost";q=${cost};qu="cost";w=60`] : []),
  ].join(', '),
})

const mustBeLeft = (policy: string, { perMinute: limit }: Quota, { waitMs, left, resetMs }: Standing): Limited => {
  const limited = { policy, limit, left, resetMs }
  if (waitMs === 0) return limited
  throw tooManyRequests(limited, policy === 'cost' ? 'Your requests cost too much' : 'Too many requests')
}

/** A program with an API key is a caller of its own. Callers without credentials are distinguished by their networks. */
export const callerKey = ({ pk, apiKey }: Caller, { remoteAddress }: Request): string => {
  if (apiKey !== undefined) return `key ${apiKey}`
  return pk === null ? `address ${networkOf(remoteAddress)}` : `user ${pk}`
}

export const requesterOf = (caller: Caller, request: Request): Requester => ({
  key: () => callerKey(caller, request),
  signal: () => request.signal,
})
