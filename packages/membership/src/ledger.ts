// The ledger of one node. An operator appends to its own signed history; a member copies what operators have signed. Either
// way the row of a membership is its latest state, and the states themselves are kept.

import { Problem, type RecordReader, type Records, type TransactionRecords } from 'plinth'
import type { Identity } from './identity.ts'
import type { Act } from './membership-states.ts'
import type { Membership } from './node.ts'
import type { NodeKey } from './node-key.ts'
import { membershipKey, parseEntry, type SignedEntry, type StateEntry, sha256, signEntry } from './state-entry.ts'
import { type EntryRow, type MembershipRow, membershipEntries, membershipNodes, memberships } from './tables.ts'

export interface LedgerParts {
  /** The configured name of the node; all its rows have it. */
  readonly node: string
  /** The service's own. */
  readonly records: Records
  readonly key: NodeKey
}

export interface NewState {
  readonly act: Act
  readonly record: Membership
  readonly operationId: string
  readonly fingerprint: string
}

export interface ReceivedState {
  readonly signed: SignedEntry
  readonly state: StateEntry
}

/** Tells a stored state from another one with the same number. */
export interface Mark {
  readonly hash: string
  readonly signature: string
}

export const toMembership = (row: MembershipRow): Membership => {
  const { member, bno, membershipMetadata, networkID, status, issued, modified, linearId, participants, reason } = row
  return {
    ...{ member, bno, membershipMetadata, networkID, status, issued, modified, linearId, reason },
    participants: participants ?? [],
    version: row.revision,
  }
}

const toRow = (node: string, { version, ...record }: Membership, sequence: number) => ({
  ...record,
  node,
  revision: version,
  sequence,
})

export const entryPk = (node: string, bno: string, sequence: number): string =>
  `${node}.${sha256(bno).slice(0, 16)}.${sequence.toString().padStart(15, '0')}`

export const peerPk = (node: string, party: string): string => `${node}.${sha256(party).slice(0, 40)}`

type MembershipId = Pick<Membership, 'member' | 'bno' | 'networkID'>

export class Ledger {
  readonly node: string
  readonly records: Records
  readonly identity: () => Identity
  readonly #key: NodeKey

  constructor({ node, records, key }: LedgerParts) {
    this.node = node
    this.records = records
    this.identity = key.identity
    this.#key = key
  }

  /** The row of the node itself; created at the first start. Another key than at that time is refused. */
  prepare(): Promise<void> {
    const { node } = this
    return this.records.transaction(async own => {
      const { party, publicKey } = await this.#key.load(own)
      await own.ensure(membershipNodes, { pk: node, partyName: party, publicKey, sequence: 0, head: '' })
      const known = await own.lock(membershipNodes, node)
      if (known?.publicKey !== publicKey || known.partyName !== party)
        throw new Problem(
          'unavailable',
          `The ledger of node '${node}' belongs to ${known?.partyName} with another key than the one that is kept for it.`,
        )
    })
  }

  /** Locks the end of the history, so that changes come one after the other. */
  async lockHead(transaction: TransactionRecords): Promise<{ sequence: number; hash: string }> {
    const row = await transaction.lock(membershipNodes, this.node)
    if (!row) throw new Error(`node '${this.node}' was not prepared`)
    return { sequence: row.sequence, hash: row.head }
  }

  /** Adds a signed state to the node's own history. */
  async append(
    transaction: TransactionRecords,
    { act, record, operationId, fingerprint }: NewState,
  ): Promise<ReceivedState> {
    const { node } = this
    const { sequence: last, hash: previous } = await this.lockHead(transaction)
    const sequence = last + 1
    const { party: bno } = this.identity()
    const state: StateEntry = { bno, sequence, previous, act, record }
    const signed = signEntry(state, this.identity())
    const hash = sha256(signed.entry)
    const entry = { ...signed, node, bno, sequence, hash, membership: this.#rowPk(record), operationId, fingerprint }
    await transaction.create(membershipEntries, { pk: entryPk(node, bno, sequence), ...entry })
    await this.#writeRow(transaction, record, sequence)
    await transaction.update(membershipNodes, node, { sequence, head: hash })
    return { signed, state }
  }

  /** Copies states that an operator signed; those that are older than known change nothing. `within` is part of the transaction. */
  receive(
    bno: string,
    received: readonly ReceivedState[],
    follow: (changes: readonly MembershipChange[], transaction: TransactionRecords) => Promise<void>,
  ): Promise<readonly MembershipChange[]> {
    return this.records.transaction(async transaction => {
      // A notice and an answer may come at the same time: one after the other.
      await this.lockHead(transaction)
      const unknown = (await this.#unknownOf(transaction, bno, received)).map(one => ({
        ...one,
        membership: this.#rowPk(one.state.record),
      }))
      const rows = await rowsByPk(
        transaction,
        unknown.map(({ membership }) => membership),
      )
      const existing = new Set(rows.keys())
      const latest = new Map<string, ReturnType<typeof toRow>>()
      const changes: MembershipChange[] = []
      for (const { state, membership } of unknown) {
        const { sequence, record } = state
        const before = rows.get(membership) ?? null
        if (before && before.version >= record.version) continue
        rows.set(membership, record)
        latest.set(membership, toRow(this.node, record, sequence))
        changes.push({ before, after: record })
      }
      await transaction.createMany(
        membershipEntries,
        unknown.map(one => this.#toEntry(bno, one)),
      )
      const added = [...latest].filter(([pk]) => !existing.has(pk))
      await transaction.createMany(
        memberships,
        added.map(([pk, row]) => ({ pk, ...row })),
      )
      for (const [pk, row] of latest) if (existing.has(pk)) await transaction.update(memberships, pk, row)
      await follow(changes, transaction)
      return changes
    })
  }

  /** The marks of an operator's states of these numbers, as far as the node has them. */
  marksOf(bno: string, sequences: readonly number[]): Promise<ReadonlyMap<number, Mark>> {
    return this.#marksOf(this.records, bno, sequences)
  }

  /** The states that an order led to when it came before. */
  async done(reader: RecordReader, operationId: string, fingerprint: string): Promise<readonly ReceivedState[] | null> {
    const entries = await reader.find(membershipEntries, { where: { node: this.node, operationId } })
    if (entries.length === 0) return null
    if (entries.some(row => row.fingerprint !== fingerprint))
      throw new Problem('key_reused', 'The key was already used with another order.')
    return entries.map(toReceived)
  }

  async get(reader: RecordReader, id: MembershipId): Promise<Membership | null> {
    const row = await reader.first(memberships, { where: { pk: this.#rowPk(id) } })
    return row && toMembership(row)
  }

  /** The present signed states of some rows, in their order. */
  async statesOf(rows: readonly MembershipRow[]): Promise<readonly ReceivedState[]> {
    const pks = rows.map(row => entryPk(this.node, row.bno, row.sequence))
    const entries = await this.records.find(membershipEntries, {
      where: { pk: { in: pks } },
      limit: Math.max(1, pks.length),
    })
    const byPk = new Map(entries.map(row => [row.pk, row]))
    return pks.flatMap(pk => {
      const row = byPk.get(pk)
      return row ? [toReceived(row)] : []
    })
  }

  #rowPk({ member, bno, networkID }: MembershipId): string {
    return `${this.node}.${membershipKey(member, bno, networkID)}`
  }

  #toEntry(bno: string, { signed, state: { sequence }, membership }: ReceivedState & { readonly membership: string }) {
    const { node } = this
    return {
      pk: entryPk(node, bno, sequence),
      ...{ ...signed, node, bno, sequence, hash: sha256(signed.entry), membership },
    }
  }

  async #writeRow(transaction: TransactionRecords, record: Membership, sequence: number): Promise<void> {
    const pk = this.#rowPk(record)
    const row = toRow(this.node, record, sequence)
    const count = record.version > 1 ? await transaction.updateMany(memberships, { where: { pk } }, row) : 0
    if (count === 0) await transaction.create(memberships, { pk, ...row })
  }

  async #marksOf(reader: RecordReader, bno: string, sequences: readonly number[]): Promise<Map<number, Mark>> {
    const pks = [...new Set(sequences)].map(sequence => entryPk(this.node, bno, sequence))
    if (pks.length === 0) return new Map()
    const entries = await reader.find(membershipEntries, { where: { pk: { in: pks } }, limit: pks.length })
    return new Map(entries.map(({ sequence, hash, signature }) => [sequence, { hash, signature }]))
  }

  async #unknownOf(
    reader: RecordReader,
    bno: string,
    received: readonly ReceivedState[],
  ): Promise<readonly ReceivedState[]> {
    const sequences = received.map(({ state }) => state.sequence)
    const marks = await this.#marksOf(reader, bno, sequences)
    const hashes = new Map([...marks].map(([sequence, { hash }]) => [sequence, hash]))
    return received.filter(({ signed, state: { sequence } }) => {
      const known = hashes.get(sequence)
      const hash = sha256(signed.entry)
      hashes.set(sequence, known ?? hash)
      if (known !== undefined && known !== hash)
        throw new Problem('conflict', `${bno} has signed two different states as number ${sequence}.`)
      return known === undefined
    })
  }
}

const rowsByPk = async (reader: RecordReader, pks: readonly string[]): Promise<Map<string, Membership>> => {
  const some = [...new Set(pks)]
  const rows = await reader.find(memberships, { where: { pk: { in: some } }, limit: Math.max(1, some.length) })
  return new Map(rows.map(row => [row.pk, toMembership(row)]))
}

/** A new state of a membership, and the one before it. */
export interface MembershipChange {
  readonly before: Membership | null
  readonly after: Membership
}

export const toReceived = ({ entry, signature }: EntryRow): ReceivedState => ({
  signed: { entry, signature },
  state: parseEntry(entry),
})
