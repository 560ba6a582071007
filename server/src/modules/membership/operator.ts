// The operator's side: the authority for its memberships. What a membership is, is what the operator has signed last.

import { uuidv7 } from 'uuidv7'
import type { Json } from '../../core/model/json.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { toCanonicalJson } from './canonical-json.ts'
import { membershipFault } from './faults.ts'
import type { Ledger, Received } from './ledger.ts'
import type { ReadMetadata } from './metadata-types.ts'
import type { NetworkMap } from './network-map.ts'
import type { Membership, RulingOrder, Selected } from './node.ts'
import { addPeer } from './peers.ts'
import { sha256 } from './state-entry.ts'
import { type Act, admits, rulings } from './states.ts'

/** Every change, told in its own transaction. */
export type Audit = (tx: Transaction, event: AuditEvent) => Promise<void>

export interface AuditEvent {
  readonly act: Act
  readonly principal: string
  readonly data: Readonly<Record<string, string>>
}

export const toAuditEvent = (
  act: Act,
  { member, bno, networkID, status, reason, version }: Membership,
  { node, actor }: { readonly node: string; readonly actor: string },
): AuditEvent => ({
  act,
  principal: actor,
  data: {
    node,
    member,
    bno,
    status,
    version: String(version),
    ...(networkID !== null && { networkID }),
    ...(reason !== null && { reason }),
  },
})

export interface OperatorParts {
  readonly ledger: Ledger
  readonly map: NetworkMap
  readonly readMetadata: ReadMetadata
  readonly clock: () => Date
  readonly audit: Audit
  /** Called after each change, when it is on disk. */
  readonly changed: () => Promise<void>
}

/** What a member asks of the operator; who asks is known from the message, never from its content. */
export interface Proposal {
  readonly act: 'request' | 'amend'
  readonly member: string
  readonly networkId: string | null
  readonly metadata: Json
  readonly operationId: string
  readonly actor: string
}

export type Operator = ReturnType<typeof createOperator>

const maxBatch = 500

export const createOperator = ({ ledger, map, readMetadata, clock, audit, changed }: OperatorParts) => {
  const self = (): string => ledger.identity().party

  const append = async (tx: Transaction, act: Act, { record, order }: { record: Membership; order: Known }) => {
    const added = await ledger.append(tx, { act, record, ...order })
    if (record.member !== record.bno)
      await addPeer(ledger, tx, { party: record.member, acknowledged: added.state.sequence - 1 })
    await audit(tx, toAuditEvent(act, record, { node: ledger.node, actor: order.actor }))
    return added
  }

  /** Once: the same order again gives what it gave the first time. */
  const perform = async (
    order: Known,
    work: (tx: Transaction) => Promise<readonly Received[]>,
  ): Promise<readonly Received[]> => {
    const states = await ledger.store.transaction(async tx => {
      await ledger.holdHead(tx)
      return (await ledger.done(tx, order.operationId, order.fingerprint)) ?? (await work(tx))
    })
    await changed()
    return states
  }

  const ruleOne = async (tx: Transaction, selected: Resolved, order: Known & Pick<RulingOrder, 'ruling'>) => {
    const { member, networkId, reason, version } = selected
    const before = await ledger.get(tx, { member, bno: self(), networkID: networkId })
    if (!before) throw new Problem('not_found', `${member} has no such membership.`)
    if (version !== null && version !== before.version)
      throw new Problem('stale', `The present version is ${before.version}.`)
    if (!admits(order.ruling, before.status))
      throw new Problem('conflict', `The membership is ${before.status}; it must be ${fromOf(order.ruling)}.`)
    const record = { ...next(before, clock()), status: rulings[order.ruling].to, reason }
    return append(tx, order.ruling, { record, order })
  }

  const resolve = (selected: Selected): Resolved => {
    if (selected.bno !== null && map.resolve(selected.bno, 'bno') !== self())
      throw new Problem('forbidden', 'Only the operator of a membership decides on it.')
    return { ...selected, member: map.resolve(selected.member, 'member') }
  }

  const rule = async (order: RulingOrder): Promise<readonly Membership[]> => {
    if (order.memberships.length > maxBatch) throw new Problem('too_costly', `At most ${maxBatch} at once.`)
    const selected = order.memberships.map(resolve)
    mustDiffer(selected)
    const known = toKnown(order, [order.ruling, ...selected.map(toJson)])
    const states = await perform(known, async tx => {
      const made: Received[] = []
      for (const one of selected) made.push(await ruleOne(tx, one, { ...known, ruling: order.ruling }))
      return made
    })
    return states.map(({ state }) => state.record)
  }

  const requested = (before: Membership | null, proposal: Proposal): Membership => {
    if (before) throw new Problem('conflict', `There is a membership already; it is ${before.status}.`)
    return newMembership(proposal, { bno: self(), now: clock() })
  }

  const amended = (before: Membership | null, metadata: Json): Membership => {
    if (!before) throw new Problem('not_found', 'There is no such membership.')
    if (before.status !== 'ACTIVE') throw new Problem('conflict', `The membership is ${before.status}, not ACTIVE.`)
    if (toCanonicalJson(before.membershipMetadata) === toCanonicalJson(metadata))
      throw new Problem('conflict', 'The metadata is as it was.')
    return next(before, clock())
  }

  const propose = async (proposal: Proposal): Promise<Received> => {
    const { act, member, networkId } = proposal
    const metadata = readMetadata(proposal.metadata)
    const order = { ...proposal, operationId: sha256(`${member}\n${proposal.operationId}`) }
    const known = toKnown(order, [act, networkId, metadata])
    const [made] = await perform(known, async tx => {
      const before = await ledger.get(tx, { member, bno: self(), networkID: networkId })
      const after = act === 'request' ? requested(before, proposal) : amended(before, metadata)
      return [await append(tx, act, { record: { ...after, membershipMetadata: metadata }, order: known })]
    })
    if (!made) throw new Error('an order led to nothing')
    return made
  }

  return { rule, propose }
}

interface Resolved extends Selected {
  /** The canonical name. */
  readonly member: string
}

/** An order as the ledger knows it again. */
interface Known {
  readonly operationId: string
  readonly fingerprint: string
  readonly actor: string
}

const toKnown = ({ operationId, actor }: { operationId: string; actor: string }, content: Json): Known => ({
  operationId,
  actor,
  fingerprint: sha256(toCanonicalJson(content)),
})

const toJson = ({ member, networkId, reason, version }: Resolved): Json => ({ member, networkId, reason, version })

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

const mustDiffer = (selected: readonly Resolved[]): void => {
  const keys = selected.map(({ member, networkId }) => toCanonicalJson([member, networkId]))
  const twice = keys.findIndex((key, index) => keys.indexOf(key) < index)
  if (twice < 0) return
  const errors = [{ pointer: `/${twice}`, ...membershipFault('named_twice') }]
  throw new Problem('unprocessable', { detail: 'A membership is named twice.', errors })
}
