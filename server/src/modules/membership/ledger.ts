// What one node keeps of memberships. An operator appends to its own signed history; a member takes over what operators
// have signed. Either way the row of a membership is the record of its latest state, and the states themselves are kept.

import type { StoredRecord, Values } from '../../core/model/record.ts'
import type { Registry } from '../../core/model/registry.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Reader, Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import type { Store } from '../../core/store/store.ts'
import type { Membership } from './node.ts'
import type { NodeKey } from './node-key.ts'
import { among, where } from './queries.ts'
import { membershipKey, type SignedEntry, type StateEntry, sha256, signEntry } from './state-entry.ts'
import type { Act, Status } from './states.ts'

export interface LedgerParts {
  /** The configured name of the node: everything it keeps bears it. */
  readonly node: string
  readonly store: Store
  readonly registry: Registry
  readonly key: NodeKey
}

export interface Tables {
  readonly memberships: Resource
  readonly entries: Resource
  readonly nodes: Resource
  readonly peers: Resource
  readonly nonces: Resource
}

export const tablesOf = (registry: Registry): Tables => ({
  memberships: registry.resource('memberships'),
  entries: registry.resource('membershipEntries'),
  nodes: registry.resource('membershipNodes'),
  peers: registry.resource('membershipPeers'),
  nonces: registry.resource('membershipNonces'),
})

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

export const toMembership = (row: StoredRecord): Membership => ({
  member: row.member as string,
  bno: row.bno as string,
  membershipMetadata: row.membershipMetadata as Membership['membershipMetadata'],
  networkID: row.networkID as string | null,
  status: row.status as Status,
  issued: row.issued as string,
  modified: row.modified as string,
  linearId: row.linearId as string,
  participants: row.participants as readonly string[],
  reason: row.reason as string | null,
  version: row.revision as number,
})

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
  const tables = tablesOf(registry)
  const rowPk = ({ member, bno, networkID }: Pick<Membership, 'member' | 'bno' | 'networkID'>): string =>
    `${node}.${membershipKey(member, bno, networkID)}`

  /** The row of the node itself; made at the first start. Another key than at that time is refused. */
  const prepare = (): Promise<void> =>
    store.transaction(async tx => {
      const { party, publicKey } = await key.load(tx)
      await tx.ensure(tables.nodes, node, { partyName: party, publicKey, sequence: 0, head: '' })
      const known = await tx.lock(tables.nodes, node)
      if (known?.publicKey !== publicKey || known.partyName !== party)
        throw new Problem(
          'unavailable',
          `The ledger of node '${node}' belongs to ${known?.partyName} with another key than the one that is kept for it.`,
        )
    })

  /** Holds the end of the history, so that changes come one after the other. */
  const holdHead = async (tx: Transaction): Promise<{ sequence: number; hash: string }> => {
    const head = await tx.lock(tables.nodes, node)
    if (!head) throw new Error(`node '${node}' was not prepared`)
    return { sequence: head.sequence as number, hash: head.head as string }
  }

  const writeRow = async (tx: Transaction, record: Membership, sequence: number): Promise<void> => {
    const pk = rowPk(record)
    const row = toRow(node, record, sequence)
    const updated = record.version > 1 ? await tx.update(tables.memberships, pk, row) : null
    if (!updated) await tx.insert(tables.memberships, pk, row)
  }

  const append = async (tx: Transaction, { act, record, operationId, fingerprint }: NewState): Promise<Received> => {
    const { sequence: last, hash: previous } = await holdHead(tx)
    const sequence = last + 1
    const { party: bno } = identity()
    const state: StateEntry = { bno, sequence, previous, act, record }
    const signed = signEntry(state, identity())
    const hash = sha256(signed.entry)
    const kept = { ...signed, node, bno, sequence, hash, membership: rowPk(record), operationId, fingerprint }
    await tx.insert(tables.entries, entryPk(node, bno, sequence), kept)
    await writeRow(tx, record, sequence)
    await tx.update(tables.nodes, node, { sequence, head: hash })
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
      const latest = new Map<string, Values>()
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
        values: { ...signed, node, bno, sequence, hash: sha256(signed.entry), membership },
      }))
      await tx.insertAll(tables.entries, entries)
      const written = [...latest].map(([pk, values]) => ({ pk, values }))
      await tx.insertAll(
        tables.memberships,
        written.filter(({ pk }) => !wereThere.has(pk)),
      )
      for (const { pk, values } of written) if (wereThere.has(pk)) await tx.update(tables.memberships, pk, values)
      await settle(changes, tx)
      return changes
    })

  /** What is kept of an operator's states of these numbers: enough to know them again. */
  const marksOf = async (reader: Reader, bno: string, sequences: readonly number[]) => {
    const pks = [...new Set(sequences)].map(sequence => entryPk(node, bno, sequence))
    if (pks.length === 0) return new Map<number, Mark>()
    const { records } = await reader.find(tables.entries, among(tables.entries, 'pk', pks))
    return new Map(
      records.map(row => [row.sequence as number, { hash: row.hash as string, signature: row.signature as string }]),
    )
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
    const { records } = await tx.find(tables.memberships, among(tables.memberships, 'pk', [...new Set(pks)]))
    return new Map(records.map(row => [row.pk, toMembership(row)]))
  }

  /** The states that an order led to when it came before. */
  const done = async (tx: Reader, operationId: string, fingerprint: string): Promise<readonly Received[] | null> => {
    const { records } = await tx.find(tables.entries, where(tables.entries, { node, operationId }))
    if (records.length === 0) return null
    if (records.some(row => row.fingerprint !== fingerprint))
      throw new Problem('key_reused', 'The key was used with another order.')
    return records.map(toReceived)
  }

  const get = async (
    reader: Reader,
    which: Pick<Membership, 'member' | 'bno' | 'networkID'>,
  ): Promise<Membership | null> => {
    const row = await reader.get(tables.memberships, rowPk(which))
    return row && toMembership(row)
  }

  /** The present signed states of some rows, in their order. */
  const statesOf = async (rows: readonly StoredRecord[]): Promise<readonly Received[]> => {
    const pks = rows.map(row => entryPk(node, row.bno as string, row.sequence as number))
    const { records } = await store.find(tables.entries, among(tables.entries, 'pk', pks))
    const byPk = new Map(records.map(row => [row.pk, row]))
    return pks.flatMap(pk => {
      const row = byPk.get(pk)
      return row ? [toReceived(row)] : []
    })
  }

  const keptAt: KeptAt = (bno, sequences) => marksOf(store, bno, sequences)

  return { node, tables, store, identity, prepare, holdHead, append, receive, keptAt, done, get, statesOf }
}

/** A membership that another state of it has replaced. */
export interface Change {
  readonly before: Membership | null
  readonly after: Membership
}

export const toReceived = (row: StoredRecord): Received => ({
  signed: { entry: row.entry as string, signature: row.signature as string },
  state: JSON.parse(row.entry as string) as StateEntry,
})
