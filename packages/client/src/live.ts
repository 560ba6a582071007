// Changes as they happen, over one STOMP connection. The STOMP library is loaded when the connection is first opened.

import type { Client, IMessage, StompSubscription } from '@stomp/stompjs'
import { runtime } from './runtime.ts'

/** A change of a record. */
export interface LiveChange<T = Readonly<Record<string, unknown>>> {
  readonly sequence: number
  readonly type: 'created' | 'updated' | 'deleted'
  readonly resource: string
  readonly pk: string
  /** As the subscriber may read it; absent after a deletion. */
  readonly record?: T
}

export interface LiveListener {
  /** The body of a message: a `LiveChange`, or what a queue of the user carries. */
  message(body: unknown): void
  /** Read the records again: the subscription has begun, or changes were missed that the service no longer has. */
  reload(): void
  /** The service refuses the subscription. */
  refused?(reason: string): void
}

export type LiveState = 'off' | 'connecting' | 'on' | 'lost'

/** Whatever behaves like a `WebSocket`. */
type SocketLike = ReturnType<NonNullable<Client['webSocketFactory']>>

export interface LiveOptions {
  /** Opens the socket, for runtimes without `WebSocket` and for credentials in headers, which browsers do not send. */
  readonly createSocket?: (address: string, protocols: string[], headers: Readonly<Record<string, string>>) => unknown
}

export interface LiveSource extends LiveOptions {
  /** The address of the service; empty: the origin of the page. */
  readonly url: string
  /** Credentials of the handshake. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>
  /** Renews credentials that the service has refused. */
  readonly renew: () => Promise<unknown>
}

interface Topic {
  readonly listeners: Set<LiveListener>
  /** The last message that arrived, where the next connection continues. */
  last: string | null
  subscription: StompSubscription | null
  isRefused: boolean
}

const protocols = ['v12.stomp', 'v11.stomp', 'v10.stomp']

export class LiveConnection {
  readonly #source: LiveSource
  #client: Client | null = null
  #isWanted = false
  #state: LiveState = 'off'
  readonly #topics = new Map<string, Topic>()
  /** Destinations whose receipt is still to come: an error concerns the first of them. */
  #unconfirmed: string[] = []
  readonly #watchers = new Set<() => void>()

  constructor(source: LiveSource) {
    this.#source = source
  }

  readonly state = (): LiveState => this.#state

  /** Calls the watcher when the state changes. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Opens the connection, and opens it again when it is lost, until `close`. */
  async open(): Promise<void> {
    this.#isWanted = true
    if (this.#client) return
    this.#become('connecting')
    const { Client } = await import('@stomp/stompjs')
    if (!this.#isWanted || this.#client) return
    let headers: Readonly<Record<string, string>> = {}
    const { createSocket = (address, known) => new WebSocket(address, known) } = this.#source
    this.#client = new Client({
      webSocketFactory: () => createSocket(this.#address(), protocols, headers) as SocketLike,
      reconnectDelay: 1000,
      maxReconnectDelay: 30_000,
      heartbeatIncoming: 20_000,
      heartbeatOutgoing: 20_000,
      beforeConnect: async () => {
        // The cookie of the handshake lasts minutes; a request renews it.
        if (this.#state === 'lost') await this.#source.renew().catch(() => {})
        headers = await this.#source.headers().catch(() => ({}))
      },
      onConnect: () => this.#connected(),
      onStompError: ({ headers: { message = '' } }) => this.#failed(message),
      onWebSocketClose: () => this.#closed(),
    })
    this.#client.activate()
  }

  async close(): Promise<void> {
    this.#isWanted = false
    const client = this.#client
    this.#client = null
    for (const topic of this.#topics.values()) {
      topic.subscription = null
      topic.last = null
      topic.isRefused = false
    }
    this.#become('off')
    await client?.deactivate()
  }

  /** Listens to a destination until the returned function is called. The connection must be opened besides. */
  listen(destination: string, listener: LiveListener): () => void {
    const topic = this.#topics.get(destination) ?? this.#add(destination)
    topic.listeners.add(listener)
    return () => {
      topic.listeners.delete(listener)
      if (topic.listeners.size > 0) return
      topic.subscription?.unsubscribe()
      this.#topics.delete(destination)
    }
  }

  #address(): string {
    const base = this.#source.url || (runtime.location?.origin ?? '')
    return `${base.replace(/^http/, 'ws')}/ws`
  }

  #add(destination: string): Topic {
    const topic: Topic = { listeners: new Set(), last: null, subscription: null, isRefused: false }
    this.#topics.set(destination, topic)
    if (this.#client?.connected) this.#subscribe(destination, topic)
    return topic
  }

  #connected(): void {
    for (const [destination, topic] of this.#topics) if (!topic.isRefused) this.#subscribe(destination, topic)
    this.#confirmed()
  }

  /** The connection is live when the service has confirmed every subscription: earlier changes would be missed. */
  #confirmed(): void {
    if (this.#unconfirmed.length === 0) this.#become('on')
  }

  /** Without a message to continue from, records may have changed between the listeners' last read and the subscription. */
  #subscribe(destination: string, topic: Topic): void {
    const client = this.#client
    if (!client) return
    const isFirst = topic.last === null
    const receipt = `for ${destination} ${Math.random()}`
    this.#unconfirmed.push(destination)
    client.watchForReceipt(receipt, ({ headers }) => {
      this.#unconfirmed = this.#unconfirmed.filter(one => one !== destination)
      topic.last ??= headers.sequence ?? null
      if (isFirst) for (const listener of topic.listeners) listener.reload()
      this.#confirmed()
    })
    topic.subscription = client.subscribe(destination, message => this.#deliver(topic, message), {
      receipt,
      record: 'true',
      ...(topic.last !== null && { 'last-sequence': topic.last }),
    })
  }

  #deliver(topic: Topic, message: IMessage): void {
    topic.last = message.headers.sequence ?? topic.last
    const body: unknown = JSON.parse(message.body)
    for (const listener of topic.listeners) listener.message(body)
  }

  /** An error ends the connection; the library connects again, and must not run into the same error. */
  #failed(reason: string): void {
    const [culprit] = this.#unconfirmed
    const topic = culprit === undefined ? undefined : this.#topics.get(culprit)
    if (reason === 'reload') for (const one of topic ? [topic] : this.#topics.values()) one.last = null
    else if (reason === 'unauthorized') void this.#source.renew().catch(() => {})
    else if (topic) {
      topic.isRefused = true
      for (const listener of topic.listeners) listener.refused?.(reason)
    }
  }

  #closed(): void {
    this.#unconfirmed = []
    for (const topic of this.#topics.values()) topic.subscription = null
    if (this.#isWanted) this.#become('lost')
  }

  #become(state: LiveState): void {
    if (this.#state === state) return
    this.#state = state
    for (const watcher of this.#watchers) watcher()
  }
}
