// One connection to PostgreSQL, with limits on its session.

import type postgres from 'postgres'
import type { TransactionWork } from '../transaction-work.ts'

type Connect = (options: { readonly onclose: () => void }) => postgres.Sql

/** A client is replaced after this time, so that its server process and its prepared statements are renewed. */
const lifetime = 30 * 60 * 1000

/** How much longer than a statement may run its answer may take before the connection counts as dead. */
const graceMs = 5000

/** How much longer than allowed a transaction may do nothing before the server ends it: its process may be frozen, and it may hold locks. */
const idleGraceMs = 10_000

export interface SessionLimits {
  /** How long a statement may take, in milliseconds. */
  readonly statement: number
  /** How long a transaction may do nothing, in milliseconds. */
  readonly idle: number
  /** Does an error outside a transaction end the session? What was sent behind a BEGIN that failed is not run then. */
  readonly endsAtErrors?: boolean
  /** Find all statements rows by keys? Then one plan serves all values, and the server makes no plan for lists of a few keys each time. */
  readonly hasOnePlan?: boolean
  /** How long a statement may wait for locks of others, in milliseconds; as long as it may take unless given. */
  readonly lock?: number
}

/** Lets a transaction be rolled back after an error where errors end the session. */
export const goOnAfterErrors = 'SET LOCAL exit_on_error TO off'

export class PostgresClient {
  readonly sql: postgres.Sql
  /** The server's process; null when there is none. */
  readonly pid: Promise<number | null>
  /** Has the server answered on it? */
  isOpen = false
  /** Says that nothing may be sent any more. */
  lost = false
  /** The time when it last answered a measured statement. */
  lastDone = 0
  /** Says whether the limit applies: not while a migration runs. */
  isLimited = true
  /** The work of the transaction under way. */
  work: TransactionWork | null = null
  readonly #limit: number
  readonly #born = performance.now()
  #underWay = 0
  #answered = 0

  constructor(connect: Connect, limits: SessionLimits) {
    this.#limit = limits.statement
    this.sql = connect({
      onclose: () => {
        this.lost = true
      },
    })
    // Statements that follow are sent behind it at once.
    this.pid = this.sql
      .unsafe(limitSession(limits))
      .values()
      .then(
        ([row]) => {
          this.isOpen = true
          return Number(row?.[0])
        },
        () => {
          this.lost = true
          return null
        },
      )
  }

  get isFit(): boolean {
    return !this.lost && performance.now() - this.#born < lifetime
  }

  get underWay(): number {
    return this.#underWay
  }

  countBegin(): void {
    if (this.#underWay === 0) this.#answered = performance.now()
    this.#underWay += 1
  }

  ended(): void {
    this.#underWay -= 1
    this.#answered = performance.now()
  }

  /** The server would have ended the statement by now: its answer is lost on the way, as on a half-open connection. */
  get isDead(): boolean {
    return this.isLimited && this.#underWay > 0 && performance.now() - this.#answered > this.#limit + graceMs
  }

  /** Is not used any more, and ends; what is under way has so many seconds left. */
  async retire(seconds = this.#limit / 1000): Promise<void> {
    this.lost = true
    await this.sql.end({ timeout: seconds }).catch(() => {})
  }
}

/**
 * Limits that the operator has set lower stay as they are. Statements run without parallel workers: a few slow searches would take
 * all processors of the database with them.
 */
const limitSession = ({ statement, idle, endsAtErrors = false, hasOnePlan = false, lock }: SessionLimits): string =>
  `SELECT pg_backend_pid(), set_config('max_parallel_workers_per_gather', '0', false), ` +
  `${lowered('statement_timeout', statement)}, ` +
  lowered('idle_in_transaction_session_timeout', idle + idleGraceMs) +
  (endsAtErrors ? `, set_config('exit_on_error', 'on', false)` : '') +
  (lock === undefined ? '' : `, ${lowered('lock_timeout', lock)}`) +
  (hasOnePlan ? `, set_config('plan_cache_mode', 'force_generic_plan', false)` : '')

const lowered = (name: string, ms: number): string =>
  `CASE WHEN current_setting('${name}')::interval NOT BETWEEN interval '1 microsecond' AND interval '${ms} milliseconds' ` +
  `THEN set_config('${name}', '${ms}', false) END`
