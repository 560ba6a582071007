// How far other parties have been told of a node's history, and whether the node has read an operator's whole list.

import { everything } from '../../core/model/query.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { type Ledger, peerPk } from './ledger.ts'
import { all, compared, matching, oneOf } from './queries.ts'

export interface Peer {
  readonly party: string
  readonly acknowledged: number
}

/** From here on the party is told of what concerns it; a party already told is left alone. */
export const addPeer = async (
  { node, tables: { peers } }: Ledger,
  tx: Transaction,
  { party, acknowledged }: Peer,
): Promise<void> => {
  const pk = peerPk(node, party)
  if (!(await tx.get(peers, pk))) await tx.insert(peers, pk, { node, party, acknowledged, complete: false })
}

/** Of these parties, those that have not confirmed everything up to `sequence`. */
export const peersBehind = async (
  { node, store, tables: { peers } }: Ledger,
  parties: readonly string[],
  sequence: number,
): Promise<readonly Peer[]> => {
  const behind: Peer[] = []
  for (let from = 0; from < parties.length; from += 500) {
    const some = oneOf(
      peers,
      'pk',
      parties.slice(from, from + 500).map(party => peerPk(node, party)),
    )
    const query = everything(peers, all(some, compared(peers, 'acknowledged', 'lt', sequence)))
    const { records } = await store.find(peers, query)
    for (const row of records) behind.push({ party: row.party as string, acknowledged: row.acknowledged as number })
  }
  return behind
}

export const countBehind = ({ node, store, tables: { peers } }: Ledger, sequence: number): Promise<number> =>
  store.count(peers, all(matching(peers, { node }), compared(peers, 'acknowledged', 'lt', sequence)))

/** Never back: an acknowledgement that arrives late must not make the node tell everything again. */
export const acknowledge = ({ node, store, tables: { peers } }: Ledger, { party, acknowledged }: Peer): Promise<void> =>
  store.transaction(async tx => {
    const row = await tx.lock(peers, peerPk(node, party))
    if (row && (row.acknowledged as number) < acknowledged) await tx.update(peers, row.pk, { acknowledged })
  })

export const isComplete = async ({ node, store, tables: { peers } }: Ledger, operator: string): Promise<boolean> =>
  (await store.get(peers, peerPk(node, operator)))?.complete === true

/** Has the whole list of the operator been read since the node became a member? */
export const setComplete = async (
  { node, tables: { peers } }: Ledger,
  tx: Transaction,
  { operator, complete }: { readonly operator: string; readonly complete: boolean },
): Promise<void> => {
  const pk = peerPk(node, operator)
  if (await tx.lock(peers, pk)) await tx.update(peers, pk, { complete })
  else await tx.insert(peers, pk, { node, party: operator, acknowledged: 0, complete })
}
