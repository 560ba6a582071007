// Tells other parties of an operator's history. The history itself is the outbox: for each party the node remembers how far
// it has confirmed, so nothing is lost, whatever is sent twice does no harm, and who was away catches up.

import { every, type Guard } from '../../core/guarded.ts'
import { Problem } from '../../core/problem.ts'
import type { Ask } from './exchange.ts'
import { type Ledger, type Received, toReceived } from './ledger.ts'
import type { NetworkMap } from './network-map.ts'
import { acknowledge, type Peer, peersBehind } from './peers.ts'
import { activeNetworks, membershipsOf } from './readings.ts'
import type { SignedEntry } from './state-entry.ts'
import { concernsOthers } from './states.ts'
import { membershipEntries, membershipNodes } from './tables.ts'

export interface DeliveryParts {
  readonly ledger: Ledger
  readonly map: NetworkMap
  readonly ask: Ask
  /** The parties whose nodes are in this process. */
  readonly local: () => readonly string[]
  readonly log: Guard['log'] & { warn(fields: object, message: string): void }
}

export interface Delivery {
  /** There is something to tell: the nodes of this process are told before the promise is settled, others soon. */
  wake(): Promise<void>
  /** The party has shown that it is there. */
  hear(party: string): void
  start(): () => Promise<void>
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

export const createDelivery = ({ ledger, map, ask, local, log }: DeliveryParts): Delivery => {
  const troubles = new Map<string, Trouble>()
  let running: Promise<void> | null = null
  let again = false
  let isStarted = false

  /** One at a time for each party. */
  const turns = new Map<string, Promise<void>>()
  const inTurn = (party: string, work: () => Promise<void>): Promise<void> => {
    const turn = (turns.get(party) ?? Promise.resolve()).then(work)
    turns.set(party, turn)
    return turn.finally(() => {
      if (turns.get(party) === turn) turns.delete(party)
    })
  }

  const deliverTo = ({ party }: Peer): Promise<void> =>
    inTurn(party, async () => {
      const [peer] = await peersBehind(ledger, [party], Number.MAX_SAFE_INTEGER)
      if (peer) await tell(peer)
    })

  const tell = async (peer: Peer): Promise<void> => {
    try {
      let { acknowledged } = peer
      for (;;) {
        const entries = await entriesAfter(ledger, acknowledged)
        const through = entries.at(-1)?.state.sequence
        if (through === undefined) break
        const told = await concerning(ledger, peer.party, entries)
        if (told.length > 0)
          await ask({ to: peer.party, kind: 'notify', body: { entries: told.map(toSent) }, attempts: 1 })
        await acknowledge(ledger, { party: peer.party, acknowledged: through })
        acknowledged = through
      }
      troubles.delete(peer.party)
    } catch (error) {
      const failures = (troubles.get(peer.party)?.failures ?? 0) + 1
      const pause = Math.min(longestPause, firstPause * 2 ** Math.min(failures, 10))
      troubles.set(peer.party, { failures, until: performance.now() + pause })
      const isAway = error instanceof Problem && error.code === 'unavailable'
      if (!isAway || failures === 1)
        log.warn({ err: error, node: ledger.node, party: peer.party }, 'notice not delivered')
    }
  }

  const behindAmong = async (parties: readonly string[]): Promise<readonly Peer[]> => {
    const { identity, node, records } = ledger
    const others = parties.filter(party => party !== identity().party)
    const head = await records.first(membershipNodes, { pk: node })
    return peersBehind(ledger, others, head?.sequence ?? 0)
  }

  const deliverAll = async (): Promise<void> => {
    const now = performance.now()
    const here = local()
    const reachable = [...map.all()].filter(({ name, address, key }) => (address && key) || here.includes(name))
    const behind = await behindAmong(reachable.map(({ name }) => name))
    const due = behind.filter(({ party }) => (troubles.get(party)?.until ?? 0) <= now)
    for (let from = 0; from < due.length; from += atOnce) {
      await Promise.all(due.slice(from, from + atOnce).map(deliverTo))
    }
  }

  const run = (): void => {
    if (!isStarted) return
    again = true
    running ??= (async () => {
      while (again && isStarted) {
        again = false
        await deliverAll().catch(error => log.warn({ err: error, node: ledger.node }, 'notices not delivered'))
      }
      running = null
    })()
  }

  return {
    wake: async () => {
      run()
      try {
        await Promise.all((await behindAmong(local())).map(deliverTo))
      } catch (error) {
        // The change itself is done; whoever was not told now is told later.
        log.warn({ err: error, node: ledger.node }, 'notices not delivered')
      }
    },
    hear: party => {
      troubles.delete(party)
      run()
    },
    start: () => {
      isStarted = true
      run()
      let ticks = 0
      const stopTicking = every(tick, { name: 'the delivery of notices', log }, () => {
        // Without trouble there is little to look for: a party that is new on the network map.
        if (troubles.size > 0 || ++ticks % 10 === 0) run()
      })
      return async () => {
        isStarted = false
        await stopTicking()
        await running
      }
    },
  }
}

const toSent = ({ signed: { entry, signature } }: Received): SignedEntry & { [member: string]: string } => ({
  entry,
  signature,
})

/** What a party may know: its own memberships, and those of the networks in which it is a member. */
const concerning = async (
  ledger: Ledger,
  party: string,
  entries: readonly Received[],
): Promise<readonly Received[]> => {
  const networks = activeNetworks(await membershipsOf(ledger, party, ledger.identity().party))
  return entries.filter(
    ({ state: { record } }) =>
      record.member === party || (concernsOthers(record.status) && networks.includes(record.networkID)),
  )
}

/** The next states of the node's own history, as many as fit into a message. */
const entriesAfter = async (ledger: Ledger, sequence: number): Promise<readonly Received[]> => {
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

export { toSent }
