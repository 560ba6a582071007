// Which memberships of the ledger a list shows, to whom, and from where on.

import { Problem, type Where } from 'plinth'
import { type Ledger, toMembership } from './ledger.ts'
import { type Status, statuses } from './membership-states.ts'
import type { NetworkMap } from './network-map.ts'
import type { Listing, Membership } from './node.ts'
import { type MembershipRow, memberships } from './tables.ts'

export interface Selection {
  readonly bno: string
  readonly networks: readonly (string | null)[] | 'all'
  readonly statuses: readonly Status[] | 'all'
  /** The party and the network whose memberships are selected. */
  readonly member: string | null
  readonly networkId: string | null
  /** The party whose memberships come out whatever the networks and states. */
  readonly besides: { readonly member: string; readonly statuses: readonly Status[] } | null
}

export type PageSelection = Omit<Selection, 'bno'>

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
  /** The linearId of the membership after which the rows begin. */
  readonly after: string | null
  /** How many are wanted, as far as that is known: the first batch is no larger. */
  readonly limit: number | null
}

const fromTheFirst: Start = { after: null, limit: null }

/** Yields the rows in the order of the members' names. */
export async function* rowsOf(
  ledger: Ledger,
  selection: Selection,
  { after, limit }: Start = fromTheFirst,
): AsyncGenerator<readonly MembershipRow[]> {
  const { records, node } = ledger
  const query = { where: whereOf(ledger, selection), sort: ['member'] } as const
  let from = after === null ? null : await records.first(memberships, { where: { linearId: after, node } })
  if (limit !== null && limit < rowsAtOnce) {
    const found = await records.find(memberships, { ...query, limit: limit, ...(from && { after: from }) })
    yield found
    if (found.length < limit) return
    from = found.at(-1) ?? null
  }
  yield* records.stream(memberships, { ...query, batchSize: rowsAtOnce, ...(from && { after: from }) })
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

export const operatorsSelection = ({ networkId, statuses }: Listing, member: string | null): PageSelection => ({
  networks: 'all',
  statuses: statuses ?? ['ACTIVE'],
  member,
  networkId,
  besides: null,
})

interface Viewer {
  readonly own: readonly Membership[]
  readonly self: string
  readonly member: string | null
}

export const seesItselfOnly = ({ statuses: chosen }: Listing, { own, self, member }: Viewer): boolean =>
  member === self || (activeNetworks(own).length === 0 && chosen !== null && !isOfActiveOnly(chosen))

const isOfActiveOnly = (chosen: readonly Status[]): boolean => chosen.every(status => status === 'ACTIVE')

/** Active members of networks in which the node is one, and its own memberships in any state. */
export const membersSelection = (
  { networkId, statuses: chosen }: Listing,
  { own, self, member }: Viewer,
): PageSelection => {
  const isOwn = member === self
  const effective = chosen ?? (isOwn ? statuses : (['ACTIVE'] as const))
  const networks = activeNetworks(own).filter(network => networkId === null || network === networkId)
  if (networks.length === 0 && isOfActiveOnly(effective) && !isOwn)
    throw new Problem('forbidden', {
      en: 'Only nodes with an active membership can list the members.',
      de: 'Nur Knoten mit einer aktiven Mitgliedschaft können die Mitglieder auflisten.',
    })
  return {
    networks,
    statuses: effective.filter(status => status === 'ACTIVE'),
    member,
    networkId,
    besides: { member: self, statuses: effective },
  }
}

/** The same selection, on a record in memory. */
export const isSelected = (
  { networks, statuses, member, networkId, besides }: PageSelection,
  record: Membership,
): boolean => {
  if (member !== null && record.member !== member) return false
  if (networkId !== null && record.networkID !== networkId) return false
  if (besides?.member === record.member && besides.statuses.includes(record.status)) return true
  const inNetwork = networks === 'all' || networks.includes(record.networkID)
  return inNetwork && (statuses === 'all' || statuses.includes(record.status))
}

/** The list without members that are missing from the network map, and cut to its limit. */
export async function* limited(
  batches: AsyncIterable<readonly Membership[]>,
  { onlyOnNetworkMap, limit }: Listing,
  map: NetworkMap,
): AsyncGenerator<readonly Membership[]> {
  let left = limit ?? Number.POSITIVE_INFINITY
  for await (const batch of batches) {
    const known = onlyOnNetworkMap ? batch.filter(({ member }) => map.party(member) !== undefined) : batch
    const page = known.slice(0, left)
    left -= page.length
    if (page.length > 0) yield page
    if (left <= 0) return
  }
}
