// How a membership came to be what it is: the signed states that the node keeps of it, each verified again.

import type { KeyObject } from 'node:crypto'
import { Problem } from 'plinth'
import { entryPk, type Ledger, toReceived } from './ledger.ts'
import type { HistoryEntry } from './node.ts'
import { openEntry, sha256 } from './state-entry.ts'
import { type EntryRow, membershipEntries, memberships } from './tables.ts'

const mostStates = 500

/** The public key of an operator; undefined when it is not known. */
type KeyOf = (party: string) => KeyObject | null | undefined

/** Oldest first; 404 when the node knows no such membership. */
export const historyOf = async (ledger: Ledger, linearId: string, keyOf: KeyOf): Promise<readonly HistoryEntry[]> => {
  const { node, records } = ledger
  const membership = await records.first(memberships, { where: { node, linearId } })
  if (!membership) throw new Problem('not_found', 'This membership does not exist on the node.')
  // By pk the states stand in their order. Of very many, the latest ones matter.
  const where = { node, membership: membership.pk }
  const latest = await records.find(membershipEntries, { where, sort: ['-pk'], limit: mostStates })
  const before = await statesBefore(ledger, latest)
  return latest.toReversed().map(row => toEntry(row, before.get(row.sequence - 1), keyOf(row.bno)))
}

/** The hashes of the states right before these, by their place; a member's node does not keep all of them. */
const statesBefore = async (
  { node, records }: Ledger,
  rows: readonly EntryRow[],
): Promise<ReadonlyMap<number, string>> => {
  const pks = rows.map(row => entryPk(node, row.bno, row.sequence - 1))
  const found = await records.find(membershipEntries, { where: { pk: { in: pks } }, limit: mostStates })
  return new Map([[0, ''], ...found.map(({ sequence, hash }) => [sequence, hash] as const)])
}

const toEntry = (row: EntryRow, before: string | undefined, key: KeyObject | null | undefined): HistoryEntry => {
  const { signed, state } = toReceived(row)
  const { sequence, previous, act, record } = state
  const isSigned = key ? openEntry(signed, key) !== undefined && sha256(signed.entry) === row.hash : null
  return {
    sequence,
    act,
    record,
    signer: row.bno,
    signature: signed.signature,
    hash: row.hash,
    previous,
    isSigned,
    isLinked: before === undefined ? null : before === previous,
  }
}
