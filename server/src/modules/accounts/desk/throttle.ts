// How often one may be wrong. Counters are kept in the database, so that all instances count together, and an attempt is
// counted before it is tried, so that many at once cannot slip through.
//
// Whoever guesses is stopped by account and by address. An account under attack stays open to addresses that have hardly
// failed on it: strangers cannot lock its owner out.

import type { Config } from '../../../config.ts'
import { networkOf } from '../../../core/http/network.ts'
import type { Reader, Transaction } from '../../../core/model/transaction.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import { type Counter, changeCounter, holdCounter, readCounter, type Span, tooMany } from '../../limits/index.ts'

/** How many failures on an account under attack an address has before it counts as one of the attackers. */
const cleanTries = 3

export interface Attempt {
  /** Whose it is, or would be if somebody had that name. */
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
  const span = (): Span => ({ now: clock(), window })
  const count = (attempt: Attempt): Promise<Refusal | null> =>
    store.transaction(async tx => {
      const counters = await holdCounters(tx, attempt, span())
      const refusal = refusalOf(counters, attempt)
      if (!refusal) for (const kind of kinds) await changeCounter(tx, counters[kind], 1)
      return refusal
    })
  return {
    enter: async attempt => {
      // A flood is refused by reads alone, except when a counter has to be corrected after the clock was set back.
      const seen = refusalOf(await readCounters(store, attempt, span()), attempt)
      const refusal = seen && !seen.counter.isOverdue ? seen : await count(attempt)
      if (refusal) throw tooMany(refusal.limit, refusal.counter.until.getTime() - clock().getTime())
    },
    forgive: async (tx, attempt) => {
      const counters = await holdCounters(tx, attempt, span())
      for (const kind of kinds) await changeCounter(tx, counters[kind], -counters.pair.count)
    },
  }
}

const keysOf = ({ account, address }: Attempt): Readonly<Record<Kind, string>> => {
  const network = networkOf(address)
  return { account: `account ${account}`, address: `address ${network}`, pair: `pair ${account} ${network}` }
}

const readCounters = async (reader: Reader, attempt: Attempt, span: Span): Promise<Counters> => {
  const keys = keysOf(attempt)
  const read = (kind: Kind) => readCounter(reader, keys[kind], span)
  const [account, address, pair] = await Promise.all([read('account'), read('address'), read('pair')])
  return { account, address, pair }
}

/** One after the other, always in the same order, so that attempts never wait for one another in a ring. */
const holdCounters = async (tx: Transaction, attempt: Attempt, span: Span): Promise<Counters> => {
  const keys = keysOf(attempt)
  const hold = (kind: Kind) => holdCounter(tx, keys[kind], span)
  return { account: await hold('account'), address: await hold('address'), pair: await hold('pair') }
}
