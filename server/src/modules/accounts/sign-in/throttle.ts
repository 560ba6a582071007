// How often one may be wrong. Counters are kept in the database, so that all instances count together, and an attempt is
// counted before it is tried, so that many at once cannot slip through.
//
// Whoever guesses is stopped by account and by address. An account under attack stays open to addresses that have hardly
// failed on it: strangers cannot lock its owner out.

import { createHash } from 'node:crypto'
import type { Config } from '../../../config.ts'
import { networkOf } from '../../../core/http/network.ts'
import type { StoredRecord } from '../../../core/model/record.ts'
import type { Reader, Transaction } from '../../../core/model/transaction.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import { throttleCounters, tooMany } from '../../limits/index.ts'

/** How many failures on an account under attack an address has before it counts as one of the attackers. */
const cleanTries = 3

export interface Attempt {
  /** The user's pk, or the name that belongs to nobody. */
  readonly account: string
  readonly address: string
  /** Whoever gets this far knows the password: no address is spared when the account has seen enough. */
  readonly strict?: boolean
}

export interface Throttle {
  /** Counts the attempt as a failure, or refuses it (429). */
  enter(attempt: Attempt): Promise<void>
  /** It was none: this address has a clean slate on this account. */
  forgive(tx: Transaction, attempt: Attempt): Promise<void>
}

type Kind = 'account' | 'address' | 'pair'
const kinds: readonly Kind[] = ['account', 'address', 'pair']

interface Counter {
  readonly pk: string
  readonly count: number
  readonly until: Date
}

type Counters = Readonly<Record<Kind, Counter>>

interface Refusal {
  readonly counter: Counter
  readonly limit: number
}

export const createThrottle = ({ store, clock }: Platform, config: Config): Throttle => {
  const window = config.get('app.auth.throttle.windowMinutes') * 60_000
  const limits = {
    account: config.get('app.auth.throttle.perAccount'),
    address: config.get('app.auth.throttle.perAddress'),
  }
  const refusalOf = ({ account, address, pair }: Counters, { strict = false }: Attempt): Refusal | null => {
    if (address.count >= limits.address) return { counter: address, limit: limits.address }
    if (account.count < limits.account) return null
    if (strict) return { counter: account, limit: limits.account }
    return pair.count >= cleanTries ? { counter: pair, limit: limits.account } : null
  }
  const windowAt = (now: Date): Window => ({ now, until: new Date(now.getTime() + window) })
  const count = (attempt: Attempt): Promise<Refusal | null> =>
    store.transaction(async tx => {
      const counters = await lockCounters(tx, attempt, windowAt(clock()))
      const refusal = refusalOf(counters, attempt)
      if (!refusal) for (const kind of kinds) await write(tx, counters[kind], 1)
      return refusal
    })
  return {
    enter: async attempt => {
      // A flood is turned away by reading alone.
      const seen = refusalOf(await readCounters(store, attempt, windowAt(clock())), attempt)
      const refusal = seen ?? (await count(attempt))
      if (refusal) throw tooMany(refusal.limit, refusal.counter.until.getTime() - clock().getTime())
    },
    forgive: async (tx, attempt) => {
      const counters = await lockCounters(tx, attempt, windowAt(clock()))
      for (const kind of kinds) await write(tx, counters[kind], -counters.pair.count)
    },
  }
}

interface Window {
  readonly now: Date
  /** When a count that begins now ends. */
  readonly until: Date
}

const pksOf = ({ account, address }: Attempt): Readonly<Record<Kind, string>> => {
  const network = networkOf(address)
  const hash = (key: string) => createHash('sha256').update(key).digest('hex')
  return {
    account: hash(`account ${account}`),
    address: hash(`address ${network}`),
    pair: hash(`pair ${account} ${network}`),
  }
}

const toCounter = (pk: string, kept: StoredRecord | null, { now, until }: Window): Counter =>
  kept && String(kept.until) > now.toISOString()
    ? { pk, count: Number(kept.count), until: new Date(String(kept.until)) }
    : { pk, count: 0, until }

const readCounters = async (reader: Reader, attempt: Attempt, window: Window): Promise<Counters> => {
  const pks = pksOf(attempt)
  const read = async (kind: Kind) =>
    toCounter(pks[kind], await reader.get(reader.resource(throttleCounters.name), pks[kind]), window)
  const [account, address, pair] = await Promise.all([read('account'), read('address'), read('pair')])
  return { account, address, pair }
}

/** One after the other, always in the same order, so that attempts never wait for one another in a ring. */
const lockCounters = async (tx: Transaction, attempt: Attempt, window: Window): Promise<Counters> => {
  const pks = pksOf(attempt)
  const resource = tx.resource(throttleCounters.name)
  const hold = async (kind: Kind) => {
    await tx.ensure(resource, pks[kind], { count: 0, until: window.until.toISOString() })
    return toCounter(pks[kind], await tx.lock(resource, pks[kind]), window)
  }
  return { account: await hold('account'), address: await hold('address'), pair: await hold('pair') }
}

const write = async (tx: Transaction, { pk, count, until }: Counter, change: number): Promise<void> => {
  const values = { count: Math.max(0, count + change), until: until.toISOString() }
  await tx.update(tx.resource(throttleCounters.name), pk, values)
}
