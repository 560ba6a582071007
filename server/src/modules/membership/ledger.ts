// What one node keeps of memberships. An operator appends to its own signed history; a member takes over what operators
// have signed. Either way the row of a membership is the record of its latest state, and the states themselves are kept.

import type { Registry } from '../../core/model/registry.ts'
import type { Reader, Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { readerOf } from '../../core/records/reader.ts'
import { recordsIn, serviceRecords } from '../../core/records/records.ts'
import type { Store } from '../../core/store/store.ts'
import type { Membership } from './node.ts'
import type { NodeKey } from './node-key.ts'
import { membershipKey, type SignedEntry, type StateEntry, sha256, signEntry } from './state-entry.ts'
import type { Act } from './states.ts'
import { type EntryRow, type MembershipRow, membershipEntries, membershipNodes, memberships } from './tables.ts'

export interface LedgerParts {
  /** The configured name of the node: everything it keeps bears it. */
  readonly node: string
  readonly store: Store
  readonly registry: Registry
  readonly key: NodeKey
}

export interface NewState {
  readonly act: Act
  readonly record: Membership
  readonly operationId: string
  readonly fingerprint: string
}

export interface Received {
  readonly signed: SignedEntry
  readonly state: StateEntry
}

/** What tells a state that is kept from another one of the same number. */
export interface Mark {
  readonly hash: string
  readonly signature: string
}

/** The marks of the operator's states of these numbers, as far as they are kept. */
export type KeptAt = (operator: string, sequences: readonly number[]) => Promise<ReadonlyMap<number, Mark>>

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
  `${node}.${sha256(bno).slice(0, 16)}.${String(sequence).padStart(15, '0')}`

export const peerPk = (node: string, party: string): string => `${node}.${sha256(party).slice(0, 40)}`

export type Ledger = ReturnType<typeof createLedger>

export const createLedger = ({ node, store, registry, key }: LedgerParts) => {
  const { identity } = key
  const records = serviceRecords({ store, clock: () => new Date() })
  const rowPk = ({ member, bno, networkID }: Pick<Membership, 'member' | 'bno' | 'networkID'>): string =>
    `${node}.${membershipKey(member, bno, networkID)}`

  /** The row of the node itself; made at the first start. Another key than at that time is refused. */
  const prepare = (): Promise<void> =>
    records.transaction(async own => {
      const { party, publicKey } = await key.load(own)
      await own.ensure(membershipNodes, { pk: node, partyName: party, publicKey, sequence: 0, head: '' })
      const known = await own.lock(membershipNodes, node)
      if (known?.publicKey !== publicKey || known.partyName !== party)
        throw new Problem(
          'unavailable',
          `The ledger of node '${node}' belongs to ${known?.partyName} with another key than the one that is kept for it.`,
        )
    })

  /** Holds the end of the history, so that changes come one after the other. */
  const holdHead = async (tx: Transaction): Promise<{ sequence: number; hash: string }> => {
    const row = await recordsIn(tx).lock(membershipNodes, node)
    if (!row) throw new Error(`node '${node}' was not prepared`)
    return { sequence: row.sequence, hash: row.head }
  }

  const writeRow = async (tx: Transaction, record: Membership, sequence: number): Promise<void> => {
    const pk = rowPk(record)
    const row = toRow(node, record, sequence)
    const count = record.version > 1 ? await recordsIn(tx).updateWhere(memberships, { pk }, row) : 0
    if (count === 0) await recordsIn(tx).create(memberships, { pk, ...row })
  }

  const append = async (tx: Transaction, { act, record, operationId, fingerprint }: NewState): Promise<Received> => {
    const { sequence: last, hash: previous } = await holdHead(tx)
    const sequence = last + 1
    const { party: bno } = identity()
    const state: StateEntry = { bno, sequence, previous, act, record }
    const signed = signEntry(state, identity())
    const hash = sha256(signed.entry)
    const kept = { ...signed, node, bno, sequence, hash, membership: rowPk(record), operationId, fingerprint }
    await recordsIn(tx).create(membershipEntries, { pk: entryPk(node, bno, sequence), ...kept })
    await writeRow(tx, record, sequence)
    await recordsIn(tx).update(membershipNodes, node, { sequence, head: hash })
    return { signed, state }
  }

  /** Takes over states that an operator signed; older ones than known change nothing. `settle` is part of the work. */
  const receive = (
    bno: string,
    received: readonly Received[],
    settle: (changes: readonly Change[], tx: Transaction) => Promise<void>,
  ): Promise<readonly Change[]> =>
    store.transaction(async tx => {
      // What comes by a notice and what was asked for may come at the same time: one after the other.
      await holdHead(tx)
      const news = (await unknownOf(tx, bno, received)).map(one => ({ ...one, membership: rowPk(one.state.record) }))
      const rows = await rowsOf(
        tx,
        news.map(({ membership }) => membership),
      )
      const wereThere = new Set(rows.keys())
      const latest = new Map<string, ReturnType<typeof toRow>>()
      const changes: Change[] = []
      for (const { state, membership } of news) {
        const { sequence, record } = state
        const before = rows.get(membership) ?? null
        if (before && before.version >= record.version) continue
        rows.set(membership, record)
        latest.set(membership, toRow(node, record, sequence))
        changes.push({ before, after: record })
      }
      const entries = news.map(({ signed, state: { sequence }, membership }) => ({
        pk: entryPk(node, bno, sequence),
        ...{ ...signed, node, bno, sequence, hash: sha256(signed.entry), membership },
      }))
      const own = recordsIn(tx)
      await own.createAll(membershipEntries, entries)
      const isNew = ([pk]: readonly [string, unknown]) => !wereThere.has(pk)
      await own.createAll(
        memberships,
        [...latest].filter(isNew).map(([pk, row]) => ({ pk, ...row })),
      )
      for (const [pk, row] of latest) if (wereThere.has(pk)) await own.update(memberships, pk, row)
      await settle(changes, tx)
      return changes
    })

  /** What is kept of an operator's states of these numbers: enough to know them again. */
  const marksOf = async (reader: Reader, bno: string, sequences: readonly number[]) => {
    const pks = [...new Set(sequences)].map(sequence => entryPk(node, bno, sequence))
    if (pks.length === 0) return new Map<number, Mark>()
    const kept = await readerOf(reader).find(membershipEntries, { where: { pk: { in: pks } }, limit: pks.length })
    return new Map(kept.map(({ sequence, hash, signature }) => [sequence, { hash, signature }]))
  }

  const unknownOf = async (tx: Reader, bno: string, received: readonly Received[]): Promise<readonly Received[]> => {
    const sequences = received.map(({ state }) => state.sequence)
    const kept = await marksOf(tx, bno, sequences)
    const hashes = new Map([...kept].map(([sequence, { hash }]) => [sequence, hash]))
    return received.filter(({ signed, state: { sequence } }) => {
      const known = hashes.get(sequence)
      const hash = sha256(signed.entry)
      hashes.set(sequence, known ?? hash)
      if (known !== undefined && known !== hash)
        throw new Problem('conflict', `${bno} has signed two different states as number ${sequence}.`)
      return known === undefined
    })
  }

  const rowsOf = async (tx: Reader, pks: readonly string[]): Promise<Map<string, Membership>> => {
    const some = [...new Set(pks)]
    const rows = await readerOf(tx).find(memberships, { where: { pk: { in: some } }, limit: Math.max(1, some.length) })
    return new Map(rows.map(row => [row.pk, toMembership(row)]))
  }

  /** The states that an order led to when it came before. */
  const done = async (tx: Reader, operationId: string, fingerprint: string): Promise<readonly Received[] | null> => {
    const entries = await readerOf(tx).find(membershipEntries, { where: { node, operationId } })
    if (entries.length === 0) return null
    if (entries.some(row => row.fingerprint !== fingerprint))
      throw new Problem('key_reused', 'The key was used with another order.')
    return entries.map(toReceived)
  }

  const get = async (
    reader: Reader,
    which: Pick<Membership, 'member' | 'bno' | 'networkID'>,
  ): Promise<Membership | null> => {
    const row = await readerOf(reader).first(memberships, { pk: rowPk(which) })
    return row && toMembership(row)
  }

  /** The present signed states of some rows, in their order. */
  const statesOf = async (rows: readonly MembershipRow[]): Promise<readonly Received[]> => {
    const pks = rows.map(row => entryPk(node, row.bno, row.sequence))
    const entries = await records.find(membershipEntries, {
      where: { pk: { in: pks } },
      limit: Math.max(1, pks.length),
    })
    const byPk = new Map(entries.map(row => [row.pk, row]))
    return pks.flatMap(pk => {
      const row = byPk.get(pk)
      return row ? [toReceived(row)] : []
    })
  }

  const keptAt: KeptAt = (bno, sequences) => marksOf(store, bno, sequences)

  return { node, registry, records, store, identity, prepare, holdHead, append, receive, keptAt, done, get, statesOf }
}

/** A membership that another state of it has replaced. */
export interface Change {
  readonly before: Membership | null
  readonly after: Membership
}

export const toReceived = ({ entry, signature }: EntryRow): Received => ({
  signed: { entry, signature },
  state: JSON.parse(entry) as StateEntry,
})
