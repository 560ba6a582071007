// Sends statements to PostgreSQL, unless the server is frozen.
//
// The watchdog notices a server that keeps its connections open and answers nothing: a frozen machine, a network that swallows
// packets, a balancer without a server behind it. Statements would wait for ever.
//
// A slow statement looks the same from here. So when nothing has been answered for a while, a new connection asks the server
// for a sign of life. Only if that is not answered either, everything under way fails.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Cell, ResultRows } from '../connection.ts'
import { frozen } from './errors.ts'
import { PreparedTexts, send } from './wire.ts'

const tickMs = 1000
/** Ticks without any answer before the server is asked. */
const silentTicks = 2
const patienceMs = 5000

export interface Watched {
  /** Settles once the server has answered, no matter what. */
  probe(): Promise<void>
  /** Gives up all connections, so that what they wait for fails. */
  reset(): void
  /** Gives up the connections that will not answer, though the server answers on others. */
  dropDead(): void
}

export class Watchdog {
  readonly #watched: Watched
  readonly #timer: NodeJS.Timeout
  #underWay = 0
  #answered = 0
  #answeredBefore = 0
  #silentFor = 0
  #isProbing = false
  #isFrozen = false

  constructor(watched: Watched) {
    this.#watched = watched
    this.#timer = setInterval(() => this.#tick(), tickMs).unref()
  }

  /** Says that the process was frozen; statements fail at once while it is. */
  get isFrozen(): boolean {
    return this.#isFrozen
  }

  countBegin(): void {
    this.#underWay += 1
  }

  ended(): void {
    this.#underWay -= 1
    this.#answered += 1
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    this.#watched.dropDead()
    const isSilent = this.#underWay > 0 && this.#answered === this.#answeredBefore
    this.#answeredBefore = this.#answered
    this.#silentFor = isSilent ? this.#silentFor + 1 : 0
    if (this.#isProbing || (!this.#isFrozen && this.#silentFor < silentTicks)) return
    void this.#probe()
  }

  async #probe(): Promise<void> {
    this.#isProbing = true
    const answers = await answersInTime(this.#watched.probe())
    this.#isProbing = false
    this.#silentFor = 0
    if (answers) this.#isFrozen = false
    else if (!this.#isFrozen) {
      this.#isFrozen = true
      this.#watched.reset()
    }
  }
}

const answersInTime = async (probe: Promise<void>): Promise<boolean> => {
  let hasAnswered = false
  const answer = probe.then(
    () => {
      hasAnswered = true
    },
    () => {},
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, patienceMs)
  })
  await Promise.race([answer, late])
  clearTimeout(timer)
  // A busy process may find the answer and the end of its patience at the same time.
  if (!hasAnswered) await nextTurn()
  return hasAnswered
}

export class PostgresSender {
  readonly #texts = new PreparedTexts()
  readonly #watchdog: Watchdog
  #statements = 0

  constructor(watched: Watched) {
    this.#watchdog = new Watchdog(watched)
  }

  /** How many statements were sent so far, without those of the driver itself. */
  get statements(): number {
    return this.#statements
  }

  rows(sql: postgres.Sql, text: string, cells: readonly Cell[]): Promise<ResultRows> {
    this.#statements += 1
    return this.#watch(() => send(sql, this.#texts.of(text), cells))
  }

  async script(sql: postgres.Sql, text: string): Promise<void> {
    await this.#watch(() => sql.unsafe(text).simple())
  }

  stop(): void {
    this.#watchdog.stop()
  }

  async #watch<T>(statement: () => Promise<T>): Promise<T> {
    if (this.#watchdog.isFrozen) throw frozen()
    this.#watchdog.countBegin()
    try {
      return await statement()
    } finally {
      this.#watchdog.ended()
    }
  }
}
