// Delivers webhooks at one instance of all, which holds a lease: it turns changes into deliveries, in the order of the event log, and
// sends those that are due. Each webhook is served on its own, so that a slow receiver delays no other.

import { reportFailed } from '../../core/guarded.ts'
import type { Service } from '../../core/rest/service.ts'
import { attempt } from './deliver.ts'
import { type Delivery, dispatcherStates, webhookDeliveries } from './deliveries.ts'
import { deliveriesOf } from './fan-out.ts'
import { webhooks } from './webhooks.ts'

const pk = 'main'
const leaseMs = 30_000
/** How often an instance that does not deliver looks whether it should. */
const lookMs = 5000
const batchSize = 200
/** How many webhooks are served at the same time. */
const atOnce = 20

export class Dispatcher {
  readonly #service: Service
  /** The sequence of the last change that has become deliveries; null while another instance delivers. */
  #position: number | null = null
  #renewAt = 0
  /** By webhook. */
  readonly #sending = new Map<string, Promise<void>>()

  constructor(service: Service) {
    this.#service = service
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!(await this.#lead())) return
    while (!signal.aborted && (await this.#fanOut()));
    await this.#sendDue(signal)
  }

  /** Waits for the attempts under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#sending.values())
  }

  /** Takes or renews the lease; false when another instance has it. */
  async #lead(): Promise<boolean> {
    const { platform } = this.#service
    const { store, changes } = platform
    const now = platform.clock().getTime()
    if (now < this.#renewAt) return this.#position !== null
    const { latest } = await changes.window()
    const kept = this.#position
    this.#position = await platform.records.transaction(async records => {
      await records.ensure(dispatcherStates, { pk, position: latest })
      const state = await records.lock(dispatcherStates, pk)
      if (!state) return null
      const isOther = state.instance !== null && state.instance !== store.instance
      if (isOther && Date.parse(state.heldUntil ?? '') > now && (await store.isRunning(state.instance ?? '')))
        return null
      // After a restore from a backup the log may be shorter.
      const position = Math.min(kept ?? state.position, latest)
      const heldUntil = new Date(now + leaseMs).toISOString()
      await records.update(dispatcherStates, pk, { position, instance: store.instance, heldUntil })
      return position
    })
    this.#renewAt = now + (this.#position === null ? lookMs : leaseMs / 3)
    return this.#position !== null
  }

  /** True when there may be more. */
  async #fanOut(): Promise<boolean> {
    const { platform, log } = this.#service
    const position = this.#position
    if (position === null) return false
    const active = await platform.records.find(webhooks, { where: { active: true } })
    if (active.length === 0) {
      this.#position = (await platform.changes.window()).latest
      return false
    }
    const all = { after: position, upTo: Number.MAX_SAFE_INTEGER, limit: batchSize }
    const events = await platform.changes.read(all)
    const [first, last] = [events[0], events.at(-1)]
    if (!first || !last) return false
    if (first.sequence > position + 1)
      log.warn({ from: position + 1, to: first.sequence - 1 }, 'changes were deleted before webhooks received them')
    const deliveries = await deliveriesOf(this.#service, active, events)
    const isDone = await platform.records.transaction(async records => {
      const state = await records.lock(dispatcherStates, pk)
      if (state?.instance !== platform.store.instance) return false
      if (deliveries.length > 0) await records.createAll(webhookDeliveries, deliveries)
      await records.update(dispatcherStates, pk, { position: last.sequence })
      return true
    })
    this.#position = isDone ? last.sequence : null
    return isDone && events.length === batchSize
  }

  async #sendDue(signal: AbortSignal): Promise<void> {
    const { records, clock } = this.#service.platform
    const due = await records.find(webhookDeliveries, {
      where: {
        ...{ state: 'waiting', nextAttempt: { le: clock().toISOString() } },
        webhook: { notIn: [...this.#sending.keys()] },
      },
      sort: ['nextAttempt', 'sequence'],
      limit: batchSize,
    })
    for (const [webhook, deliveries] of byWebhook(due)) {
      if (this.#sending.size >= atOnce) return
      const sending = this.#sendAll(deliveries, signal).finally(() => this.#sending.delete(webhook))
      this.#sending.set(webhook, sending)
    }
  }

  async #sendAll(deliveries: readonly Delivery[], signal: AbortSignal): Promise<void> {
    try {
      for (const delivery of deliveries) {
        if (signal.aborted) return
        await attempt(this.#service, delivery, signal)
      }
    } catch (error) {
      if (!signal.aborted) reportFailed({ name: 'delivering webhooks', log: this.#service.log }, error)
    }
  }
}

const byWebhook = (deliveries: readonly Delivery[]): ReadonlyMap<string, readonly Delivery[]> => {
  const groups = new Map<string, Delivery[]>()
  for (const delivery of deliveries) {
    const webhook = delivery.webhook?.pk ?? ''
    const group = groups.get(webhook)
    if (group) group.push(delivery)
    else groups.set(webhook, [delivery])
  }
  return groups
}
