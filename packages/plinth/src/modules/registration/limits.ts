// Limits on what strangers can make the service send and store.

import { networksOf } from '../../core/http/caller-address.ts'
import type { Records } from '../../core/model/records.ts'
import { type Counter, type Event, raise, type Span, tooMany } from '../limits/index.ts'

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

/** Limits an address: beyond the limit, 429. */
export const limitAddress = async (records: Records, address: string): Promise<void> => {
  for (const { name, scale } of networksOf(address))
    await checkLimit(records, { key: `accounts from ${name}`, by: 1 }, { ...fromAddress, max: fromAddress.max * scale })
}

export const limitInvitations = (records: Records, userPk: string, count: number): Promise<void> =>
  checkLimit(records, { key: `invitations by ${userPk}`, by: count }, byInviter)

/** Has the user invited the owner of this address lately? Counts this invitation, too. */
export const hasInvited = async (records: Records, userPk: string, digest: string): Promise<boolean> => {
  const { count } = await raiseBy(records, { key: `invitations by ${userPk} to ${digest}`, by: 1 }, toOnePerson)
  return count > toOnePerson.max
}

const checkLimit = async (records: Records, event: Event, limit: Limit): Promise<void> => {
  const { count, until, now } = await raiseBy(records, event, limit)
  if (count > limit.max) throw tooMany(limit.max, until.getTime() - now.getTime())
}

/** Counts in the transaction of the records, or in one of its own, which stays whatever happens to the rest. */
const raiseBy = (records: Records, event: Event, limit: Limit): Promise<Counter & Pick<Span, 'now'>> =>
  records.transaction(async own => ({ ...(await raise(own, event, { ...limit, now: own.now })), now: own.now }))
