// How often strangers may make the service write mails and rows.

import { createHash } from 'node:crypto'
import type { Transaction } from '../../../core/model/transaction.ts'
import type { Context } from '../../../core/rest/platform.ts'
import { networkOf, throttleCounters, tooMany } from '../sign-in/throttle.ts'

const hour = 3600_000

interface Limit {
  readonly max: number
  readonly window: number
}

/** Registrations and requests for new passwords from one address. */
const fromAddress: Limit = { max: 200, window: hour }
/** Mails of one kind to one person. */
const toPerson: Limit = { max: 5, window: hour }
/** Invitations of one user. */
const byInviter: Limit = { max: 500, window: 24 * hour }

/** Where it is counted: in the transaction under way, or in one of its own, which stays whatever becomes of the rest. */
type Counting = Pick<Context, 'platform' | 'tx'>

/** Beyond the limit: 429. */
export const limitAddress = (counting: Counting, address: string): Promise<void> =>
  mustStay(counting, { key: `accounts from ${networkOf(address)}`, by: 1 }, fromAddress)

export const limitInvitations = (counting: Counting, userPk: string, count: number): Promise<void> =>
  mustStay(counting, { key: `invitations by ${userPk}`, by: count }, byInviter)

/**
 * Are enough mails on their way to whoever is meant by this name? Then nothing more is sent, and nobody is told: a refusal
 * would let strangers close the way to a new password.
 */
export const isEnough = async (counting: Counting, kind: string, name: string): Promise<boolean> => {
  const { count } = await raise(counting, { key: `${kind} for ${name.trim().toLowerCase()}`, by: 1 }, toPerson)
  return count > toPerson.max
}

interface Event {
  readonly key: string
  readonly by: number
}

const mustStay = async (counting: Counting, event: Event, limit: Limit): Promise<void> => {
  const { count, left } = await raise(counting, event, limit)
  if (count > limit.max) throw tooMany(limit.max, left)
}

interface Raised {
  readonly count: number
  /** Milliseconds until counting begins anew. */
  readonly left: number
}

const raise = async ({ platform, tx }: Counting, event: Event, limit: Limit): Promise<Raised> => {
  const now = platform.clock()
  return tx
    ? raiseIn(tx, event, { ...limit, now })
    : platform.store.transaction(own => raiseIn(own, event, { ...limit, now }))
}

const raiseIn = async (
  tx: Transaction,
  { key, by }: Event,
  { window, now }: Limit & { now: Date },
): Promise<Raised> => {
  const counters = tx.resource(throttleCounters.name)
  const pk = createHash('sha256').update(key).digest('hex')
  const fresh = { count: 0, until: new Date(now.getTime() + window).toISOString() }
  await tx.ensure(counters, pk, fresh)
  const kept = await tx.lock(counters, pk)
  const { count, until } = kept && Date.parse(String(kept.until)) > now.getTime() ? kept : fresh
  await tx.update(counters, pk, { count: Number(count) + by, until })
  return { count: Number(count) + by, left: Date.parse(String(until)) - now.getTime() }
}
