// How much of a node's history other parties have received, and whether the node has read an operator's whole list.

import type { TransactionRecords } from 'plinth'
import { type Ledger, peerPk } from './ledger.ts'
import { membershipPeers } from './tables.ts'

export interface Peer {
  readonly party: string
  readonly acknowledged: number
}

/** Starts sending the party the changes that concern it. Does nothing for a party that already receives them. */
export const addPeer = async (
  { node }: Ledger,
  transaction: TransactionRecords,
  { party, acknowledged }: Peer,
): Promise<void> => {
  await transaction.ensure(membershipPeers, { pk: peerPk(node, party), node, party, acknowledged, complete: false })
}

const atOnce = 500

/** Returns those of the parties that have not confirmed everything up to `sequence`. */
export const peersBehind = async (
  { node, records }: Ledger,
  parties: readonly string[],
  sequence: number,
): Promise<readonly Peer[]> => {
  const behind: Peer[] = []
  for (let from = 0; from < parties.length; from += atOnce) {
    const pks = parties.slice(from, from + atOnce).map(party => peerPk(node, party))
    const where = { pk: { in: pks }, acknowledged: { lt: sequence } }
    for (const { party, acknowledged } of await records.find(membershipPeers, { where, limit: atOnce }))
      behind.push({ party, acknowledged })
  }
  return behind
}

export const countBehind = ({ node, records }: Ledger, sequence: number): Promise<number> =>
  records.count(membershipPeers, { where: { node, acknowledged: { lt: sequence } } })

/**
 * Stores an acknowledgement, but never goes back: one that arrives late must not make the node send everything again.
 */
export const acknowledge = ({ node, records }: Ledger, { party, acknowledged }: Peer): Promise<void> =>
  records.transaction(async own => {
    const row = await own.lock(membershipPeers, peerPk(node, party))
    if (row && row.acknowledged < acknowledged) await own.update(membershipPeers, row.pk, { acknowledged })
  })

export const isComplete = async ({ node, records }: Ledger, operator: string): Promise<boolean> =>
  (await records.first(membershipPeers, { where: { pk: peerPk(node, operator) } }))?.complete === true

/** Has the whole list of the operator been read since the node became a member? */
export const setComplete = async (
  { node }: Ledger,
  transaction: TransactionRecords,
  { operator, complete }: { readonly operator: string; readonly complete: boolean },
): Promise<void> => {
  const pk = peerPk(node, operator)
  if (await transaction.lock(membershipPeers, pk)) await transaction.update(membershipPeers, pk, { complete })
  else await transaction.create(membershipPeers, { pk, node, party: operator, acknowledged: 0, complete })
}
