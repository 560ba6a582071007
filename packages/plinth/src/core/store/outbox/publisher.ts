// Which members accompany the events of a resource, and who is woken when there are new events.

import type { EventMembers } from '../../model/event-fields.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { holderOf } from '../../model/resource.ts'
import type { OutboxDialect } from './outbox-dialect.ts'

/** What a write needs to publish changes. */
export interface Publisher {
  readonly outbox: OutboxDialect
  /** The members that accompany the events of the resource that holds the records. */
  readonly members: (holder: Resource) => readonly Member[]
  /** There are events to read once the transaction is committed. */
  readonly onPublish: () => void
}

export class ChangePublishing {
  /** Called after each commit here that published changes. */
  readonly wakes = new Set<() => void>()
  readonly #outbox: OutboxDialect
  readonly #members: Map<Resource, readonly Member[]>

  constructor(outbox: OutboxDialect, members: EventMembers | undefined) {
    this.#outbox = outbox
    this.#members = new Map(members)
  }

  readonly members = (holder: Resource): readonly Member[] => this.#members.get(holder) ?? []

  /** From now on, events of the resource also have these members. Answers whether any of them is new. */
  announce(resource: Resource, added: readonly Member[]): boolean {
    const holder = holderOf(resource)
    const known = this.members(holder)
    const missing = added.filter(member => !known.includes(member))
    if (missing.length > 0) this.#members.set(holder, [...known, ...missing])
    return missing.length > 0
  }

  /** Runs a write, and wakes those that wait for changes once it is committed. */
  async run<T>(write: (publisher: Publisher) => Promise<T>): Promise<T> {
    let hasNews = false
    const onPublish = () => {
      hasNews = true
    }
    const value = await write({ outbox: this.#outbox, members: this.members, onPublish })
    if (hasNews) for (const wake of this.wakes) wake()
    return value
  }
}
