// Which statements PostgreSQL is asked to keep prepared. A server keeps each one on each connection for as long as the
// connection lives, and callers can make up new shapes of queries without end: so only what comes again is prepared,
// and only so much in a given time.

import { LRUCache } from 'lru-cache'

export interface Preparable {
  readonly sql: string
  readonly prepared: boolean
  /** It changes nothing. */
  readonly reads: boolean
  /** The text between the placeholders, and the slots of the placeholders in the order of the text. */
  readonly template: TemplateStringsArray
  readonly order: readonly number[]
}

/** Connections live for half an hour: a server never holds more than twice this many on one of them. */
const budget = 1000
const period = 30 * 60 * 1000

export class PreparedTexts {
  readonly #seen = new LRUCache<string, { -readonly [K in keyof Preparable]: Preparable[K] }>({ max: 2 * budget })
  #spent = 0
  #since = Date.now()

  of(sql: string): Preparable {
    const known = this.#seen.get(sql)
    if (!known) {
      const first = { sql, prepared: false, reads: /^(SELECT|EXPLAIN)\b/.test(sql), ...toTemplate(sql) }
      this.#seen.set(sql, first)
      return first
    }
    known.prepared ||= this.#spend()
    return known
  }

  #spend(): boolean {
    if (this.#spent >= budget) {
      if (Date.now() - this.#since < period) return false
      this.#spent = 0
      this.#since = Date.now()
    }
    this.#spent += 1
    return true
  }
}

const toTemplate = (sql: string): Pick<Preparable, 'template' | 'order'> => {
  const pieces = sql.split(/\$\d+/)
  return {
    template: Object.assign(pieces, { raw: pieces }),
    order: [...sql.matchAll(/\$(\d+)/g)].map(match => Number(match[1])),
  }
}
