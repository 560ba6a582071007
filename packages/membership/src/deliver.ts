// Delivers an operator's history to other parties. The history itself is the outbox: for each party the node stores how far it
// has acknowledged, so nothing is lost, duplicates do no harm, and a party that was away catches up.

import { Problem } from 'plinth'
import { every, type Guard } from 'plinth/module'
import type { Ask } from './exchange.ts'
import { type Ledger, type ReceivedState, toReceived } from './ledger.ts'
import { concernsOthers } from './membership-states.ts'
import type { NetworkMap } from './network-map.ts'
import { acknowledge, type Peer, peersBehind } from './peers.ts'
import { activeNetworks, membershipsOf } from './selection.ts'
import type { SignedEntry } from './state-entry.ts'
import { membershipEntries, membershipNodes } from './tables.ts'

export interface DeliveryParts {
  readonly ledger: Ledger
  readonly map: NetworkMap
  readonly ask: Ask
  /** The parties whose nodes are in this process. */
  readonly local: () => readonly string[]
  readonly log: Guard['log'] & { warn(fields: object, message: string): void }
}

const firstPause = 250
const longestPause = 10_000
const tick = 500
const atOnce = 8
const maxBatchBytes = 256 * 1024
const maxBatchEntries = 500

interface Trouble {
  readonly failures: number
  readonly until: number
}

/** Notifies other parties of the operator's states. */
export class Delivery {
  readonly #parts: DeliveryParts
  /** Parties that did not answer, until they are tried again. */
  readonly #troubles = new Map<string, Trouble>()
  /** The last work for each party: one at a time. */
  readonly #queues = new Map<string, Promise<void>>()
  #running: Promise<void> | null = null
  #hasMore = false
  #isStarted = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  start(): () => Promise<void> {
    this.#isStarted = true
    this.#run()
    let ticks = 0
    const stopTicking = every(tick, { name: 'the delivery of notices', log: this.#parts.log }, () => {
      // Without trouble there is little to look for: a party that is new on the network map.
      if (this.#troubles.size > 0 || ++ticks % 10 === 0) this.#run()
    })
    return async () => {
      this.#isStarted = false
      await stopTicking()
      await this.#running
    }
  }

  /** Wakes deliveries of new states. Nodes of this process are notified before the promise resolves, others soon. */
  async wake(): Promise<void> {
    this.#run()
    const { ledger, local, log } = this.#parts
    try {
      await Promise.all((await this.#behindAmong(local())).map(peer => this.#deliverTo(peer)))
    } catch (error) {
      // The change itself is committed; the parties are notified later.
      log.warn({ err: error, node: ledger.node }, 'notices not delivered')
    }
  }

  /** The party answers again. */
  hear(party: string): void {
    this.#troubles.delete(party)
    this.#run()
  }

  #run(): void {
    if (!this.#isStarted) return
    this.#hasMore = true
    this.#running ??= this.#deliverWhileMore()
  }

  async #deliverWhileMore(): Promise<void> {
    const { ledger, log } = this.#parts
    while (this.#hasMore && this.#isStarted) {
      this.#hasMore = false
      await this.#deliverAll().catch(error => log.warn({ err: error, node: ledger.node }, 'notices not delivered'))
    }
    this.#running = null
  }

  async #deliverAll(): Promise<void> {
    const { map, local } = this.#parts
    const now = performance.now()
    const here = local()
    const reachable = [...map.all()].filter(({ name, address, key }) => (address && key) || here.includes(name))
    const behind = await this.#behindAmong(reachable.map(({ name }) => name))
    const due = behind.filter(({ party }) => (this.#troubles.get(party)?.until ?? 0) <= now)
    for (let from = 0; from < due.length; from += atOnce)
      await Promise.all(due.slice(from, from + atOnce).map(peer => this.#deliverTo(peer)))
  }

  async #behindAmong(parties: readonly string[]): Promise<readonly Peer[]> {
    const { ledger } = this.#parts
    const others = parties.filter(party => party !== ledger.identity().party)
    const head = await ledger.records.first(membershipNodes, { where: { pk: ledger.node } })
    return peersBehind(ledger, others, head?.sequence ?? 0)
  }

  #deliverTo({ party }: Peer): Promise<void> {
    return this.#inQueue(party, async () => {
      const [peer] = await peersBehind(this.#parts.ledger, [party], Number.MAX_SAFE_INTEGER)
      if (peer) await this.#notify(peer)
    })
  }

  #inQueue(party: string, work: () => Promise<void>): Promise<void> {
    const done = (this.#queues.get(party) ?? Promise.resolve()).then(work)
    this.#queues.set(party, done)
    return done.finally(() => {
      if (this.#queues.get(party) === done) this.#queues.delete(party)
    })
  }

  async #notify(peer: Peer): Promise<void> {
    const { ledger, log } = this.#parts
    try {
      await this.#sendAll(peer)
      this.#troubles.delete(peer.party)
    } catch (error) {
      const failures = (this.#troubles.get(peer.party)?.failures ?? 0) + 1
      const pause = Math.min(longestPause, firstPause * 2 ** Math.min(failures, 10))
      this.#troubles.set(peer.party, { failures, until: performance.now() + pause })
      const isAway = error instanceof Problem && error.code === 'unavailable'
      if (!isAway || failures === 1)
        log.warn({ err: error, node: ledger.node, party: peer.party }, 'notice not delivered')
    }
  }

  async #sendAll({ party, acknowledged: from }: Peer): Promise<void> {
    const { ledger, ask } = this.#parts
    let acknowledged = from
    for (;;) {
      const states = await entriesAfter(ledger, acknowledged)
      const through = states.at(-1)?.state.sequence
      if (through === undefined) return
      const visible = await visibleTo(ledger, party, states)
      if (visible.length > 0)
        await ask({ to: party, kind: 'notify', body: { entries: visible.map(toSent) }, attempts: 1 })
      await acknowledge(ledger, { party, acknowledged: through })
      acknowledged = through
    }
  }
}

export const toSent = ({
  signed: { entry, signature },
}: ReceivedState): SignedEntry & { [member: string]: string } => ({
  entry,
  signature,
})

/** A party can see its own memberships, and those of the networks in which it is a member. */
const visibleTo = async (
  ledger: Ledger,
  party: string,
  entries: readonly ReceivedState[],
): Promise<readonly ReceivedState[]> => {
  const networks = activeNetworks(await membershipsOf(ledger, party, ledger.identity().party))
  return entries.filter(
    ({ state: { record } }) =>
      record.member === party || (concernsOthers(record.status) && networks.includes(record.networkID)),
  )
}

/** The next states of the node's own history, as many as fit into a message. */
const entriesAfter = async (ledger: Ledger, sequence: number): Promise<readonly ReceivedState[]> => {
  const { node, records, identity } = ledger
  const next = await records.find(membershipEntries, {
    where: { node, bno: identity().party, sequence: { gt: sequence } },
    sort: ['sequence'],
    limit: maxBatchEntries,
  })
  let bytes = 0
  const fitting = next.filter(({ entry }, index) => {
    bytes += entry.length
    return index === 0 || bytes <= maxBatchBytes
  })
  return fitting.map(toReceived)
}
