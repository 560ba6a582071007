// From which change on webhooks receive changes: from their own creation, which is a change in the same log.

import type { ChangeFeed } from '../../core/events/change-feed.ts'
import { type Webhook, webhooks } from './webhooks.ts'

const batchSize = 1000

export class FirstChanges {
  /** The sequences of the creation, by webhook; 0 where that was before the changes that are left. */
  #sequences: ReadonlyMap<string, number> = new Map()

  /** `after`: the changes up to this one have become deliveries. */
  async of(active: readonly Webhook[], changes: ChangeFeed, after: number): Promise<ReadonlyMap<string, number>> {
    const known = this.#sequences
    const isNew = active.some(({ pk }) => !known.has(pk))
    const created = isNew ? await creations(changes, after) : new Map<string, number>()
    this.#sequences = new Map(active.map(({ pk }) => [pk, known.get(pk) ?? created.get(pk) ?? 0]))
    return this.#sequences
  }
}

const creations = async (changes: ChangeFeed, after: number): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>()
  // So the creation of each of them is in the log.
  await changes.arrange()
  const { latest } = await changes.window()
  const selection = { upTo: latest, limit: batchSize, resource: webhooks.name }
  for (let position = after; ; ) {
    const events = await changes.read({ ...selection, after: position })
    for (const { type, pk, sequence } of events) if (type === 'created') found.set(pk, sequence)
    const last = events.at(-1)
    if (!last || events.length < batchSize) return found
    position = last.sequence
  }
}
