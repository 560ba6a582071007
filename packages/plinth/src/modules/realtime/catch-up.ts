// Brings subscribers who come back up to date. The work is done in small steps: one step at a time for all users, with a turn of
// the event loop after each, so that requests are answered in between; and one subscription at a time for each user.

import { performance } from 'node:perf_hooks'
import type { ChangeFeed } from '../../core/events/change-feed.ts'
import { FairQueue } from '../../core/fair-queue.ts'
import { ownTurn } from '../../core/pauses.ts'
import type { Sink } from './sink.ts'
import { type Audience, EventBatch, type Topic } from './topic.ts'

/** A subscription that has not received everything yet. */
export interface Behind {
  readonly topic: Topic
  readonly audience: Audience
  readonly sink: Sink
  /** The last sequence that needs no delivery. */
  since: number
  readonly ended: boolean
}

export interface Goal {
  readonly position: () => number
  /** Throws if what came after this sequence is not kept any more. */
  readonly mustBeKept: (since: number) => Promise<void>
}

/** How many sequences are searched for the events of one step. */
const stride = 1000
/** How many events a step takes: at first, and at most when they turn out to be cheap. */
const [fewest, most] = [50, 500]
/**
 * The milliseconds for which the event loop should be busy during a step, with other work as well: steps shrink under
 * load.
 */
const stepMs = 4
const stepBytes = 131_072

export class CatchUp {
  readonly #feed: Pick<ChangeFeed, 'read'>
  readonly #steps = new FairQueue({ places: 1 })
  readonly #users = new FairQueue({ placesPerCaller: 1 })

  constructor(feed: Pick<ChangeFeed, 'read'>) {
    this.#feed = feed
  }

  /** Settles when the subscription has reached the position, or has ended. */
  async run(entry: Behind, goal: Goal): Promise<void> {
    const isBehind = () => !entry.ended && entry.since < goal.position()
    let size = fewest
    while (isBehind()) {
      // Not in turn: a client that does not read must not hold up other clients of its user.
      await entry.sink.ready()
      const takeSteps = async () => {
        while (isBehind() && !entry.sink.isFull)
          size = await this.#steps.run(async () => {
            const next = await this.#step(entry, goal, size)
            await ownTurn()
            return next
          })
      }
      await this.#users.run(takeSteps, { caller: entry.audience.context.caller.pk ?? '' })
    }
  }

  /** Gives the size of the next step. */
  async #step(entry: Behind, { position, mustBeKept }: Goal, limit: number): Promise<number> {
    const { topic, sink, since } = entry
    const before = performance.eventLoopUtilization()
    const upTo = Math.min(position(), since + stride)
    const events = await this.#feed.read({ ...selectionOf(topic), after: since, upTo, limit })
    const { audience } = entry
    const [messages] = await Promise.all([topic.messages(new EventBatch(events), audience), mustBeKept(since)])
    // When the caller's rights have changed in the meantime, the step is repeated with those of now.
    if (entry.ended || entry.audience !== audience) return limit
    if (messages.length > 0) sink.deliver({ messages, written: new Map() })
    entry.since = events.length < limit ? upTo : (events.at(-1)?.sequence ?? upTo)
    const bytes = messages.reduce((sum, { body }) => sum + body.length, 0)
    const { active } = performance.eventLoopUtilization(before)
    return nextSize(limit, Math.max(active / stepMs, bytes / stepBytes))
  }
}

const nextSize = (size: number, load: number): number => {
  if (load > 1) return Math.max(fewest, Math.floor(size / 2))
  return load < 0.5 ? Math.min(most, size * 2) : size
}

const selectionOf = ({ holders, pk }: Topic) => {
  const [resource, second] = holders
  return { ...(resource && !second && { resource }), ...(pk !== undefined && { pk }) }
}
