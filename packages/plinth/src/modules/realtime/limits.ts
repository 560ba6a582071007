// Limits of one connection, and of all connections of one user at this instance.

import { type Config, defineSettings } from '../../core/config/settings.ts'
import { integer } from '../../core/model/fields.ts'
import { Problem } from '../../core/problem.ts'
import type { Clients } from './clients.ts'

export const limits = {
  framesPerSecond: 50,
  framesAtOnce: 300,
  /** Bytes that may wait for a client to read them when there is more to tell. */
  bufferedBytes: 1_048_576,
  /** Bytes that may wait when the next step of a catch-up begins. */
  bytesBetweenSteps: 262_144,
  /** The milliseconds to say CONNECT after the handshake. */
  connectMs: 10_000,
} as const

/** A token bucket: so much at once, and so much again in each second. */
export class TokenBucket {
  readonly #most: number
  readonly #perSecond: number
  #left: number
  #at = performance.now()

  constructor(most: number, perSecond: number) {
    this.#most = most
    this.#perSecond = perSecond
    this.#left = most
  }

  take(count: number): boolean {
    const now = performance.now()
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#left < count) return false
    this.#left -= count
    return true
  }
}

export const realtimeSettings = defineSettings('app.realtime', {
  maxConnectionsPerUser: integer({
    default: 10,
    min: 1,
    max: 1_000_000,
    about: 'The maximum number of realtime connections per user and instance.',
  }),
  maxSubscriptionsPerUser: integer({
    default: 100,
    min: 1,
    max: 1_000_000,
    about: 'The maximum number of realtime subscriptions per user and instance, over all connections.',
  }),
})

export interface UserLimits {
  isFull(userPk: string): boolean
  /** Why so many subscriptions more are too many; null when they are not. */
  refusalOf(userPk: string, subscriptions: number): string | null
  /** Throws 429 unless the user may open another connection with so many subscriptions. */
  mustHaveRoom(userPk: string, subscriptions?: number): void
}

const tooMany = (detail: string): Problem =>
  new Problem('too_many_requests', { detail, headers: { 'Retry-After': '60' } })

export const createUserLimits = (config: Config, clients: Clients): UserLimits => {
  const { maxConnectionsPerUser: connections, maxSubscriptionsPerUser: most } = config.get(realtimeSettings)
  const isFull = (userPk: string) => clients.of(userPk).size >= connections
  const refusalOf = (userPk: string, subscriptions: number) => {
    let count = subscriptions
    for (const client of clients.of(userPk)) count += client.subscriptionCount
    return count > most ? `A user can have at most ${most} subscriptions.` : null
  }
  return {
    isFull,
    refusalOf,
    mustHaveRoom: (userPk, subscriptions = 0) => {
      if (isFull(userPk)) throw tooMany(`A user can have at most ${connections} connections.`)
      const refusal = refusalOf(userPk, subscriptions)
      if (refusal !== null) throw tooMany(refusal)
    },
  }
}
