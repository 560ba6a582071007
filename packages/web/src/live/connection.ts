// One connection to the service for everything that changes while one looks at it. The library arrives with the first use.

import type { Client, IMessage, StompSubscription } from '@stomp/stompjs'
import { get } from '../api/request.ts'

/** A change as the service tells it. */
export interface LiveChange<T = Readonly<Record<string, unknown>>> {
  readonly sequence: number
  readonly type: 'created' | 'updated' | 'deleted'
  readonly resource: string
  readonly pk: string
  /** As the subscriber may see it; absent after a deletion. */
  readonly record?: T
}

export interface Listener {
  /** What the topic carries: a `Change`, or whatever a queue of one's own tells. */
  message(body: unknown): void
  /** What was missed is not kept any more: read anew. */
  reload(): void
}

export type LiveState = 'off' | 'connecting' | 'on' | 'lost'

interface Topic {
  readonly listeners: Set<Listener>
  /** The last message that arrived, where the next connection takes up. */
  last: string | null
  subscription: StompSubscription | null
  refused: boolean
}

class LiveConnection {
  #client: Client | null = null
  #wanted = false
  #state: LiveState = 'off'
  readonly #topics = new Map<string, Topic>()
  /** Destinations whose receipt is still to come: an error concerns the first of them. */
  #unconfirmed: string[] = []
  readonly #watchers = new Set<() => void>()

  readonly state = (): LiveState => this.#state

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  async open(): Promise<void> {
    this.#wanted = true
    if (this.#client) return
    this.#become('connecting')
    const { Client } = await import('@stomp/stompjs')
    if (!this.#wanted || this.#client) return
    this.#client = new Client({
      brokerURL: `${location.origin.replace(/^http/, 'ws')}/ws`,
      reconnectDelay: 2000,
      maxReconnectDelay: 30_000,
      heartbeatIncoming: 20_000,
      heartbeatOutgoing: 20_000,
      // The cookie of the handshake lasts minutes; a request renews it.
      beforeConnect: async () => {
        if (this.#state === 'lost') await get('/api/auth/userDetails').catch(() => {})
      },
      onConnect: () => this.#connected(),
      onStompError: ({ headers }) => this.#refused(headers.message ?? ''),
      onWebSocketClose: () => this.#closed(),
    })
    this.#client.activate()
  }

  async close(): Promise<void> {
    this.#wanted = false
    const client = this.#client
    this.#client = null
    for (const topic of this.#topics.values()) {
      topic.subscription = null
      topic.last = null
      topic.refused = false
    }
    this.#become('off')
    await client?.deactivate()
  }

  listen(destination: string, listener: Listener): () => void {
    const topic = this.#topics.get(destination) ?? this.#add(destination)
    topic.listeners.add(listener)
    return () => {
      topic.listeners.delete(listener)
      if (topic.listeners.size > 0) return
      topic.subscription?.unsubscribe()
      this.#topics.delete(destination)
    }
  }

  #add(destination: string): Topic {
    const topic: Topic = { listeners: new Set(), last: null, subscription: null, refused: false }
    this.#topics.set(destination, topic)
    if (this.#client?.connected) this.#subscribe(destination, topic)
    return topic
  }

  #connected(): void {
    for (const [destination, topic] of this.#topics) if (!topic.refused) this.#subscribe(destination, topic)
    this.#confirmed()
  }

  /** The page is live when the service has confirmed every subscription: earlier changes would be missed. */
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

  /** An error ends the connection; the library comes back by itself, and must not run into the same error. */
  #refused(reason: string): void {
    const [culprit] = this.#unconfirmed
    const topic = culprit === undefined ? undefined : this.#topics.get(culprit)
    if (reason === 'reload') for (const one of topic ? [topic] : this.#topics.values()) this.#reload(one)
    else if (reason === 'unauthorized') void get('/api/auth/userDetails').catch(() => {})
    else if (topic) topic.refused = true
  }

  #reload(topic: Topic): void {
    topic.last = null
    for (const listener of topic.listeners) listener.reload()
  }

  #closed(): void {
    this.#unconfirmed = []
    for (const topic of this.#topics.values()) topic.subscription = null
    if (this.#wanted) this.#become('lost')
  }

  #become(state: LiveState): void {
    if (this.#state === state) return
    this.#state = state
    for (const watcher of this.#watchers) watcher()
  }
}

export const live = new LiveConnection()
