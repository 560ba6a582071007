// Limits on what strangers can make the service send and store.

import { networksOf } from '../../core/http/caller-address.ts'
import type { Context } from '../../core/rest/context.ts'
import { type Counter, type Event, raise, tooMany } from '../limits/index.ts'

const hour = 3600_000

interface Limit {
  readonly max: number
  readonly window: number
}

/** Registrations and requests for new passwords from one address. */
const fromAddress: Limit = { max: 200, window: hour }
/** Invitations of one user. */
const byInviter: Limit = { max: 500, window: 24 * hour }
/** Invitations of one user to one person: the mail promises that there is no reminder. */
const toOnePerson: Limit = { max: 1, window: 30 * 24 * hour }

/** Counts in the given transaction, or in one of its own, which stays whatever happens to the rest. */
type CountContext = Pick<Context, 'platform' | 'tx'>

/** Limits an address: beyond the limit, 429. */
export const limitAddress = async (context: CountContext, address: string): Promise<void> => {
  for (const { name, scale } of networksOf(address))
    await checkLimit(context, { key: `accounts from ${name}`, by: 1 }, { ...fromAddress, max: fromAddress.max * scale })
}

export const limitInvitations = (context: CountContext, userPk: string, count: number): Promise<void> =>
  checkLimit(context, { key: `invitations by ${userPk}`, by: count }, byInviter)

/** Has the user invited the owner of this address lately? Counts this invitation, too. */
export const hasInvited = async (context: CountContext, userPk: string, digest: string): Promise<boolean> => {
  const { count } = await raiseBy(context, { key: `invitations by ${userPk} to ${digest}`, by: 1 }, toOnePerson)
  return count > toOnePerson.max
}

const checkLimit = async (context: CountContext, event: Event, limit: Limit): Promise<void> => {
  const { count, until } = await raiseBy(context, event, limit)
  if (count > limit.max) throw tooMany(limit.max, until.getTime() - context.platform.clock().getTime())
}

const raiseBy = async ({ platform, tx }: CountContext, event: Event, limit: Limit): Promise<Counter> => {
  const now = platform.clock()
  return tx
    ? raise(tx, event, { ...limit, now })
    : platform.store.transaction(own => raise(own, event, { ...limit, now }))
}
