// Where the messages of a subscription go: a connection that takes as much as its client reads.

import type { Message } from './topic.ts'

/** Messages for one audience. What a way of delivery makes of them is kept, since many deliver the same. */
export interface Bundle {
  readonly messages: readonly Message[]
  /** The frames by the subscription's own words, such as its id. */
  readonly written: Map<string, readonly Buffer[]>
}

export interface Sink {
  deliver(bundle: Bundle): void
  /** Does as much wait to be read as should? */
  readonly isFull: boolean
  /** Settles when more can be taken, or when the connection has ended. */
  ready(): Promise<void>
  /** The subscription cannot go on; a client that reconnects gets everything that it missed. */
  failed(error: unknown): void
}
