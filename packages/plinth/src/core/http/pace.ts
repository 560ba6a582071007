// How fast bytes move. A caller who sends a body or takes a response slower than the limit is cut off: single bytes
// would keep a connection and its memory for ever.

import type { Socket } from 'node:net'
import type { ConnectionLimits } from './options.ts'

type PaceLimits = Pick<ConnectionLimits, 'stallMs' | 'bytesPerSecond'>

export class Pace {
  readonly #limits: PaceLimits
  #since: number
  #bytes: number

  /** `bytes`: how many have moved so far. */
  constructor(limits: PaceLimits, now: number, bytes: number) {
    this.#limits = limits
    this.#since = now
    this.#bytes = bytes
  }

  /** What has moved in an interval is judged at its end. */
  isTooSlow(now: number, bytes: number): boolean {
    const { stallMs, bytesPerSecond } = this.#limits
    if (now - this.#since < stallMs) return false
    const moved = bytes - this.#bytes
    const least = (bytesPerSecond * (now - this.#since)) / 1000
    this.#since = now
    this.#bytes = bytes
    return moved < least
  }
}

interface WriteQueue {
  readonly bytesWritten: number
  readonly writeQueueSize: number
}

/**
 * How many bytes of its responses the connection has taken. Only the handle of the socket knows: the socket itself counts a
 * piece when all of it is taken, and a response may be one large piece.
 */
export const takenFrom = (socket: Socket): number => {
  const handle: unknown = Reflect.get(socket, '_handle')
  return isWriteQueue(handle)
    ? handle.bytesWritten - handle.writeQueueSize
    : socket.bytesWritten - socket.writableLength
}

const isWriteQueue = (handle: unknown): handle is WriteQueue =>
  typeof handle === 'object' &&
  handle !== null &&
  typeof Reflect.get(handle, 'bytesWritten') === 'number' &&
  typeof Reflect.get(handle, 'writeQueueSize') === 'number'
