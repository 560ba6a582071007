// Which connections of a network are read. Node parses all that a connection has sent before it turns to the next one, up to 64 kB:
// that can be a thousand requests, which take 10 ms. So when a connection has brought much at once, all connections of its network
// are stopped, and are read one after the other, with pauses. Those that have been served for a while and have never brought much are
// read during the pauses. Other networks are not affected.

import type { Socket } from 'node:net'
import { createOneByOne } from './paced-tasks.ts'
import { startReading, stopReading } from './reading.ts'

/** What is left to others, for each millisecond of parsing. */
const msForOthers = 2
/** The milliseconds of parsing that need no pause. */
const cheapMs = 1
/** A connection that had so many requests, and has never brought much at once, does not wait for pauses. Opening another one is dearer. */
const provenAfter = 8

export interface ReadConnection {
  readonly socket: Socket
  readonly network: string
  /** Requests that have begun so far. */
  readonly served: number
}

interface Network {
  readonly name: string
  /** The connections that are read whenever they send something. */
  readonly free: Set<ReadConnection>
  /** The connections that are stopped until the next turn of the event loop. */
  readonly proven: Set<ReadConnection>
  /** The connections that are stopped until their turn. */
  readonly stopped: Set<ReadConnection>
  /** The connections that have brought much at once: their turn comes after that of the others. */
  readonly crowding: Set<ReadConnection>
  /** How many are read in the next turn. */
  batch: number
  /** What was parsed in the last turn, in milliseconds. */
  parsedMs: number
  takesTurns: boolean
}

export class ReadingTurns {
  readonly #networks = new Map<string, Network>()
  /** Connections that have brought much at once. */
  readonly #crowded = new WeakSet<ReadConnection>()
  readonly #inTurn = createOneByOne()

  add(connection: ReadConnection): void {
    this.#networkOf(connection).free.add(connection)
  }

  /** Removes a connection that is closed, or carries no requests any more. */
  remove(connection: ReadConnection): void {
    const network = this.#networkOf(connection)
    for (const set of [network.free, network.proven, network.stopped, network.crowding]) set.delete(connection)
    this.#forget(network)
  }

  /**
   * A connection has brought much at once, which took so many milliseconds to parse, about. What others of its network have sent is
   * not read in this turn.
   */
  crowd(connection: ReadConnection, ms: number): void {
    const network = this.#networkOf(connection)
    network.parsedMs += ms
    if (network.free.size === 0) return
    this.#crowded.add(connection)
    for (const one of network.free) this.#stop(network, one)
    network.batch = 1
    setImmediate(() => this.#readProven(network))
    if (network.takesTurns) return
    network.takesTurns = true
    setImmediate(() => this.#pause(network))
  }

  /** Returns the connections of a network that were never served. */
  unserved(network: string): readonly ReadConnection[] {
    const { free = [], stopped = [] } = this.#networks.get(network) ?? {}
    return [...free, ...stopped].filter(({ served }) => served === 0)
  }

  #networkOf({ network }: ReadConnection): Network {
    const known = this.#networks.get(network)
    if (known) return known
    const added: Network = {
      name: network,
      free: new Set(),
      proven: new Set(),
      stopped: new Set(),
      crowding: new Set(),
      batch: 1,
      parsedMs: 0,
      takesTurns: false,
    }
    this.#networks.set(network, added)
    return added
  }

  #forget({ name, free, proven, takesTurns }: Network): void {
    if (!takesTurns && free.size + proven.size === 0) this.#networks.delete(name)
  }

  #stop(network: Network, connection: ReadConnection): void {
    stopReading(connection.socket, 'turn')
    network.free.delete(connection)
    this.#queueOf(network, connection).add(connection)
  }

  #queueOf({ proven, stopped, crowding }: Network, connection: ReadConnection): Set<ReadConnection> {
    if (this.#crowded.has(connection)) return crowding
    return connection.served < provenAfter ? stopped : proven
  }

  /** The first of them that brings much at once stops the others again. */
  #readProven({ proven, free }: Network): void {
    for (const connection of proven) {
      free.add(connection)
      startReading(connection.socket, 'turn')
    }
    proven.clear()
  }

  #pause(network: Network): void {
    const { parsedMs } = network
    network.parsedMs = 0
    if (parsedMs < cheapMs) this.#inTurn(() => this.#read(network))
    else setTimeout(() => this.#inTurn(() => this.#read(network)), parsedMs * msForOthers)
  }

  #read(network: Network): void {
    const { stopped, crowding, free, batch } = network
    const next = stopped.size > 0 ? firstOf(stopped, batch) : [...crowding].slice(0, 1)
    // As long as they bring little, more of them are read at once.
    network.batch *= 2
    for (const connection of next) {
      stopped.delete(connection)
      crowding.delete(connection)
      free.add(connection)
      startReading(connection.socket, 'turn')
    }
    // What they have sent is read between these two.
    if (next.length > 0) setImmediate(() => setImmediate(() => this.#pause(network)))
    else {
      network.takesTurns = false
      this.#forget(network)
    }
  }
}

/** Chooses those who were served most: new connections are no way past those of callers who behave. */
const firstOf = (connections: Iterable<ReadConnection>, count: number): readonly ReadConnection[] =>
  [...connections].sort((one, next) => next.served - one.served).slice(0, count)
