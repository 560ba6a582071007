// The operator's side: the authority for its memberships. What a membership is, is what the operator has signed last.

import { type Json, Problem, type TransactionRecords } from 'plinth'
import { uuidv7 } from 'uuidv7'
import { membershipFault } from './faults.ts'
import type { Ledger, ReceivedState } from './ledger.ts'
import { type RecordMembershipEvent, toMembershipEvent } from './membership-event.ts'
import { type Act, admits, rulings } from './membership-states.ts'
import type { ReadMetadata } from './metadata-types.ts'
import type { NetworkMap } from './network-map.ts'
import type { Membership, RulingOrder, Selected } from './node.ts'
import { addPeer } from './peers.ts'
import { sha256, toCanonicalJson } from './state-entry.ts'

export interface OperatorParts {
  readonly ledger: Ledger
  readonly map: NetworkMap
  readonly readMetadata: ReadMetadata
  readonly clock: () => Date
  readonly audit: RecordMembershipEvent
  /** Is called after each change, when it is on disk. */
  readonly changed: () => Promise<void>
}

/** What a member asks of the operator. The sender is known from the message, never from its content. */
export interface Proposal {
  readonly act: 'request' | 'amend'
  readonly member: string
  readonly networkId: string | null
  readonly metadata: Json
  readonly operationId: string
  readonly actor: string
}

const maxBatch = 500

export class Operator {
  readonly #parts: OperatorParts

  constructor(parts: OperatorParts) {
    this.#parts = parts
  }

  /** Activates, suspends, declines or revokes memberships: all of them or none. */
  async rule(order: RulingOrder): Promise<readonly Membership[]> {
    if (order.memberships.length > maxBatch) throw new Problem('too_costly', `At most ${maxBatch} at once.`)
    const selected = order.memberships.map(one => this.#resolve(one))
    mustDiffer(selected)
    const known = toKnown(order, [order.ruling, ...selected.map(toJson)])
    const states = await this.#perform(known, async transaction => {
      const made: ReceivedState[] = []
      for (const one of selected) made.push(await this.#ruleOne(transaction, one, { ...known, ruling: order.ruling }))
      return made
    })
    return states.map(({ state }) => state.record)
  }

  /** A membership that a member requests or amends. */
  async propose(proposal: Proposal): Promise<ReceivedState> {
    const { ledger, readMetadata } = this.#parts
    const { act, member, networkId } = proposal
    const metadata = readMetadata(proposal.metadata)
    const order = { ...proposal, operationId: sha256(`${member}\n${proposal.operationId}`) }
    const known = toKnown(order, [act, networkId, metadata])
    const [made] = await this.#perform(known, async transaction => {
      const before = await ledger.get(transaction, { member, bno: this.#self, networkID: networkId })
      const after = act === 'request' ? this.#requested(before, proposal) : this.#amended(before, metadata)
      return [
        await this.#append(transaction, act, { record: { ...after, membershipMetadata: metadata }, order: known }),
      ]
    })
    if (!made) throw new Error('an order led to nothing')
    return made
  }

  get #self(): string {
    return this.#parts.ledger.identity().party
  }

  /** Performs an order once: the same order again returns the same result. */
  async #perform(
    order: KnownOrder,
    work: (transaction: TransactionRecords) => Promise<readonly ReceivedState[]>,
  ): Promise<readonly ReceivedState[]> {
    const { ledger, changed } = this.#parts
    const states = await ledger.records.transaction(async transaction => {
      await ledger.lockHead(transaction)
      return (await ledger.done(transaction, order.operationId, order.fingerprint)) ?? (await work(transaction))
    })
    await changed()
    return states
  }

  async #append(
    transaction: TransactionRecords,
    act: Act,
    { record, order }: { record: Membership; order: KnownOrder },
  ) {
    const { ledger, audit } = this.#parts
    const added = await ledger.append(transaction, { act, record, ...order })
    if (record.member !== record.bno)
      await addPeer(ledger, transaction, { party: record.member, acknowledged: added.state.sequence - 1 })
    await audit(transaction, toMembershipEvent(act, record, { node: ledger.node, actor: order.actor }))
    return added
  }

  async #ruleOne(
    transaction: TransactionRecords,
    selected: ResolvedSelection,
    order: KnownOrder & Pick<RulingOrder, 'ruling'>,
  ) {
    const { ledger, clock } = this.#parts
    const { member, networkId, reason, version } = selected
    const before = await ledger.get(transaction, { member, bno: this.#self, networkID: networkId })
    if (!before) throw new Problem('not_found', `${member} has no such membership.`)
    if (version !== null && version !== before.version)
      throw new Problem('stale', `The current version is ${before.version}.`)
    if (!admits(order.ruling, before.status))
      throw new Problem('conflict', `The membership is ${before.status}; it must be ${fromOf(order.ruling)}.`)
    const record = { ...next(before, clock()), status: rulings[order.ruling].to, reason }
    return this.#append(transaction, order.ruling, { record, order })
  }

  #resolve(selected: Selected): ResolvedSelection {
    const { map } = this.#parts
    if (selected.bno !== null && map.resolve(selected.bno, 'bno') !== this.#self)
      throw new Problem('forbidden', {
        en: 'Only the operator of a membership decides on it.',
        de: 'Über eine Mitgliedschaft entscheidet nur ihr Betreiber.',
      })
    return { ...selected, member: map.resolve(selected.member, 'member') }
  }

  #requested(before: Membership | null, proposal: Proposal): Membership {
    if (before) throw new Problem('conflict', `A membership already exists; it is ${before.status}.`)
    return newMembership(proposal, { bno: this.#self, now: this.#parts.clock() })
  }

  #amended(before: Membership | null, metadata: Json): Membership {
    if (!before)
      throw new Problem('not_found', {
        en: 'This membership does not exist.',
        de: 'Diese Mitgliedschaft gibt es nicht.',
      })
    if (before.status !== 'ACTIVE') throw new Problem('conflict', `The membership is ${before.status}, not ACTIVE.`)
    if (toCanonicalJson(before.membershipMetadata) === toCanonicalJson(metadata))
      throw new Problem('conflict', {
        en: 'The metadata has not changed.',
        de: 'Die Metadaten haben sich nicht geändert.',
      })
    return next(before, this.#parts.clock())
  }
}

interface ResolvedSelection extends Selected {
  /** The canonical name. */
  readonly member: string
}

/** An order as the ledger recognizes it. */
interface KnownOrder {
  readonly operationId: string
  readonly fingerprint: string
  readonly actor: string
}

const toKnown = ({ operationId, actor }: { operationId: string; actor: string }, content: Json): KnownOrder => ({
  operationId,
  actor,
  fingerprint: sha256(toCanonicalJson(content)),
})

const toJson = ({ member, networkId, reason, version }: ResolvedSelection): Json => ({
  member,
  networkId,
  reason,
  version,
})

const fromOf = (ruling: keyof typeof rulings): string => rulings[ruling].from.join(' or ')

const next = (before: Membership, now: Date): Membership => ({
  ...before,
  modified: now.toISOString(),
  version: before.version + 1,
})

const newMembership = (
  { member, networkId }: Proposal,
  { bno, now }: { readonly bno: string; readonly now: Date },
): Membership => ({
  member,
  bno,
  membershipMetadata: null,
  networkID: networkId,
  status: 'PENDING',
  issued: now.toISOString(),
  modified: now.toISOString(),
  linearId: uuidv7(),
  participants: [...new Set([member, bno])],
  reason: null,
  version: 1,
})

const mustDiffer = (selected: readonly ResolvedSelection[]): void => {
  const keys = selected.map(({ member, networkId }) => toCanonicalJson([member, networkId]))
  const twice = keys.findIndex((key, index) => keys.indexOf(key) < index)
  if (twice < 0) return
  const errors = [{ pointer: `/${twice}`, ...membershipFault('named_twice') }]
  throw new Problem('unprocessable', {
    detail: { en: 'A membership is listed twice.', de: 'Eine Mitgliedschaft ist doppelt aufgeführt.' },
    errors,
  })
}
