// How often strangers may make the service write mails and rows.

import { networksOf } from '../../core/http/network.ts'
import type { Context } from '../../core/rest/platform.ts'
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
/** Invitations of one user to one person: the mail promises that nobody is reminded. */
const toOnePerson: Limit = { max: 1, window: 30 * 24 * hour }

/** Where it is counted: in the transaction under way, or in one of its own, which stays whatever becomes of the rest. */
type Counting = Pick<Context, 'platform' | 'tx'>

/** Beyond the limit: 429. */
export const limitAddress = async (counting: Counting, address: string): Promise<void> => {
  for (const { name, scale } of networksOf(address))
    await mustStay(counting, { key: `accounts from ${name}`, by: 1 }, { ...fromAddress, max: fromAddress.max * scale })
}

export const limitInvitations = (counting: Counting, userPk: string, count: number): Promise<void> =>
  mustStay(counting, { key: `invitations by ${userPk}`, by: count }, byInviter)

/** Has the user invited whoever this address belongs to of late? From now on, yes. */
export const hasInvited = async (counting: Counting, userPk: string, emailHash: string): Promise<boolean> => {
  const { count } = await raiseBy(counting, { key: `invitations by ${userPk} to ${emailHash}`, by: 1 }, toOnePerson)
  return count > toOnePerson.max
}

const mustStay = async (counting: Counting, event: Event, limit: Limit): Promise<void> => {
  const { count, until } = await raiseBy(counting, event, limit)
  if (count > limit.max) throw tooMany(limit.max, until.getTime() - counting.platform.clock().getTime())
}

const raiseBy = async ({ platform, tx }: Counting, event: Event, limit: Limit): Promise<Counter> => {
  const now = platform.clock()
  return tx
    ? raise(tx, event, { ...limit, now })
    : platform.store.transaction(own => raise(own, event, { ...limit, now }))
}
