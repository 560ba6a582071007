// Overload: requests are refused while more of them are in hand than the event loop can answer in time. Neither a single long
// request is overload, nor a machine that is busy with other programs, nor passwords that are hashed in other threads.

import type { IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import { every } from '../guarded.ts'
import { startStopwatch } from '../thread-clock.ts'
import { type Connections, hasLongQuery, type Throughput } from './connections.ts'
import { LoadMeter } from './load-meter.ts'
import type { ServerLog } from './options.ts'

const sampleMs = 250
/** Overload ends when no request had to be refused for so long. */
const endsAfterMs = 5000
/** How much of the room others may take. The rest is for requests with credentials. */
const shareForAll = 0.5

export class Overload {
  /** Are requests refused? */
  isOn = false
  readonly #meter: LoadMeter
  readonly #maxLag: number
  readonly #connections: Connections
  readonly #log: ServerLog
  #stopSampling: (() => Promise<void>) | null = null
  #last = measure()
  #lastRefusal = 0
  #refused = 0

  /** `maxLag` in milliseconds; 0 never refuses. */
  constructor(maxLag: number, connections: Connections, log: ServerLog) {
    this.#maxLag = maxLag
    this.#meter = new LoadMeter(maxLag)
    this.#connections = connections
    this.#log = log
  }

  start(): void {
    this.#last = measure()
    const guard = { name: 'the measurement of overload', log: this.#log }
    this.#stopSampling = every(sampleMs, guard, () => this.#sample())
  }

  stop(): void {
    void this.#stopSampling?.()
    this.isOn = false
  }

  /** Is there no room for the request? Costly ones and those without credentials are refused first. */
  refuses(raw: IncomingMessage): boolean {
    const share = hasCredentials(raw) && !isCostly(raw) ? 1 : shareForAll
    if (this.#connections.inHand < share * this.#meter.room) return false
    this.#refused += 1
    this.#lastRefusal = performance.now()
    return true
  }

  #sample(): void {
    const [before, next] = [this.#last, measure()]
    this.#last = next
    const throughput = this.#connections.takeThroughput()
    this.#meter.add({
      ...throughput,
      ms: next.now - before.now,
      activeMs: performance.eventLoopUtilization(next.loop, before.loop).active,
      processorMs: before.stopwatch(),
    })
    const hasRoom = !this.#meter.isCrowded && next.now - this.#lastRefusal > endsAfterMs
    if (this.isOn && hasRoom) this.#end()
    else if (!this.isOn && this.#maxLag > 0 && this.#meter.isOverloaded) this.#begin(throughput)
  }

  #begin({ mostInHand }: Throughput): void {
    this.isOn = true
    this.#lastRefusal = performance.now()
    this.#refused = 0
    const fields = { inHand: mostInHand, room: Math.round(this.#meter.room) }
    this.#log.warn(fields, 'overloaded: further requests are refused until fewer are in hand')
  }

  #end(): void {
    this.isOn = false
    this.#log.warn({ refused: this.#refused }, 'no longer overloaded')
  }
}

const measure = () => ({
  now: performance.now(),
  loop: performance.eventLoopUtilization(),
  stopwatch: startStopwatch(),
})

const hasCredentials = ({ headers }: IncomingMessage): boolean =>
  headers.authorization !== undefined || headers.cookie !== undefined || headers['x-api-key'] !== undefined

/** The bytes from which a body is large. */
const largeBody = 65_536

/** Is it a long query, or has it a large body, such as a list of records? */
const isCostly = (raw: IncomingMessage): boolean => {
  const { 'content-length': length, 'transfer-encoding': coding } = raw.headers
  return coding !== undefined || Number(length ?? 0) > largeBody || hasLongQuery(raw)
}
