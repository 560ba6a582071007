// How often one may be wrong. Counters are kept in the database, so that all instances count together, and an attempt is
// counted before it is tried, so that many at once cannot slip through.
//
// Whoever guesses is stopped by account and by address. An account under attack stays open to addresses that have hardly
// failed on it: strangers cannot lock its owner out.

import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Config } from '../../../config.ts'
import { assigned, defineResource } from '../../../core/model/define.ts'
import { integer, timestamp } from '../../../core/model/fields.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import type { Platform } from '../../../core/rest/platform.ts'

export const throttleCounters = defineResource('throttleCounters', {
  about: 'Failed sign-ins of late.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    count: integer({ required: true }),
    until: timestamp({ required: true, indexed: true }),
  },
  access: {},
})

/** How many failures on an account under attack an address has before it counts as one of the attackers. */
const cleanTries = 3

export interface Attempt {
  /** The user's pk, or the name that belongs to nobody. */
  readonly account: string
  readonly address: string
}

export interface Throttle {
  /** Counts the attempt as a failure, or refuses it (429). */
  enter(attempt: Attempt): Promise<void>
  /** It was none: this address has a clean slate on this account. */
  forgive(tx: Transaction, attempt: Attempt): Promise<void>
}

type Kind = 'account' | 'address' | 'pair'
/** In the order in which they are locked: always the same, so that attempts never wait for one another in a ring. */
const kinds: readonly Kind[] = ['account', 'address', 'pair']

interface Counter {
  readonly pk: string
  readonly count: number
  readonly until: Date
}

type Counters = Readonly<Record<Kind, Counter>>

export const createThrottle = ({ store, clock }: Platform, config: Config): Throttle => {
  const window = config.get('app.auth.throttle.windowMinutes') * 60_000
  const limits = {
    account: config.get('app.auth.throttle.perAccount'),
    address: config.get('app.auth.throttle.perAddress'),
  }
  const refusalOf = ({ account, address, pair }: Counters): { counter: Counter; limit: number } | null => {
    if (address.count >= limits.address) return { counter: address, limit: limits.address }
    if (account.count >= limits.account && pair.count >= cleanTries) return { counter: pair, limit: limits.account }
    return null
  }
  return {
    enter: async attempt => {
      const refusal = await store.transaction(async tx => {
        const now = clock()
        const counters = await lockCounters(tx, attempt, { now, until: new Date(now.getTime() + window) })
        const refused = refusalOf(counters)
        if (!refused) for (const kind of kinds) await write(tx, counters[kind], 1)
        return refused && { ...refused, now }
      })
      if (refusal) throw tooMany(refusal.limit, refusal.counter.until.getTime() - refusal.now.getTime())
    },
    forgive: async (tx, attempt) => {
      const now = clock()
      const counters = await lockCounters(tx, attempt, { now, until: now })
      for (const kind of kinds) await write(tx, counters[kind], -counters.pair.count)
    },
  }
}

const lockCounters = async (
  tx: Transaction,
  { account, address }: Attempt,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<Counters> => {
  const network = networkOf(address)
  const keys = { account, address: network, pair: `${account} ${network}` }
  const counters: Partial<Record<Kind, Counter>> = {}
  const resource = tx.resource(throttleCounters.name)
  for (const kind of kinds) {
    const pk = createHash('sha256').update(`${kind} ${keys[kind]}`).digest('hex')
    await tx.ensure(resource, pk, { count: 0, until: until.toISOString() })
    const kept = await tx.lock(resource, pk)
    const isOver = !kept || String(kept.until) <= now.toISOString()
    counters[kind] = {
      pk,
      count: isOver ? 0 : Number(kept.count),
      until: isOver ? until : new Date(String(kept.until)),
    }
  }
  return counters as Counters
}

const write = async (tx: Transaction, { pk, count, until }: Counter, change: number): Promise<void> => {
  const values = { count: Math.max(0, count + change), until: until.toISOString() }
  await tx.update(tx.resource(throttleCounters.name), pk, values)
}

/** Whoever has one address of IPv6 has the 2^64 around it. */
export const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, 4).map(group => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}

export const tooMany = (limit: number, milliseconds: number): Problem => {
  const seconds = String(Math.max(1, Math.ceil(milliseconds / 1000)))
  return new Problem('too_many_requests', {
    detail: `Too many attempts; try again in ${seconds} seconds.`,
    headers: {
      'Retry-After': seconds,
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': seconds,
    },
  })
}
