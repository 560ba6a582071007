// The requests of one connection (HTTP pipelining): a few are handled at a time. The others wait, and nothing more is read from
// the connection until they have begun, so that a caller who does not read responses cannot make the server produce more.
// Requests that have waited begin one by one for all connections, so that a flood of them delays other callers by one request.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionLimits } from './options.ts'

export interface PipelineHost {
  readonly limits: ConnectionLimits
  readonly handle: (raw: IncomingMessage, reply: ServerResponse) => void
  /** A request is over, whatever came of it. */
  readonly ended: (raw: IncomingMessage) => void
  /** When requests that have waited begin. */
  readonly inTurn: RequestQueue
  /** More requests wait than may. */
  readonly flooded: (socket: Socket) => void
}

/** Of one connection. Nothing is read while requests wait, but Node parses up to 64 kB at once: thousands of short requests. */
const maxWaiting = 1000

/** What a parsed request takes while it waits, about. */
const waitingRequestBytes = 4096

const maxListeners = 20

export class Pipeline {
  readonly #socket: Socket
  readonly #host: PipelineHost
  readonly #active = new Set<ServerResponse>()
  readonly #waiting: ServerResponse[] = []
  #hasTurn = false
  /** While something waits to be taken. */
  #pace: Pace | null = null
  /** What to do once everything is answered: no further request is taken. */
  #last: (() => void) | null = null

  constructor(socket: Socket, host: PipelineHost) {
    this.#socket = socket
    this.#host = host
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Responses that are not read yet, and requests that wait. */
  get heldBytes(): number {
    let bytes = this.#socket.writableLength + this.#waiting.length * waitingRequestBytes
    // Only the first of them has the socket, whose bytes are counted already.
    for (const reply of this.#active) if (reply.socket === null) bytes += reply.writableLength
    return bytes
  }

  take(reply: ServerResponse): void {
    if (this.#last || this.#socket.destroyed) return
    if (this.#waiting.length >= maxWaiting) {
      this.#host.flooded(this.#socket)
      return
    }
    if (this.#waiting.length === 0 && this.#active.size === 0) {
      this.#begin(reply)
      return
    }
    if (this.#waiting.length === 0) stopReading(this.#socket)
    this.#waiting.push(reply)
    this.#askForTurn()
  }

  /** Takes no further request. Runs the action once those that arrived whole are answered, and not before. */
  finish(action: () => void): void {
    if (this.#last) return
    stopReading(this.#socket)
    if (this.#waiting.at(-1)?.req.complete === false) this.#waiting.pop()
    const [broken] = [...this.#active].filter(({ req }) => !req.complete)
    // Its response has begun, and is the last one.
    this.#last = broken?.headersSent ? () => this.#socket.destroySoon() : action
    this.#finishWhenAnswered()
  }

  /** Cuts off a caller who takes responses too slowly. */
  watch(now: number): void {
    if (this.#socket.writableLength === 0) this.#pace = null
    else if (this.#pace === null) this.#pace = new Pace(this.#host.limits, now, takenFrom(this.#socket))
    else if (this.#pace.isTooSlow(now, takenFrom(this.#socket))) this.#socket.destroy()
  }

  close(): void {
    this.#waiting.length = 0
    for (const reply of this.#active) this.#host.ended(reply.req)
    this.#active.clear()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #hasRoom(): boolean {
    const { requestsPerConnection, responseBytesPerConnection } = this.#host.limits
    const { size } = this.#active
    return size === 0 || (size < requestsPerConnection && this.heldBytes < responseBytesPerConnection)
  }

  #begin(reply: ServerResponse): void {
    this.#active.add(reply)
    // For a static file the library adds more listeners than Node expects, and warns about a leak.
    reply.setMaxListeners(maxListeners)
    reply.on('close', () => this.#end(reply))
    this.#host.handle(reply.req, reply)
  }

  #end(reply: ServerResponse): void {
    if (!this.#active.delete(reply)) return
    this.#host.ended(reply.req)
    if (this.#socket.destroyed) return
    this.#askForTurn()
    if (this.#last) this.#finishWhenAnswered()
  }

  #askForTurn(): void {
    if (this.#hasTurn || this.#waiting.length === 0 || !this.#hasRoom()) return
    this.#hasTurn = true
    this.#host.inTurn(() => {
      this.#hasTurn = false
      return this.#beginNext()
    })
  }

  #beginNext(): ServerResponse | null {
    const next = this.#socket.destroyed ? undefined : this.#waiting.shift()
    if (!next) return null
    this.#begin(next)
    if (this.#waiting.length === 0 && !this.#last) startReading(this.#socket)
    this.#askForTurn()
    return next
  }

  #finishWhenAnswered(): void {
    const isOwed = ({ req, headersSent }: ServerResponse) => req.complete || headersSent
    if (this.#waiting.length > 0 || [...this.#active].some(isOwed)) return
    startReading(this.#socket)
    this.#last?.()
  }
}

// Requests that have waited behind others of their connection begin here, for all connections: one in each turn of the event
// loop, and a few at a time. So a flood of pipelined requests delays other callers by few requests, in this process and in the
// database.

/** Begins a request and returns its response; null when there is none left. */
export type Begin = () => ServerResponse | null
export type RequestQueue = (begin: Begin) => void

/** Requests that have begun here and have no response yet. */
const maxActive = 4
/** Until it is looked again whether one of them has its response, in milliseconds. */
const recheckMs = 1
/** A request that takes longer holds up no others, in milliseconds. What is slow has queues of its own. */
const maxMs = 100

const cheapRequestMs = 1

export const createRequestQueue = (): RequestQueue => {
  const queue: Begin[] = []
  /** With the time of their beginning. */
  const active = new Map<ServerResponse, number>()
  // A response that has begun may stay open for ever: its caller does not read it, or it is a stream of events.
  const hasRoom = (): boolean => {
    if (active.size < maxActive) return true
    const late = performance.now() - maxMs
    for (const [reply, began] of active) if (reply.headersSent || reply.destroyed || began < late) active.delete(reply)
    return active.size < maxActive
  }
  const next = (): void => {
    if (!hasRoom()) {
      setTimeout(next, recheckMs)
      return
    }
    const begin = queue.shift()
    // The first that is added to an empty queue, here or in `begin`, starts it again.
    if (queue.length > 0) afterPause(cheapRequestMs, next)
    const reply = begin?.()
    if (reply) active.set(reply, performance.now())
  }
  return begin => {
    queue.push(begin)
    if (queue.length === 1) setImmediate(next)
  }
}

/** What is left to others, for each millisecond of work. */
const msForOthers = 2
/** Calls back when the event loop was left to others for longer than it is busy now. Less work than `cheapMs` needs no pause. */
const afterPause = (cheapMs: number, next: () => void): void => {
  const before = performance.eventLoopUtilization()
  // What was started now, such as reading from a socket, happens in the next turn.
  setImmediate(() =>
    setImmediate(() => {
      const { active } = performance.eventLoopUtilization(before)
      if (active < cheapMs) next()
      else setTimeout(next, active * msForOthers)
    }),
  )
}

// Tasks that run one in each turn of the event loop, in order: however many there are, they delay others by one task at most.

export type OneByOne = (task: () => void) => void

export const createOneByOne = (): OneByOne => {
  const queue: (() => void)[] = []
  const next = (): void => {
    const task = queue.shift()
    if (queue.length > 0) setImmediate(next)
    task?.()
  }
  return task => {
    queue.push(task)
    if (queue.length === 1) setImmediate(next)
  }
}

// Tasks by key, such as the network of a caller: those of one key run one after the other, and the event loop is left to others
// between them for longer than they take. So a flood from one network delays itself.

export type PacedTasks = (key: string, task: () => void) => void

/** More than the first request of a browser's connection takes. */
const cheapTaskMs = 5

export const createPacedTasks = (): PacedTasks => {
  const inTurn = createOneByOne()
  /** Those that wait for the one that runs. */
  const waiting = new Map<string, (() => void)[]>()
  const run = (key: string, task: () => void): void =>
    inTurn(() => {
      task()
      afterPause(cheapTaskMs, () => next(key))
    })
  const next = (key: string): void => {
    const task = waiting.get(key)?.shift()
    if (task) run(key, task)
    else waiting.delete(key)
  }
  return (key, task) => {
    const queue = waiting.get(key)
    if (queue) queue.push(task)
    else {
      waiting.set(key, [])
      run(key, task)
    }
  }
}

// How fast bytes move. A caller who sends a body or takes a response slower than the limit is cut off: single bytes
// would keep a connection and its memory for ever.

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

// Stops reading from a connection, and starts again

const pauseAgain = function (this: Socket): void {
  this.pause()
}

/** Node resumes a socket by itself: at its beginning, with each message that is complete, and whenever it drains. */
export const stopReading = (socket: Socket): void => {
  socket.off('resume', pauseAgain)
  socket.on('resume', pauseAgain)
  socket.pause()
}

export const startReading = (socket: Socket): void => {
  socket.off('resume', pauseAgain)
  socket.resume()
}
