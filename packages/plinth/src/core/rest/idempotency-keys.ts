// Idempotency keys as they are stored: a claim while the request runs, then its response. This process knows which of its own
// claims are in use, so that an outage of the database leaves no key claimed by a request that has ended.

import { defineResource } from '../model/define.ts'
import { integer, longText, map, text, textList, timestamp } from '../model/fields.ts'
import { assigned } from '../model/identifier.ts'
import type { Records } from '../model/records.ts'
import type { Row } from '../model/row.ts'

export const idempotencyKeys = defineResource('idempotencyKeys', {
  about: 'Responses stored for idempotency keys.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    fingerprint: text({ required: true }),
    /** What the caller's roles were, and the scopes of their credentials where those are limited. */
    roles: textList({ maxItems: 1000 }),
    /** The digest of what rules saw in the record of the user. */
    attributes: text({ max: 64 }),
    scopes: textList({ maxItems: 1000, max: 120 }),
    /** The request that works on it, and until when; there is no status yet. */
    holder: text({ required: true }),
    /** The process that the request runs in. */
    instance: text(),
    heldUntil: timestamp({ required: true }),
    status: integer(),
    headers: map(),
    body: longText({ max: 500_000_000 }),
    expires: timestamp({ required: true, indexed: true }),
  },
  access: {},
})

export type StoredKey = Row<typeof idempotencyKeys>

export interface KeyClaim {
  readonly pk: string
  readonly fingerprint: string
  readonly holder: string
}

/** How long a claim is valid, in milliseconds, where the end of its process cannot be seen. */
export const claimMs = 60_000

const retryMs = 1000

interface Unreleased {
  readonly claim: KeyClaim
  /** The time by `performance.now()` at which the claim expires by itself. */
  readonly until: number
}

/** The claims of this process. */
export class KeyClaims {
  readonly #records: Records
  /** The claims by holder, and whether each is written to the database, or about to be. */
  readonly #running = new Map<string, boolean>()
  /** The claims by holder that the database did not let us release. */
  readonly #unreleased = new Map<string, Unreleased>()
  #retry: NodeJS.Timeout | null = null

  constructor(records: Records) {
    this.#records = records
  }

  /** Does a request of this process still work under the claim? */
  isRunning(holder: string): boolean {
    return this.#running.has(holder)
  }

  /** The work under the claim is about to write it. */
  writes({ holder }: KeyClaim): void {
    this.#running.set(holder, true)
  }

  /**
   * Work that claims a key and stores its response. When it fails, nothing was done and nothing is stored: the key is released,
   * so that the caller can correct the request and try again.
   */
  async during<T>(claim: KeyClaim, work: () => Promise<T>): Promise<T> {
    this.#running.set(claim.holder, false)
    try {
      return await work()
    } catch (error) {
      if (this.#running.get(claim.holder)) await this.#release(claim).catch(() => this.#releaseLater(claim))
      throw error
    } finally {
      this.#running.delete(claim.holder)
    }
  }

  /**
   * Not when another request has taken over the key, nor when there is a response: a connection that is lost during the
   * commit makes it look like a failure.
   */
  #release({ pk, holder }: KeyClaim): Promise<void> {
    return this.#records.transaction(async records => {
      const stored = await records.lock(idempotencyKeys, pk)
      if (stored?.holder === holder && stored.status === null) await records.remove(idempotencyKeys, pk)
    })
  }

  /** Releases a claim later, for other instances: they cannot see that the request has ended. */
  #releaseLater(claim: KeyClaim): void {
    this.#unreleased.set(claim.holder, { claim, until: performance.now() + claimMs })
    this.#retry ??= setTimeout(() => void this.#releaseAll(), retryMs).unref()
  }

  /** Releases all claims; never rejects. */
  async #releaseAll(): Promise<void> {
    this.#retry = null
    for (const [holder, { claim, until }] of this.#unreleased) {
      const isReleased =
        performance.now() > until ||
        (await this.#release(claim).then(
          () => true,
          () => false,
        ))
      if (!isReleased) break
      this.#unreleased.delete(holder)
    }
    if (this.#unreleased.size > 0) this.#retry ??= setTimeout(() => void this.#releaseAll(), retryMs).unref()
  }
}
