// Reading memberships out of a node's ledger: whose, in which states, from where on.

import { everything, type Filter, type Query } from '../../core/model/query.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import { type Ledger, toMembership } from './ledger.ts'
import type { Membership } from './node.ts'
import { all, either, matching, oneOf, sortedBy } from './queries.ts'
import type { Status } from './states.ts'

export interface Selection {
  readonly bno: string
  readonly networks: readonly (string | null)[] | 'all'
  readonly statuses: readonly Status[] | 'all'
  /** Only of this party, and only of this network, when given. */
  readonly member: string | null
  readonly networkId: string | null
  /** Those of this party come out whatever the networks and states. */
  readonly besides: { readonly member: string; readonly statuses: readonly Status[] } | null
}

export const rowsAtOnce = 500

const filterOf = ({ node, tables: { memberships } }: Ledger, selection: Selection): Filter => {
  const { bno, networks, statuses, member, networkId, besides } = selection
  const parts: Filter[] = []
  if (networks !== 'all') parts.push(inNetworks(memberships, networks))
  if (statuses !== 'all') parts.push(inStatuses(memberships, statuses))
  const main = all(...parts)
  const own =
    besides && all(matching(memberships, { member: besides.member }), oneOf(memberships, 'status', besides.statuses))
  return all(
    matching(memberships, {
      node,
      bno,
      ...(member !== null && { member }),
      ...(networkId !== null && { networkID: networkId }),
    }),
    ...(own ? [either(main, own)] : parts),
  )
}

/** One alone is a range of the index that has the members in order; of several, the order comes first. */
const inStatuses = (memberships: Ledger['tables']['memberships'], [status, ...more]: readonly Status[]): Filter =>
  status !== undefined && more.length === 0
    ? matching(memberships, { status })
    : oneOf(memberships, 'status', status === undefined ? [] : [status, ...more])

const inNetworks = (memberships: Ledger['tables']['memberships'], networks: readonly (string | null)[]): Filter => {
  const named = networks.filter(network => network !== null)
  const parts: Filter[] = named.length > 0 ? [oneOf(memberships, 'networkID', named)] : []
  if (named.length < networks.length) parts.push(matching(memberships, { networkID: null }))
  return parts.length > 0 ? either(...parts) : { op: 'const', value: false }
}

export interface Start {
  /** Behind the membership of this linearId. */
  readonly after: string | null
  /** How many are wanted, as far as that is known: the first batch is no larger. */
  readonly wanted: number | null
}

const fromTheFirst: Start = { after: null, wanted: null }

/** In the order of the members' names. */
export async function* rowsOf(
  ledger: Ledger,
  selection: Selection,
  { after, wanted }: Start = fromTheFirst,
): AsyncGenerator<readonly StoredRecord[]> {
  const { store, tables } = ledger
  const { memberships } = tables
  const query = sortedBy(everything(memberships, filterOf(ledger, selection), rowsAtOnce), memberships, 'member')
  const start = after === null ? null : await rowOf(ledger, after)
  const behind = (values: readonly unknown[], limit: number): Query['window'] => ({ kind: 'after', values, limit })
  let window = start ? behind([start.member, start.pk], rowsAtOnce) : query.window
  if (wanted !== null && wanted < rowsAtOnce) {
    const { records, next } = await store.find(memberships, { ...query, window: { ...window, limit: wanted } })
    yield records
    if (!next) return
    window = behind(next, rowsAtOnce)
  }
  yield* store.stream(memberships, { ...query, window })
}

const rowOf = async ({ node, store, tables }: Ledger, linearId: string): Promise<StoredRecord | null> => {
  const { memberships } = tables
  const { records } = await store.find(memberships, everything(memberships, matching(memberships, { linearId, node })))
  return records[0] ?? null
}

const maxNetworks = 10_000

/** All memberships of one party with an operator. */
export const membershipsOf = async (ledger: Ledger, member: string, bno: string): Promise<readonly Membership[]> => {
  const { memberships } = ledger.tables
  const query = everything(memberships, matching(memberships, { node: ledger.node, bno, member }), maxNetworks)
  return (await ledger.store.find(memberships, query)).records.map(toMembership)
}

/** The networks of an operator in which the party is a member. */
export const activeNetworks = (records: readonly Membership[]): readonly (string | null)[] =>
  records.filter(({ status }) => status === 'ACTIVE').map(({ networkID }) => networkID)
