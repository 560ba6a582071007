// Tells from samples of the load how many requests the event loop can answer in time, and since when there are more. Work is
// counted in processor time of the thread: a busy machine makes it no longer, and passwords are hashed in other threads.

import type { Throughput } from './connections.ts'

/** What happened since the last sample. */
export interface LoadSample extends Throughput {
  readonly ms: number
  /** How long the event loop was busy, or wanted to be: the machine may have run other programs. */
  readonly activeMs: number
  /** Processor time of the thread. */
  readonly processorMs: number
}

/** As many requests are never too many, however long they take. */
const alwaysAdmitted = 50
/** The event loop has no pause: all pauses together are shorter than this share of its work. */
const pausesShare = 0.1
/**
 * Overload lasts so long before requests are refused, in processor time: where the machine gives the service a tenth of a processor,
 * every burst lasts ten times as long. And it lasts over so many samples: one long pause is one sample.
 */
const beginsAfterMs = 2500
const beginsAfterSamples = 3
/** What a request takes is averaged over a few seconds. */
const halfLifeMs = 1000

export class LoadMeter {
  readonly #maxLag: number
  #processorMs = 0
  #answered = 0
  #crowdedMs = 0
  #crowdedSamples = 0
  /** How many requests may be in hand. */
  room = Number.POSITIVE_INFINITY

  /** `maxLag`: the processor time that all requests in hand may take, in milliseconds. */
  constructor(maxLag: number) {
    this.#maxLag = maxLag
  }

  /** In the last sample. */
  get isCrowded(): boolean {
    return this.#crowdedSamples > 0
  }

  get isOverloaded(): boolean {
    return this.#crowdedMs >= beginsAfterMs && this.#crowdedSamples >= beginsAfterSamples
  }

  add({ ms, activeMs, processorMs, answered, mostInHand }: LoadSample): void {
    const kept = 0.5 ** (ms / halfLifeMs)
    this.#processorMs = this.#processorMs * kept + processorMs
    this.#answered = this.#answered * kept + answered
    this.room = Math.max(alwaysAdmitted, (this.#maxLag * this.#answered) / Math.max(1, this.#processorMs))
    const isCrowded = ms - activeMs < pausesShare * processorMs && mostInHand > this.room
    this.#crowdedMs = isCrowded ? this.#crowdedMs + processorMs : 0
    this.#crowdedSamples = isCrowded ? this.#crowdedSamples + 1 : 0
  }
}
