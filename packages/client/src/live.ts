// Changes as they happen: who listens to which destination. The transport is loaded when the connection is first opened.

import type { LiveReceiver, LiveSource, LiveTransport } from './live-transport.ts'

/** A change of a record. */
export interface LiveChange<T = Readonly<Record<string, unknown>>> {
  readonly sequence: number
  readonly type: 'created' | 'updated' | 'deleted'
  readonly resource: string
  readonly pk: string
  /** The record as the subscriber may read it; absent after a deletion. */
  readonly record?: T
}

export interface LiveListener {
  /** The body of a message: a `LiveChange`, or what a queue of the user carries. */
  message(body: unknown): void
  /** Reads the records again: the subscription has begun, or changes were missed that the service no longer has. */
  reload(): void
  /** The service refuses the subscription. */
  refused?(reason: string): void
}

export type LiveState = 'off' | 'connecting' | 'on' | 'lost'

interface Topic {
  readonly listeners: Set<LiveListener>
  /** The listeners that have read their records before the subscription began, as far as is known. */
  readonly newcomers: Set<LiveListener>
  isConfirmed: boolean
  /** Why the service refuses it. */
  refusal: string | null
}

/** The milliseconds after a transport could not be loaded. */
const loadAgainMs = 5000

export class LiveConnection {
  readonly #source: LiveSource
  #transport: LiveTransport | null = null
  #isWanted = false
  #state: LiveState = 'off'
  readonly #topics = new Map<string, Topic>()
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
    if (this.#transport) return
    this.#become('connecting')
    try {
      const create = await loadTransport(this.#source.transport)
      if (!this.#isWanted || this.#transport) return
      const transport: LiveTransport = create(
        this.#source,
        this.#receiver(() => this.#transport === transport),
      )
      this.#transport = transport
    } catch {
      // A part of the application could not be fetched.
      this.#become('lost')
      setTimeout(() => this.#isWanted && void this.open(), loadAgainMs)
      return
    }
    for (const destination of this.#topics.keys()) this.#transport.subscribe(destination)
    this.#transport.open()
  }

  async close(): Promise<void> {
    this.#isWanted = false
    const transport = this.#transport
    this.#transport = null
    for (const topic of this.#topics.values()) {
      topic.isConfirmed = false
      topic.refusal = null
    }
    this.#become('off')
    await transport?.close()
  }

  /** Listens to a destination until the returned function is called. The connection must be opened besides. */
  listen(destination: string, listener: LiveListener): () => void {
    const topic = this.#topics.get(destination) ?? this.#add(destination)
    topic.listeners.add(listener)
    topic.newcomers.add(listener)
    // A listener that joins others may have read its records before changes that those have heard of.
    queueMicrotask(() => this.#greet(topic, listener))
    return () => {
      topic.newcomers.delete(listener)
      topic.listeners.delete(listener)
      if (topic.listeners.size > 0 || this.#topics.get(destination) !== topic) return
      this.#topics.delete(destination)
      if (topic.refusal === null) this.#transport?.unsubscribe(destination)
    }
  }

  #add(destination: string): Topic {
    const topic: Topic = { listeners: new Set(), newcomers: new Set(), isConfirmed: false, refusal: null }
    this.#topics.set(destination, topic)
    this.#transport?.subscribe(destination)
    return topic
  }

  #greet({ newcomers, isConfirmed, refusal }: Topic, listener: LiveListener): void {
    if (!(isConfirmed || refusal !== null) || !newcomers.delete(listener)) return
    if (refusal === null) listener.reload()
    else listener.refused?.(refusal)
  }

  /** A transport that was closed may still report its end. */
  #receiver(isCurrent: () => boolean): LiveReceiver {
    const topicAt = (destination: string): Topic | undefined =>
      isCurrent() ? this.#topics.get(destination) : undefined
    return {
      connected: () => this.#settle(isCurrent()),
      confirmed: (destination, isResumed) => {
        const topic = topicAt(destination)
        if (topic) confirm(topic, isResumed)
        this.#settle(isCurrent())
      },
      received: (destination, body) => {
        for (const listener of topicAt(destination)?.listeners ?? []) listener.message(body)
      },
      refused: (destination, reason) => {
        const topic = topicAt(destination)
        if (topic) refuse(topic, reason)
      },
      lost: destinations => {
        for (const destination of destinations) {
          const topic = topicAt(destination)
          if (topic) topic.isConfirmed = false
        }
        if (isCurrent()) this.#become('lost')
      },
    }
  }

  /** The connection is live when the service has confirmed every subscription: earlier changes would be missed. */
  #settle(isCurrent: boolean): void {
    const isPending = ({ isConfirmed, refusal }: Topic): boolean => !isConfirmed && refusal === null
    if (isCurrent && ![...this.#topics.values()].some(isPending)) this.#become('on')
  }

  #become(state: LiveState): void {
    if (this.#state === state) return
    this.#state = state
    for (const watcher of this.#watchers) watcher()
  }
}

/**
 * Confirms a subscription. Without a place to continue from, records may have changed between the last read of a
 * listener and it.
 */
const confirm = (topic: Topic, isResumed: boolean): void => {
  topic.isConfirmed = true
  const stale = [...(isResumed ? topic.newcomers : topic.listeners)]
  topic.newcomers.clear()
  for (const listener of stale) listener.reload()
}

const refuse = (topic: Topic, reason: string): void => {
  topic.refusal = reason
  topic.newcomers.clear()
  for (const listener of topic.listeners) listener.refused?.(reason)
}

const loadTransport = async (
  name: LiveSource['transport'],
): Promise<(source: LiveSource, receiver: LiveReceiver) => LiveTransport> => {
  if (name === 'events') {
    const { EventsTransport } = await import('./live-events.ts')
    return (source, receiver) => new EventsTransport(source, receiver)
  }
  const { StompTransport } = await import('./live-stomp.ts')
  return (source, receiver) => new StompTransport(source, receiver)
}
