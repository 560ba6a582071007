// Limits failed sign-ins. Counters are in the database, so that all instances count together. An attempt that is still being
// verified counts as well, so that many concurrent ones cannot slip through. Where only such attempts fill a limit, further ones
// wait for them: they may turn out right.
//
// Guesses are limited by account and by network. An account under attack stays open to networks that have hardly failed on it.
// Beyond a higher limit it stays open only to networks from which its owner has signed in before (known-networks.ts), and to
// devices on which the owner is remembered (known-devices.ts): strangers cannot lock the owner out, and many addresses do not add up to many guesses.

import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../../core/config/settings.ts'
import { networkOf, networksOf } from '../../../core/http/caller-address.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import {
  type Counter,
  type CounterChange,
  changeCounter,
  holdCounter,
  readCounter,
  type Span,
  tooMany,
} from '../../limits/index.ts'
import { throttleSettings } from '../settings.ts'
import { isKnownNetwork } from './known-networks.ts'

/** The failures on an account under attack after which an address counts as one of the attackers. */
const cleanTries = 3

export interface ThrottledAttempt {
  /** The account, whether it exists or not. */
  readonly account: string
  /** The user whose known networks count; null when there is no such user. */
  readonly userPk: string | null
  readonly address: string
  /** The device, where the user wants to be remembered on it. It has its own few guesses, wherever it is. */
  readonly device?: string | null
  /** Refuses attempts from every network beyond the limit of the account, as after the password. */
  readonly strict?: boolean
}

/** An attempt that counts until it is decided. */
export interface CountedAttempt {
  /** Counts a wrong attempt. */
  fail(records: TransactionRecords): Promise<void>
  /** Counts a right attempt: the failures of this address on this account do not count any more. */
  succeed(records: TransactionRecords): Promise<void>
  /** The service could not decide it. */
  abandon(): Promise<void>
}

export interface Throttle {
  /** Counts the attempt, or refuses it (429). */
  begin(attempt: ThrottledAttempt): Promise<CountedAttempt>
}

interface LimitedCounter {
  readonly counter: Counter
  readonly limit: number
}

interface Refusal extends LimitedCounter {
  /** Says that it would not be refused if all attempts that are being verified were right. */
  readonly isPending: boolean
}

interface AttemptCounters {
  readonly account: Counter
  /** The counters of the address, from its narrowest network to the widest. */
  readonly networks: readonly LimitedCounter[]
  /** The counter of this address, or of this device, on this account. */
  readonly pair: Counter
}

interface ThrottleLimits {
  readonly account: number
  readonly accountEverywhere: number
  readonly address: number
}

export const createThrottle = ({ records, clock }: Platform, config: Config): Throttle => {
  const window = config.get(throttleSettings).windowMinutes * 60_000
  const limits: ThrottleLimits = {
    account: config.get(throttleSettings).perAccount,
    accountEverywhere: config.get(throttleSettings).perAccountEverywhere,
    address: config.get(throttleSettings).perAddress,
  }
  const span = (): Span => ({ now: clock(), window })
  const hold = (records: TransactionRecords, attempt: ThrottledAttempt): Promise<AttemptCounters> =>
    toCounters(attempt, limits, key => holdCounter(records, key, span()))
  const countOrRefuse = async (attempt: ThrottledAttempt): Promise<Refusal | null> => {
    const isKnown = Boolean(attempt.device) || (await isKnownNetwork(records, attempt, clock()))
    // A flood is refused by reads alone, except when a counter has to be corrected after the clock was set back.
    const seen = await toCounters(attempt, limits, key => readCounter(records, key, span()))
    const refused = refusalOf(seen, limits, { ...attempt, isKnown })
    if (refused && !refused.counter.isOverdue) return refused
    return records.transaction(async records => {
      const counters = await hold(records, attempt)
      const refusal = refusalOf(counters, limits, { ...attempt, isKnown })
      if (!refusal) await changeAll(records, counters, { pending: 1, now: clock() })
      return refusal
    })
  }
  const decide = async (
    records: TransactionRecords,
    attempt: ThrottledAttempt,
    countFrom: (pair: Counter) => number,
  ): Promise<void> => {
    const counters = await hold(records, attempt)
    await changeAll(records, counters, { count: countFrom(counters.pair), pending: -1, now: clock() })
  }
  return {
    begin: async attempt => {
      for (let tries = 1; ; tries++) {
        const refusal = await countOrRefuse(attempt)
        if (!refusal) break
        if (!refusal.isPending) throw tooMany(refusal.limit, refusal.counter.until.getTime() - clock().getTime())
        if (tries === maxTries) throw tooMany(refusal.limit, soon)
        await delay(betweenTries)
      }
      return {
        fail: records => decide(records, attempt, () => 1),
        succeed: records => decide(records, attempt, pair => -pair.count),
        abandon: () => records.transaction(records => decide(records, attempt, () => 0)),
      }
    },
  }
}

/** Attempts that are being verified take a moment, or a few seconds on a busy machine. In milliseconds. */
const [maxTries, betweenTries, soon] = [50, 100, 1000]

const refusalOf = (
  counters: AttemptCounters,
  limits: ThrottleLimits,
  attempt: ThrottledAttempt & { readonly isKnown: boolean },
): Refusal | null => {
  const full = fullCounter(counters, limits, { ...attempt, countOf: ({ count, pending }) => count + pending })
  if (!full) return null
  return { ...full, isPending: fullCounter(counters, limits, { ...attempt, countOf: ({ count }) => count }) === null }
}

interface Judged extends ThrottledAttempt {
  readonly isKnown: boolean
  readonly countOf: (counter: Counter) => number
}

const fullCounter = (
  { account, networks, pair }: AttemptCounters,
  limits: ThrottleLimits,
  { strict = false, isKnown, countOf }: Judged,
): LimitedCounter | null => {
  const full = networks.find(({ counter, limit }) => countOf(counter) >= limit)
  if (full) return full
  if (countOf(account) < limits.account) return null
  if (strict) return { counter: account, limit: limits.account }
  if (countOf(pair) >= cleanTries) return { counter: pair, limit: limits.account }
  const isOpen = isKnown || countOf(account) < limits.accountEverywhere
  return isOpen ? null : { counter: account, limit: limits.accountEverywhere }
}

const changeAll = async (
  records: TransactionRecords,
  { account, networks, pair }: AttemptCounters,
  change: CounterChange,
): Promise<void> => {
  for (const counter of [account, ...networks.map(network => network.counter), pair])
    await changeCounter(records, counter, change)
}

/** One after the other, always in the same order, so that attempts that lock them do not deadlock. */
const toCounters = async (
  { account, address, device }: ThrottledAttempt,
  limits: ThrottleLimits,
  counterOf: (key: string) => Promise<Counter>,
): Promise<AttemptCounters> => {
  const ofAccount = await counterOf(`account ${account}`)
  const networks: LimitedCounter[] = []
  for (const { name, scale } of networksOf(address))
    networks.push({ counter: await counterOf(`address ${name}`), limit: limits.address * scale })
  const place = device ? `device ${device}` : networkOf(address)
  return { account: ofAccount, networks, pair: await counterOf(`pair ${account} ${place}`) }
}
