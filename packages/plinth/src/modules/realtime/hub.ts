// Who subscribes to what: publishes each batch of changes to every subscription, and brings those who come back up to date.

import { setImmediate as turn } from 'node:timers/promises'
import type { ChangeFeed } from '../../core/events/change-feed.ts'
import type { ChangeEvent } from '../../core/model/event.ts'
import type { Context } from '../../core/rest/context.ts'
import { CatchUp } from './catch-up.ts'
import type { Bundle, Sink } from './sink.ts'
import { type Audience, EventBatch, type Message, type Topic } from './topic.ts'

export type Watcher = (events: readonly ChangeEvent[]) => Promise<void>

export interface Listening {
  readonly topic: Topic
  readonly listener: Omit<Audience, 'key'>
  readonly sink: Sink
}

export interface Subscription {
  /** Everything after this sequence is sent. */
  readonly since: number
  /** Looks again, with the rights that the caller has now; throws when they may not listen any more. */
  renew(context: Context): void
  end(): void
}

/** What was missed is not kept any more. */
export class ReloadNeeded extends Error {
  constructor() {
    super('reload')
  }
}

interface Entry extends Listening {
  audience: Audience
  /** The last sequence that needs no delivery. */
  since: number
  ended: boolean
}

/** The deliveries, or milliseconds of reading, after which others get their turn. */
const turnAfter = 250
const turnAfterMs = 5
/** How many events are read for an audience without a look at the time. */
const sliceSize = 50

export type HubFeed = Pick<ChangeFeed, 'read' | 'window' | 'subscribe'>

export class Hub {
  readonly #feed: HubFeed
  readonly #catchUp: CatchUp
  /** The entries that are up to date, by topic and audience. */
  readonly #groups = new Map<string, Set<Entry>>()
  readonly #watchers = new Set<Watcher>()
  /**
   * The moves to another group that wait while changes are sent: a subscription would get them twice, or not at all.
   */
  readonly #moves = new Map<Entry, Audience>()
  /** The entries that missed the changes, which were read with their former rights. */
  readonly #missed = new Set<Entry>()
  #isPublishing = false
  #users = 0
  #position = 0
  #feeding: Promise<{ stop(): void }> | null = null

  constructor(feed: HubFeed) {
    this.#feed = feed
    this.#catchUp = new CatchUp(feed)
  }

  /** Keeps the hub awake while a client may subscribe; returns a function that ends this. */
  async join(): Promise<() => void> {
    this.#users += 1
    let left = false
    const leave = () => {
      if (!left) this.#leave()
      left = true
    }
    this.#feeding ??= this.#open()
    try {
      await this.#feeding
    } catch (error) {
      this.#feeding = null
      leave()
      throw error
    }
    return leave
  }

  /** Gets every change before the subscriptions do; they wait until it is done. */
  watch(watcher: Watcher): void {
    this.#watchers.add(watcher)
  }

  /** Subscribes from now on, or from what comes after `last`. Throws a Problem, or ReloadNeeded. */
  async subscribe(listening: Listening, last: number | null): Promise<Subscription> {
    const audience = listening.topic.audienceFor(listening.listener)
    if (last !== null) await this.#mustBeKept(last)
    const since = last ?? this.#position
    const entry: Entry = { ...listening, audience, since, ended: false }
    // Another instance may have sent more than this one knows of yet.
    if (since >= this.#position) this.#enter(entry)
    else this.#bringUpToDate(entry)
    return {
      since,
      renew: context => this.#renew(entry, context),
      end: () => {
        entry.ended = true
        this.#remove(entry)
      },
    }
  }

  async #open(): Promise<{ stop(): void }> {
    this.#position = 0
    const feeding = await this.#feed.subscribe(events => this.#publish(events))
    this.#position = Math.max(this.#position, feeding.position)
    return feeding
  }

  #leave(): void {
    this.#users -= 1
    if (this.#users > 0) return
    this.#feeding?.then(
      feeding => feeding.stop(),
      () => {},
    )
    this.#feeding = null
  }

  async #publish(events: readonly ChangeEvent[]): Promise<void> {
    const [first, last] = [events[0]?.sequence ?? 0, events.at(-1)?.sequence ?? 0]
    this.#position = last
    await Promise.all([...this.#watchers].map(watcher => watcher(events)))
    this.#isPublishing = true
    try {
      await this.#deliver(new EventBatch(events), { first, last })
    } finally {
      this.#isPublishing = false
      for (const [entry, audience] of this.#moves) this.#move(entry, audience)
      this.#moves.clear()
      for (const entry of this.#missed) this.#publishMissed(entry, first)
      this.#missed.clear()
    }
  }

  async #deliver(batch: EventBatch, { first, last }: { first: number; last: number }): Promise<void> {
    let delivered = 0
    for (const group of [...this.#groups.values()]) {
      const bundle = await bundleFor(group, batch)
      for (const entry of bundle ? group : []) {
        // Who has come while this batch was under way was brought up to date with it.
        if (!bundle || entry.since >= last) continue
        if (this.#moves.has(entry)) {
          this.#missed.add(entry)
          continue
        }
        entry.sink.deliver(entry.since < first ? bundle : laterThan(entry.since, bundle))
        delivered += 1
        if (delivered % turnAfter === 0) await turn()
      }
    }
  }

  /** Publishes what the entry missed, with its present rights. */
  #publishMissed(entry: Entry, first: number): void {
    this.#remove(entry)
    entry.since = Math.max(entry.since, first - 1)
    this.#bringUpToDate(entry)
  }

  #bringUpToDate(entry: Entry): void {
    this.#catchUpWith(entry).catch(error => entry.ended || entry.sink.failed(error))
  }

  async #catchUpWith(entry: Entry): Promise<void> {
    const goal = { position: () => this.#position, mustBeKept: (since: number) => this.#mustBeKept(since) }
    // Without a pause between the look at the position and the entry, during which there could be news.
    while (entry.since < this.#position && !entry.ended) await this.#catchUp.run(entry, goal)
    this.#enter(entry)
  }

  async #mustBeKept(last: number): Promise<void> {
    const { oldest, latest } = await this.#feed.window()
    if (last + 1 < oldest || last > latest) throw new ReloadNeeded()
  }

  #enter(entry: Entry): void {
    if (entry.ended) return
    const key = groupKey(entry)
    const group = this.#groups.get(key)
    if (group) group.add(entry)
    else this.#groups.set(key, new Set([entry]))
  }

  #remove(entry: Entry): boolean {
    const key = groupKey(entry)
    const group = this.#groups.get(key)
    const wasThere = group?.delete(entry) ?? false
    if (group?.size === 0) this.#groups.delete(key)
    return wasThere
  }

  #renew(entry: Entry, context: Context): void {
    const audience = entry.topic.audienceFor({ ...entry.listener, context })
    const isUpToDate = this.#groups.get(groupKey(entry))?.has(entry) ?? false
    if (this.#isPublishing && isUpToDate) this.#moves.set(entry, audience)
    else this.#move(entry, audience)
  }

  #move(entry: Entry, audience: Audience): void {
    const wasThere = this.#remove(entry)
    entry.audience = audience
    if (wasThere) this.#enter(entry)
  }
}

const groupKey = ({ topic, audience }: Entry): string => JSON.stringify([topic.key, audience.key])

/** One reading for the whole group. When it fails all of them come back and are brought up to date. */
const bundleFor = async (group: ReadonlySet<Entry>, batch: EventBatch): Promise<Bundle | null> => {
  const [entry] = group
  if (!entry?.topic.holders.some(holder => batch.of(holder).length > 0)) return null
  try {
    const messages = await readMessages(entry, batch)
    return messages.length > 0 ? { messages, written: new Map() } : null
  } catch (error) {
    for (const one of [...group]) one.sink.failed(error)
    return null
  }
}

const readMessages = async ({ topic, audience }: Entry, batch: EventBatch): Promise<readonly Message[]> => {
  const messages: Message[] = []
  let began = performance.now()
  for (const slice of batch.slices(sliceSize)) {
    messages.push(...(await topic.messages(slice, audience)))
    if (performance.now() - began < turnAfterMs) continue
    await turn()
    began = performance.now()
  }
  return messages
}

const laterThan = (since: number, { messages }: Bundle): Bundle => ({
  messages: messages.filter(message => message.sequence > since),
  written: new Map(),
})
