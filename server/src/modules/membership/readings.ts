// Reading memberships out of a node's ledger: whose, in which states, from where on.

import type { Query } from '../../core/model/query.ts'
import type { Where } from '../../core/model/row.ts'
import { toQuery } from '../../core/records/query.ts'
import { type Ledger, toMembership } from './ledger.ts'
import type { Membership } from './node.ts'
import type { Status } from './states.ts'
import { type MembershipRow, memberships } from './tables.ts'

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

type Which = Where<typeof memberships>

const whereOf = ({ node }: Ledger, selection: Selection): Which => {
  const { bno, networks, statuses, member, networkId, besides } = selection
  const main: Which = {
    ...(networks !== 'all' && inNetworks(networks)),
    ...(statuses !== 'all' && { status: inStatuses(statuses) }),
  }
  const own = besides && { member: besides.member, status: { in: besides.statuses } }
  return {
    node,
    bno,
    ...(member !== null && { member }),
    ...(networkId !== null && { networkID: networkId }),
    ...(own ? { or: [main, own] } : main),
  }
}

/** One alone is a range of the index that has the members in order; of several, the order comes first. */
const inStatuses = (statuses: readonly Status[]): Status | { readonly in: readonly Status[] } => {
  const [only, ...others] = statuses
  return only !== undefined && others.length === 0 ? only : { in: statuses }
}

const inNetworks = (networks: readonly (string | null)[]): Which => {
  const named = networks.filter(network => network !== null)
  return { or: [{ networkID: { in: named } }, ...(named.length < networks.length ? [{ networkID: null }] : [])] }
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
): AsyncGenerator<readonly MembershipRow[]> {
  const { store, registry, records, node } = ledger
  const resource = registry.resource(memberships)
  const query = toQuery(resource, { where: whereOf(ledger, selection), sort: ['member'], limit: rowsAtOnce })
  const start = after === null ? null : await records.first(memberships, { linearId: after, node })
  const behind = (values: readonly unknown[], limit: number): Query['window'] => ({ kind: 'after', values, limit })
  let window = start ? behind([start.member, start.pk], rowsAtOnce) : query.window
  if (wanted !== null && wanted < rowsAtOnce) {
    const found = await store.find(resource, { ...query, window: { ...window, limit: wanted } })
    yield found.records as readonly MembershipRow[]
    if (!found.next) return
    window = behind(found.next, rowsAtOnce)
  }
  for await (const rows of store.stream(resource, { ...query, window })) yield rows as readonly MembershipRow[]
}

const maxNetworks = 10_000

/** All memberships of one party with an operator. */
export const membershipsOf = async (ledger: Ledger, member: string, bno: string): Promise<readonly Membership[]> => {
  const where = { node: ledger.node, bno, member }
  return (await ledger.records.find(memberships, { where, limit: maxNetworks })).map(toMembership)
}

/** The networks of an operator in which the party is a member. */
export const activeNetworks = (records: readonly Membership[]): readonly (string | null)[] =>
  records.filter(({ status }) => status === 'ACTIVE').map(({ networkID }) => networkID)
