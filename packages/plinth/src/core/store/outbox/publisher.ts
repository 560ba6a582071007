// Which fields accompany the events of a resource, and who is woken when there are new events.

import type { EventFields } from '../../model/event-fields.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import type { OutboxDialect } from './outbox-dialect.ts'

/** What a write needs to publish changes. */
export interface Publisher {
  readonly outbox: OutboxDialect
  /** The fields that accompany the events of the resource that holds the records. */
  readonly fields: (holder: Resource) => readonly ResourceField[]
  /** Is called when there are events to read after the commit. */
  readonly onPublish: () => void
}

export class ChangePublishing {
  /** The functions that are called after each commit here that published changes. */
  readonly wakes = new Set<() => void>()
  readonly #outbox: OutboxDialect
  readonly #fields: Map<Resource, readonly ResourceField[]>

  constructor(outbox: OutboxDialect, fields: EventFields | undefined) {
    this.#outbox = outbox
    this.#fields = new Map(fields)
  }

  readonly fields = (holder: Resource): readonly ResourceField[] => this.#fields.get(holder) ?? []

  /** Adds fields to all later events of the resource. Returns whether any of them is new. */
  announce(resource: Resource, added: readonly ResourceField[]): boolean {
    const holder = resource.holder
    const known = this.fields(holder)
    const missing = added.filter(field => !known.includes(field))
    if (missing.length > 0) this.#fields.set(holder, [...known, ...missing])
    return missing.length > 0
  }

  /** Runs a write, and wakes those that wait for changes once it is committed. */
  async run<T>(write: (publisher: Publisher) => Promise<T>): Promise<T> {
    let hasNews = false
    const onPublish = () => {
      hasNews = true
    }
    const value = await write({ outbox: this.#outbox, fields: this.fields, onPublish })
    if (hasNews) for (const wake of this.wakes) wake()
    return value
  }
}
