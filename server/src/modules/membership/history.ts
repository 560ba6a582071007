// How a membership came to be what it is: the signed states that the node keeps of it, each checked anew.

import type { KeyObject } from 'node:crypto'
import type { StoredRecord } from '../../core/model/record.ts'
import { Problem } from '../../core/problem.ts'
import { entryPk, type Ledger, toReceived } from './ledger.ts'
import type { HistoryEntry } from './node.ts'
import { among, where } from './queries.ts'
import { openEntry, sha256 } from './state-entry.ts'

/** The public key of an operator; undefined when it is not known. */
type KeyOf = (party: string) => KeyObject | null | undefined

/** Oldest first; 404 when the node knows no such membership. */
export const historyOf = async (ledger: Ledger, linearId: string, keyOf: KeyOf): Promise<readonly HistoryEntry[]> => {
  const { node, store, tables } = ledger
  const memberships = await store.find(tables.memberships, where(tables.memberships, { node, linearId }))
  const [membership] = memberships.records
  if (!membership) throw new Problem('not_found', 'The node knows no such membership.')
  const query = where(tables.entries, { node, membership: membership.pk })
  // By pk the states stand in their order. Of very many, the latest ones matter.
  const latestFirst = query.sort.map(key => ({ ...key, descending: true }))
  const { records } = await store.find(tables.entries, { ...query, sort: latestFirst })
  const before = await statesBefore(ledger, records)
  return records
    .toReversed()
    .map(row => toEntry(row, before.get((row.sequence as number) - 1), keyOf(row.bno as string)))
}

/** The hashes of the states right before these, by their place; a member's node does not keep all of them. */
const statesBefore = async (
  { node, store, tables: { entries } }: Ledger,
  rows: readonly StoredRecord[],
): Promise<ReadonlyMap<number, string>> => {
  const pks = rows.map(row => entryPk(node, row.bno as string, (row.sequence as number) - 1))
  const { records } = await store.find(entries, among(entries, 'pk', pks))
  return new Map([[0, ''], ...records.map(row => [row.sequence as number, row.hash as string] as const)])
}

const toEntry = (row: StoredRecord, before: string | undefined, key: KeyObject | null | undefined): HistoryEntry => {
  const { signed, state } = toReceived(row)
  const { sequence, previous, act, record } = state
  const isSigned = key ? openEntry(signed, key) !== undefined && sha256(signed.entry) === row.hash : null
  return {
    sequence,
    act,
    record,
    signer: row.bno as string,
    signature: signed.signature,
    hash: row.hash as string,
    previous,
    isSigned,
    isLinked: before === undefined ? null : before === previous,
  }
}
