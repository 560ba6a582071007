// What can be subscribed to, whatever the way of delivery.

import type { ChangeEvent } from '../../core/model/event.ts'
import type { Context } from '../../core/rest/context.ts'

/** A message for one audience. */
export interface Message {
  readonly sequence: number
  /** JSON. */
  readonly body: string
}

/**
 * Tells topics and audiences apart. A nested list rather than a joined text: callers choose some of the parts, and none of
 * them may look like the boundary between two others.
 */
export type Key = string | number | null | readonly Key[]

/** Subscribers who receive the same messages: one reading of the changes serves all of them. */
export interface Audience {
  /** The key, equal for subscribers who see the same. */
  readonly key: Key
  readonly context: Context
  /** The service's address as they reached it, for the links in records. */
  readonly base: string
  readonly wantsRecord: boolean
}

export interface Topic {
  /** The key, equal for topics that deliver the same messages to the same audience. */
  readonly key: Key
  /** The resources whose changes it is about, by the names under which changes are kept. */
  readonly holders: readonly string[]
  readonly pk?: string
  /** Throws a Problem when the caller may not hear it. */
  audienceFor(listener: Omit<Audience, 'key'>): Audience
  messages(batch: EventBatch, audience: Audience): Promise<readonly Message[]>
}

/** Changes that are sent together. What several audiences need of them is read once. */
export class EventBatch {
  readonly events: readonly ChangeEvent[]
  readonly #byHolder = new Map<string, ChangeEvent[]>()
  readonly #known: Map<string, Promise<unknown>>

  constructor(events: readonly ChangeEvent[], known = new Map<string, Promise<unknown>>()) {
    this.events = events
    this.#known = known
    for (const event of events) {
      const known = this.#byHolder.get(event.resource)
      if (known) known.push(event)
      else this.#byHolder.set(event.resource, [event])
    }
  }

  of(holder: string): readonly ChangeEvent[] {
    return this.#byHolder.get(holder) ?? []
  }

  /** Parts of it, which share what is known. */
  *slices(size: number): Iterable<EventBatch> {
    if (this.events.length <= size) yield this
    else
      for (let at = 0; at < this.events.length; at += size)
        yield new EventBatch(this.events.slice(at, at + size), this.#known)
  }

  once<T>(key: string, find: () => Promise<T>): Promise<T> {
    let known = this.#known.get(key)
    if (!known) {
      known = find()
      this.#known.set(key, known)
    }
    return known as Promise<T>
  }
}

const ids = new WeakMap<object, number>()
let lastId = 0

/** A short name for an object that is shared, such as a view. */
export const idOf = (shared: object): number => {
  let id = ids.get(shared)
  if (id === undefined) {
    lastId += 1
    id = lastId
    ids.set(shared, id)
  }
  return id
}

/** Callers of the same user, the same roles, scopes and attributes see the same. */
export const callerKey = ({ caller: { pk, roles, scopes, attributes } }: Context): Key => [
  pk,
  [...roles].sort(),
  scopes ? [...scopes].sort() : null,
  attributes ? JSON.stringify([...attributes]) : null,
]
