// Limits failed sign-ins. Counters are in the database, so that all instances count together. An attempt counts before it is
// verified, so that many concurrent ones cannot slip through.
//
// Guesses are limited by account and by network. An account under attack stays open to networks that have hardly failed on it.
// Beyond a higher limit it stays open only to networks from which its owner has signed in before (verify-password.ts):
// strangers cannot lock the owner out, and many addresses do not add up to many guesses.

import type { Config } from '../../../core/config/settings.ts'
import { networkOf, networksOf } from '../../../core/http/caller-address.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import { type Counter, changeCounter, holdCounter, readCounter, type Span, tooMany } from '../../limits/index.ts'
import { throttleSettings } from '../settings.ts'
import { isKnownNetwork } from './verify-password.ts'

/** After how many failures on an account under attack an address counts as one of the attackers. */
const cleanTries = 3

export interface ThrottledAttempt {
  /** The account, whether it exists or not. */
  readonly account: string
  /** The user whose known networks count; null when there is no such user. */
  readonly userPk: string | null
  readonly address: string
  /** After the password: beyond the limit of the account, attempts from every network are refused. */
  readonly strict?: boolean
}

export interface Throttle {
  /** Counts the attempt as a failure, or refuses it (429). */
  count(attempt: ThrottledAttempt): Promise<void>
  /** The attempt was right: the failures of this address on this account do not count any more. */
  forgive(tx: Transaction, attempt: ThrottledAttempt): Promise<void>
}

interface LimitedCounter {
  readonly counter: Counter
  readonly limit: number
}

interface AttemptCounters {
  readonly account: Counter
  /** Of the address, from its narrowest network to the widest. */
  readonly networks: readonly LimitedCounter[]
  /** Of this address on this account. */
  readonly pair: Counter
}

interface ThrottleLimits {
  readonly account: number
  readonly accountEverywhere: number
  readonly address: number
}

export const createThrottle = ({ store, clock }: Platform, config: Config): Throttle => {
  const window = config.get(throttleSettings).windowMinutes * 60_000
  const limits: ThrottleLimits = {
    account: config.get(throttleSettings).perAccount,
    accountEverywhere: config.get(throttleSettings).perAccountEverywhere,
    address: config.get(throttleSettings).perAddress,
  }
  const span = (): Span => ({ now: clock(), window })
  const read = (attempt: ThrottledAttempt): Promise<AttemptCounters> =>
    toCounters(attempt, limits, key => readCounter(store, key, span()))
  const hold = (tx: Transaction, attempt: ThrottledAttempt): Promise<AttemptCounters> =>
    toCounters(attempt, limits, key => holdCounter(tx, key, span()))
  const countOrRefuse = (attempt: ThrottledAttempt, isKnown: boolean): Promise<LimitedCounter | null> =>
    store.transaction(async tx => {
      const counters = await hold(tx, attempt)
      const refusal = refusalOf(counters, limits, { ...attempt, isKnown })
      if (!refusal) for (const counter of allOf(counters)) await changeCounter(tx, counter, 1)
      return refusal
    })
  return {
    count: async attempt => {
      const isKnown = await isKnownNetwork(store, attempt, clock())
      // A flood is refused by reads alone, except when a counter has to be corrected after the clock was set back.
      const seen = refusalOf(await read(attempt), limits, { ...attempt, isKnown })
      const refusal = seen && !seen.counter.isOverdue ? seen : await countOrRefuse(attempt, isKnown)
      if (refusal) throw tooMany(refusal.limit, refusal.counter.until.getTime() - clock().getTime())
    },
    forgive: async (tx, attempt) => {
      const counters = await hold(tx, attempt)
      for (const counter of allOf(counters)) await changeCounter(tx, counter, -counters.pair.count)
    },
  }
}

const refusalOf = (
  { account, networks, pair }: AttemptCounters,
  limits: ThrottleLimits,
  { strict = false, isKnown }: ThrottledAttempt & { readonly isKnown: boolean },
): LimitedCounter | null => {
  const full = networks.find(({ counter, limit }) => counter.count >= limit)
  if (full) return full
  if (account.count < limits.account) return null
  if (strict) return { counter: account, limit: limits.account }
  if (pair.count >= cleanTries) return { counter: pair, limit: limits.account }
  const isOpen = isKnown || account.count < limits.accountEverywhere
  return isOpen ? null : { counter: account, limit: limits.accountEverywhere }
}

const allOf = ({ account, networks, pair }: AttemptCounters): readonly Counter[] => [
  account,
  ...networks.map(({ counter }) => counter),
  pair,
]

/** One after the other, always in the same order, so that attempts that lock them do not deadlock. */
const toCounters = async (
  { account, address }: ThrottledAttempt,
  limits: ThrottleLimits,
  counterOf: (key: string) => Promise<Counter>,
): Promise<AttemptCounters> => {
  const ofAccount = await counterOf(`account ${account}`)
  const networks: LimitedCounter[] = []
  for (const { name, scale } of networksOf(address))
    networks.push({ counter: await counterOf(`address ${name}`), limit: limits.address * scale })
  return { account: ofAccount, networks, pair: await counterOf(`pair ${account} ${networkOf(address)}`) }
}
