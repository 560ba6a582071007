// Which requests are refused before anything is done for them: those for another host, and most of them under overload.

import type { IncomingMessage } from 'node:http'
import { every } from '../guarded.ts'
import { Problem } from '../problem.ts'
import type { ServerLog } from './options.ts'

// Is a request meant for this service? The Host header says which one its sender wanted to reach.

/** The problem with a request that is known before its body; null when there is none. */
export type Check = (raw: IncomingMessage) => Problem | null

export interface HostOptions {
  /**
   * Only names of this machine, and that of `baseUrl`. A site can point its own name to the address of a visitor's machine
   * (DNS rebinding): to the browser its pages then have the same origin as the service.
   */
  readonly loopbackHostsOnly?: boolean
  readonly baseUrl?: string
}

export const createHostCheck = ({ loopbackHostsOnly = false, baseUrl }: HostOptions): Check => {
  const configured = baseUrl === undefined ? null : new URL(baseUrl).hostname
  const isKnown = (host: string): boolean => {
    const name = host.toLowerCase().replace(/:\d*$/, '')
    return loopbackName.test(name) || name === configured
  }
  return raw => {
    const problem = checkHeader(raw)
    if (problem || !loopbackHostsOnly) return problem
    // A target in absolute form names a host, too (RFC 9112, 3.2.2).
    const [, named] = /^https?:\/\/([^/?]*)/i.exec(raw.url ?? '') ?? []
    const hosts = [raw.headers.host, named].filter(host => host !== undefined)
    return hosts.every(isKnown) ? null : new Problem('misdirected')
  }
}

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** One Host header, no more and no less (RFC 9112, 3.2); HTTP/1.0 had none. */
const checkHeader = ({ rawHeaders, httpVersion }: IncomingMessage): Problem | null => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1
  if (count > 1) return new Problem('bad_request', 'The request has more than one Host header.')
  return count === 1 || httpVersion === '1.0' ? null : new Problem('bad_request', 'The Host header is missing.')
}

// Overload: when the event loop lags, requests are refused, so that those that run can end.

const sampleMs = 50
/** Once begun, requests are refused for so long at least: else the service would change its mind many times a second. */
const holdMs = 1000

/**
 * How late timers come, averaged over the last few samples. One long pause is not overload, however long it is: a single
 * sample counts at most one and a half times the limit, and is half of the average.
 */
export class Overload {
  readonly #maxLag: number
  readonly #log: ServerLog
  #stopSampling: (() => Promise<void>) | null = null
  #sampled = 0
  #average = 0
  #since: number | null = null

  /** `maxLag` in milliseconds; 0 never refuses. */
  constructor(maxLag: number, log: ServerLog) {
    this.#maxLag = maxLag
    this.#log = log
  }

  get isOn(): boolean {
    return this.#since !== null
  }

  start(): void {
    if (this.#maxLag === 0) return
    this.#sampled = performance.now()
    const guard = { name: 'the measurement of overload', log: this.#log }
    this.#stopSampling = every(sampleMs, guard, () => this.#sample(performance.now()))
  }

  stop(): void {
    void this.#stopSampling?.()
    this.#since = null
  }

  #sample(now: number): void {
    const lag = Math.max(0, now - this.#sampled - sampleMs)
    this.#sampled = now
    this.#average = (this.#average + Math.min(lag, 1.5 * this.#maxLag)) / 2
    if (this.#since === null) {
      if (this.#average > this.#maxLag) this.#begin(now)
    } else if (this.#average < this.#maxLag / 2 && now - this.#since > holdMs) this.#since = null
  }

  #begin(now: number): void {
    this.#since = now
    this.#log.warn(
      { lagMs: Math.round(this.#average) },
      'overloaded: requests are refused until the event loop recovers',
    )
  }
}
