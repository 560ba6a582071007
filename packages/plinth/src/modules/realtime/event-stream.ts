// One listener to server-sent events: what waits to be read, and the end.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from '../../core/http/exchange.ts'
import type { Caller } from '../../core/model/caller.ts'
import type { RealtimeClient } from './clients.ts'
import { ReloadNeeded } from './hub.ts'
import { limits } from './limits.ts'
import type { Bundle, Sink } from './sink.ts'

const beatMs = 15_000

export class EventStream implements RealtimeClient, Sink {
  readonly request: Request
  readonly session = null
  readonly subscriptionCount: number
  caller: Caller
  readonly #cutting = new AbortController()
  readonly cutBy: AbortSignal = this.#cutting.signal
  onRenew: (caller: Caller) => void = () => {}
  onEnd: () => void = () => {}
  #waiting = ''
  #last = 0
  #ended = false
  /** A piece was taken, and may not be sent yet. */
  #isSending = false
  #wake: () => void = () => {}

  constructor(request: Request, caller: Caller, subscriptionCount: number) {
    this.subscriptionCount = subscriptionCount
    this.request = request
    this.caller = caller
  }

  deliver({ messages }: Bundle): void {
    if (this.#ended) return
    // Who does not read is not waited for: they come back and find what they missed.
    if (this.#waiting.length > limits.bufferedBytes) {
      this.#cutting.abort()
      return
    }
    for (const { sequence, body } of messages) {
      this.#waiting += `id: ${sequence}\ndata: ${body}\n\n`
      this.#last = sequence
    }
    this.#wake()
  }

  get isFull(): boolean {
    return this.#waiting.length > limits.bytesBetweenSteps
  }

  async ready(): Promise<void> {
    while (!this.#ended && this.isFull) await sleep(10)
  }

  failed(error: unknown): void {
    if (error instanceof ReloadNeeded) this.#waiting += 'event: reload\ndata: reload\n\n'
    this.end()
  }

  renew(caller: Caller): void {
    this.caller = caller
    if (this.#dropUnread()) return
    try {
      this.onRenew(caller)
    } catch {
      this.end()
    }
  }

  cut(): void {
    this.#dropUnread()
    this.end()
  }

  /**
   * Drops waiting messages, which were made with the former rights. Clients that reconnect get what they may read now.
   */
  #dropUnread(): boolean {
    if (this.#waiting === '' && !this.#isSending) return false
    this.#waiting = ''
    this.#cutting.abort()
    this.end()
    return true
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.onEnd()
    this.#wake()
  }

  async *pieces(since: number): AsyncGenerator<string> {
    // Messages may have been sent before the client began to read.
    this.#last = Math.max(this.#last, since)
    // The place in the order is given from the beginning, so that a client that is cut off before the first change misses none.
    yield `: welcome\nid: ${since}\n\n`
    try {
      for (;;) {
        const piece = this.#waiting
        this.#waiting = ''
        if (piece !== '') {
          this.#isSending = true
          yield piece
          this.#isSending = false
        } else if (this.#ended) return
        else if (!(await this.#news())) yield `: beat\nid: ${this.#last}\n\n`
      }
    } finally {
      this.end()
    }
  }

  /** Returns false when nothing has come for a while. */
  #news(): Promise<boolean> {
    return new Promise(resolve => {
      const timer = setTimeout(() => resolve(false), beatMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
      if (this.#waiting !== '' || this.#ended) this.#wake()
    })
  }
}
