// Sends statements to PostgreSQL, unless the server is frozen.

import type postgres from 'postgres'
import type { Cell, ResultRows } from '../driver.ts'
import { frozen } from './errors.ts'
import { PreparedTexts } from './prepared-texts.ts'
import { Watchdog, type Watched } from './watchdog.ts'
import { send } from './wire.ts'

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
    this.#watchdog.begun()
    try {
      return await statement()
    } finally {
      this.#watchdog.ended()
    }
  }
}
