// How many connections there may be, in all and from one network. Those beyond are refused with an answer.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { after } from '../guarded.ts'
import { Problem } from '../problem.ts'
import type { ProblemCode } from '../problem-types.ts'
import { createNetworkMatch, nearbyNetworks, networkOf, toPlainAddress } from './caller-address.ts'
import type { ConnectionLimits, ServerLog } from './options.ts'

export interface PlaceOptions {
  readonly limits: ConnectionLimits
  readonly trustedProxies: readonly string[]
  readonly isTls: boolean
  readonly log: ServerLog
}

/** How long a refused connection may take to send the request that is answered with the refusal. */
const refusedMs = 2000
/**
 * The refused connections that wait for their answer at a time. Further ones are closed at once: they would take the
 * places of others.
 */
const maxRefused = 100
/** How long connections from a network are closed at once after a flood of requests from it. */
const floodedMs = 10_000
const maxFlooded = 1000

export class ConnectionPlaces {
  /** The sockets as accepted; under TLS requests come on other sockets, which lie on these. */
  readonly open = new Set<Socket>()
  /** The sockets that are not served, with the reason. */
  readonly refused = new Map<Socket, Problem>()
  /** How many were refused since the start. */
  refusals = 0
  readonly #options: PlaceOptions
  readonly #isTrusted: (address: string) => boolean
  readonly #perNetwork = new Map<string, number>()
  readonly #flooded = new LRUCache<string, true>({ max: maxFlooded, ttl: floodedMs })
  #hasWarned = false

  constructor(server: Server, options: PlaceOptions) {
    this.#options = options
    this.#isTrusted = createNetworkMatch(options.trustedProxies)
    server.maxConnections = options.limits.connections + maxRefused
    server.on('connection', (socket: Socket) => this.#accept(socket))
  }

  /** Closes the connection, and for a while every new one of its network. False for trusted proxies, which stand for many callers. */
  expel(socket: Socket): boolean {
    const peer = toPlainAddress(socket.remoteAddress ?? '')
    this.#options.log.warn({ peer }, 'connection closed: too many pipelined requests')
    socket.destroy()
    if (this.#isTrusted(peer)) return false
    this.#flooded.set(networkOf(peer), true)
    return true
  }

  #accept(socket: Socket): void {
    const peer = toPlainAddress(socket.remoteAddress ?? '')
    const network = this.#isTrusted(peer) ? null : networkOf(peer)
    if (network !== null && this.#flooded.has(network)) socket.destroy()
    else this.#admit(socket, peer, network)
  }

  /** `network` is null for trusted proxies. */
  #admit(socket: Socket, peer: string, network: string | null): void {
    const { limits } = this.#options
    const ofNetwork = network === null ? 0 : (this.#perNetwork.get(network) ?? 0)
    if (this.open.size >= limits.connections) {
      this.#refuse(socket, 'overloaded', 'Too many connections.')
      return
    }
    if (ofNetwork >= limits.connectionsPerAddress) {
      this.#warnOnce(peer)
      this.#refuse(socket, 'too_many_requests', 'Too many connections from this address.')
      return
    }
    this.open.add(socket)
    if (network !== null) this.#perNetwork.set(network, ofNetwork + 1)
    socket.once('close', () => {
      this.open.delete(socket)
      if (network !== null) this.#leave(network)
    })
  }

  #leave(network: string): void {
    const left = (this.#perNetwork.get(network) ?? 1) - 1
    if (left > 0) this.#perNetwork.set(network, left)
    else this.#perNetwork.delete(network)
  }

  #warnOnce(peer: string): void {
    const { log } = this.#options
    if (this.#hasWarned || !createNetworkMatch(nearbyNetworks)(peer)) return
    this.#hasWarned = true
    log.warn({ peer }, 'too many connections from one address; add it to server.trustedProxies if it is your proxy')
  }

  #refuse(socket: Socket, code: ProblemCode, detail: string): void {
    this.refusals += 1
    // Under TLS no request can be read from it before a handshake, which costs more than it is worth.
    if (this.#options.isTls || this.refused.size >= maxRefused) {
      socket.destroy()
      return
    }
    this.refused.set(socket, new Problem(code, { detail, headers: { 'Retry-After': '5', Connection: 'close' } }))
    const guard = { name: 'the end of a refused connection', log: this.#options.log }
    const timer = after(refusedMs, guard, () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(timer)
      this.refused.delete(socket)
    })
  }
}
