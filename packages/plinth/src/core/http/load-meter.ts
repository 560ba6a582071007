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

/** The number of requests that is never too many, however long they take. */
const alwaysAdmitted = 50
/** The event loop has no pause: all pauses together are shorter than this share of its work. */
const pausesShare = 0.1
/**
 * Overload lasts so long before requests are refused. The service has worked on it for so long too: where the machine gives it a tenth of
 * a processor, every burst lasts ten times as long. And it lasts over so many samples: one long pause is one sample.
 */
const beginsAfterMs = 2500
const beginsAfterProcessorMs = 1000
const beginsAfterSamples = 3
/** What a request takes is averaged over a few seconds. */
const halfLifeMs = 1000

/** The state without a crowd: how long there have been more requests than there is room for. */
const noCrowd = { ms: 0, processorMs: 0, samples: 0 }

export class LoadMeter {
  readonly #maxLag: number
  #processorMs = 0
  #arrived = 0
  #answered = 0
  #crowd = noCrowd
  /** How many requests may be in hand. */
  room = Number.POSITIVE_INFINITY

  /** `maxLag`: the processor time that all requests in hand may take, in milliseconds. */
  constructor(maxLag: number) {
    this.#maxLag = maxLag
  }

  /** Says whether there was a crowd in the last sample. */
  get isCrowded(): boolean {
    return this.#crowd.samples > 0
  }

  get isOverloaded(): boolean {
    const { ms, processorMs, samples } = this.#crowd
    return ms >= beginsAfterMs && processorMs >= beginsAfterProcessorMs && samples >= beginsAfterSamples
  }

  add({ ms, activeMs, processorMs, arrived, answered, mostInHand }: LoadSample): void {
    const kept = 0.5 ** (ms / halfLifeMs)
    this.#processorMs = this.#processorMs * kept + processorMs
    this.#arrived = this.#arrived * kept + arrived
    this.#answered = this.#answered * kept + answered
    // The requests of a burst arrive some time before the first of them is answered, and the work on all of them has begun by then.
    const requests = Math.max(this.#arrived, this.#answered)
    this.room = Math.max(alwaysAdmitted, (this.#maxLag * requests) / Math.max(1, this.#processorMs))
    const isCrowded = ms - activeMs < pausesShare * processorMs && mostInHand > this.room
    const { ms: before, processorMs: worked, samples } = this.#crowd
    this.#crowd = isCrowded ? { ms: before + ms, processorMs: worked + processorMs, samples: samples + 1 } : noCrowd
  }
}
