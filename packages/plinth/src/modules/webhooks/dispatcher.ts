// Delivers webhooks at one instance of all, which holds a lease: it turns changes into deliveries, in the order of the event log, and
// sends those that are due. Each webhook is served on its own and users take turns, so that slow receivers delay no other user.

import { reportFailed } from '../../core/guarded.ts'
import { DatabaseClock } from '../../core/jobs/clock.ts'
import { Setbacks } from '../../core/jobs/setbacks.ts'
import { isHeld, newLease } from '../../core/lease.ts'
import type { Service } from '../../core/service.ts'
import { attempt, longestDelay } from './deliver.ts'
import { dispatcherStates, type WebhookDelivery, webhookDeliveries } from './deliveries.ts'
import { deliveriesOf } from './fan-out.ts'
import { FirstChanges } from './first-changes.ts'
import { Turns } from './turns.ts'
import { webhooks } from './webhooks.ts'

const pk = 'main'
const leaseMs = 30_000
/** How often an instance that does not deliver looks whether it should. */
const lookMs = 5000
const batchSize = 200
/** How many webhooks are served at the same time. */
const slots = 20
/** A user whose receivers are slow occupies no more. */
const slotsPerUser = 3
/** How many messages a webhook receives before it is another's turn. */
const groupSize = 10

export class Dispatcher {
  readonly #service: Service
  /** The sequence of the last change that has become deliveries; null while another instance delivers. */
  #position: number | null = null
  #renewAt = 0
  readonly #clock: DatabaseClock
  readonly #setbacks = new Setbacks()
  /** The deliveries that are sent, by webhook. */
  readonly #sending = new Map<string, Delivery>()
  readonly #turns = new Turns()
  readonly #firstChanges = new FirstChanges()

  constructor(service: Service) {
    this.#service = service
    this.#clock = new DatabaseClock(service.platform)
  }

  async run(signal: AbortSignal): Promise<void> {
    const now = this.#service.platform.clock()
    await this.#setbacks.follow(now, () => this.#planAgain(now))
    if (!(await this.#lead())) return
    while (!signal.aborted && (await this.#fanOut()));
    await this.#sendDue(signal)
  }

  /** Waits for the attempts under way. */
  async idle(): Promise<void> {
    await Promise.all([...this.#sending.values()].map(({ ended }) => ended))
  }

  /** No right clock can have planned an attempt that is farther away than the longest delay, nor the next renewal. */
  async #planAgain(now: Date): Promise<void> {
    this.#renewAt = 0
    const latest = new Date(now.getTime() + longestDelay).toISOString()
    const misplaced = { state: 'waiting', nextAttempt: { gt: latest } } as const
    await this.#service.platform.records.updateMany(
      webhookDeliveries,
      { where: misplaced },
      { nextAttempt: now.toISOString() },
    )
  }

  /** Takes or renews the lease; false when another instance has it. */
  async #lead(): Promise<boolean> {
    const { platform } = this.#service
    const { store, changes } = platform
    const now = platform.clock()
    if (now.getTime() < this.#renewAt) return this.#position !== null
    // Instances whose clocks differ must agree on who has it.
    const term = { now: await this.#clock.read(), ms: leaseMs }
    const { latest } = await changes.window()
    const kept = this.#position
    this.#position = await platform.records.transaction(async records => {
      await records.ensure(dispatcherStates, { pk, position: latest })
      const state = await records.lock(dispatcherStates, pk)
      if (!state) return null
      const isSame = state.instance === store.instance
      if (!isSame && (await isHeld(store, state, term))) return null
      // Another instance may have gone on from here. After a restore from a backup the log may be shorter.
      const position = Math.min((isSame ? kept : null) ?? state.position, latest)
      await records.update(dispatcherStates, pk, { position, ...newLease(store, term) })
      return position
    })
    this.#renewAt = now.getTime() + (this.#position === null ? lookMs : leaseMs / 3)
    return this.#position !== null
  }

  /** Returns true when there may be more. */
  async #fanOut(): Promise<boolean> {
    const { platform, log } = this.#service
    const position = this.#position
    if (position === null) return false
    // Read first: while nothing is active, a webhook that is created after this receives the changes that follow.
    const { latest } = await platform.changes.window()
    const active = await platform.records.find(webhooks, { where: { active: true } })
    if (active.length === 0) {
      this.#position = latest
      return false
    }
    const firsts = await this.#firstChanges.of(active, platform.changes, position)
    const all = { after: position, upTo: Number.MAX_SAFE_INTEGER, limit: batchSize }
    const events = await platform.changes.read(all)
    const [first, last] = [events[0], events.at(-1)]
    if (!first || !last) return false
    if (first.sequence > position + 1)
      log.warn({ from: position + 1, to: first.sequence - 1 }, 'changes were deleted before webhooks received them')
    const deliveries = await deliveriesOf(this.#service, { active, firsts }, events)
    const isDone = await platform.records.transaction(async records => {
      const state = await records.lock(dispatcherStates, pk)
      if (state?.instance !== platform.store.instance) return false
      if (deliveries.length > 0) await records.createMany(webhookDeliveries, deliveries)
      await records.update(dispatcherStates, pk, { position: last.sequence })
      return true
    })
    this.#position = isDone ? last.sequence : null
    return isDone && events.length === batchSize
  }

  /** Serves a webhook once at most, so that a run ends. */
  async #sendDue(signal: AbortSignal): Promise<void> {
    const served = new Set(this.#sending.keys())
    while (!signal.aborted && this.#sending.size < slots) {
      const next = await this.#nextDue(served)
      const [webhook, user] = [next?.webhook?.pk, next?.user?.pk ?? '']
      if (webhook === undefined) return
      served.add(webhook)
      this.#turns.take({ webhook, user })
      const ended = this.#sendGroup(webhook, signal).finally(() => this.#sending.delete(webhook))
      this.#sending.set(webhook, { user, ended })
    }
  }

  /** The first delivery of the user, and of the webhook, that was served least recently. */
  async #nextDue(served: ReadonlySet<string>): Promise<WebhookDelivery | null> {
    for (;;) {
      const webhook = { notIn: [...served, ...this.#turns.webhooks] }
      const user = { notIn: [...this.#busyUsers(), ...this.#turns.users] }
      const [first] = await this.#due({ webhook, user }, 1)
      if (first) return first
      if (!this.#turns.next()) return null
    }
  }

  #busyUsers(): readonly string[] {
    const users = [...this.#sending.values()].map(({ user }) => user)
    return users.filter(user => users.filter(other => other === user).length >= slotsPerUser)
  }

  #due(where: DueWhere, limit: number): Promise<readonly WebhookDelivery[]> {
    const { records, clock } = this.#service.platform
    return records.find(webhookDeliveries, {
      where: { ...where, state: 'waiting', nextAttempt: { le: clock().toISOString() } },
      sort: ['nextAttempt', 'sequence'],
      limit,
    })
  }

  /** Ends at the first failure: the others would most likely fail as well, each after the whole timeout. */
  async #sendGroup(webhook: string, signal: AbortSignal): Promise<void> {
    try {
      for (const delivery of await this.#due({ webhook }, groupSize)) {
        if (signal.aborted || !(await attempt(this.#service, delivery, signal))) return
      }
    } catch (error) {
      if (!signal.aborted) reportFailed({ name: 'delivering webhooks', log: this.#service.log }, error)
    }
  }
}

interface Delivery {
  /** The pk of the owner. */
  readonly user: string
  readonly ended: Promise<void>
}

interface DueWhere {
  readonly webhook: string | { readonly notIn: readonly string[] }
  readonly user?: { readonly notIn: readonly string[] }
}
