// Changes over STOMP (version 1.2) on a WebSocket.

import { Client, type IMessage, type StompSubscription } from '@stomp/stompjs'
import type { LiveReceiver, LiveSource, LiveTransport } from './live-transport.ts'
import { isReactNative, runtime } from './runtime.ts'

interface StompTopic {
  /** The last message that arrived, where the next connection continues. */
  last: string | null
  subscription: StompSubscription | null
}

/** A subscription whose receipt is still to come. */
interface Unconfirmed {
  readonly destination: string
}

/** A socket that behaves like a `WebSocket`. */
type SocketLike = ReturnType<NonNullable<Client['webSocketFactory']>>

const protocols = ['v12.stomp', 'v11.stomp', 'v10.stomp']

export class StompTransport implements LiveTransport {
  readonly #source: LiveSource
  readonly #receiver: LiveReceiver
  readonly #client: Client
  readonly #topics = new Map<string, StompTopic>()
  /** The subscriptions in the order of their frames: an error concerns the first of them. */
  #unconfirmed: readonly Unconfirmed[] = []
  #receipts = 0
  #wasLost = false
  #headers: Readonly<Record<string, string>> = {}

  constructor(source: LiveSource, receiver: LiveReceiver) {
    this.#source = source
    this.#receiver = receiver
    const { createSocket = openSocket } = source
    this.#client = new Client({
      webSocketFactory: () => createSocket(this.#address(), protocols, this.#headers) as SocketLike,
      reconnectDelay: 1000,
      maxReconnectDelay: 30_000,
      heartbeatIncoming: 20_000,
      heartbeatOutgoing: 20_000,
      beforeConnect: () => this.#prepare(),
      onConnect: () => this.#connected(),
      onStompError: ({ headers: { message = '' } }) => this.#failed(message),
      onWebSocketClose: () => this.#closed(),
    })
  }

  open(): void {
    this.#client.activate()
  }

  close(): Promise<void> {
    return this.#client.deactivate()
  }

  subscribe(destination: string): void {
    const topic: StompTopic = { last: null, subscription: null }
    this.#topics.set(destination, topic)
    if (this.#client.connected) this.#send(destination, topic)
  }

  unsubscribe(destination: string): void {
    this.#topics.get(destination)?.subscription?.unsubscribe()
    this.#topics.delete(destination)
  }

  #address(): string {
    const base = this.#source.url || (runtime.location?.origin ?? '')
    return `${base.replace(/^http/, 'ws')}/ws`
  }

  async #prepare(): Promise<void> {
    // The cookie of the handshake lasts minutes; a request renews it.
    if (this.#wasLost) await this.#source.renew().catch(() => {})
    this.#headers = await this.#source.headers().catch(() => ({}))
  }

  #connected(): void {
    for (const [destination, topic] of this.#topics) this.#send(destination, topic)
    this.#receiver.connected()
  }

  #send(destination: string, topic: StompTopic): void {
    const isResumed = topic.last !== null
    const receipt = `subscription ${++this.#receipts}`
    const unconfirmed: Unconfirmed = { destination }
    this.#unconfirmed = [...this.#unconfirmed, unconfirmed]
    this.#client.watchForReceipt(receipt, ({ headers }) => {
      this.#unconfirmed = this.#unconfirmed.filter(one => one !== unconfirmed)
      // The destination may have been left, and subscribed to again.
      if (this.#topics.get(destination) !== topic) return
      topic.last ??= headers.sequence ?? null
      this.#receiver.confirmed(destination, isResumed)
    })
    topic.subscription = this.#client.subscribe(destination, message => this.#deliver(destination, topic, message), {
      receipt,
      record: 'true',
      ...(topic.last !== null && { 'last-sequence': topic.last }),
    })
  }

  #deliver(destination: string, topic: StompTopic, message: IMessage): void {
    topic.last = message.headers.sequence ?? topic.last
    this.#receiver.received(destination, JSON.parse(message.body))
  }

  /** An error ends the connection; the library connects again, and must not run into the same error. */
  #failed(reason: string): void {
    const culprit = this.#unconfirmed[0]?.destination
    const topic = culprit === undefined ? undefined : this.#topics.get(culprit)
    if (reason === 'reload') for (const one of topic ? [topic] : this.#topics.values()) one.last = null
    else if (reason === 'unauthorized') void this.#source.renew().catch(() => {})
    else if (culprit !== undefined && topic) {
      this.#topics.delete(culprit)
      this.#receiver.refused(culprit, reason)
    }
  }

  #closed(): void {
    this.#wasLost = true
    this.#unconfirmed = []
    for (const topic of this.#topics.values()) topic.subscription = null
    this.#receiver.lost(this.#topics.keys())
  }
}

/** React Native sends headers with a handshake; browsers ignore them. */
const openSocket = (address: string, names: string[], headers: Readonly<Record<string, string>>): unknown => {
  if (!runtime.WebSocket) throw new Error("This runtime has no WebSocket; use the transport 'events'.")
  return isReactNative() ? new runtime.WebSocket(address, names, { headers }) : new runtime.WebSocket(address, names)
}
