// Nodes and memberships, as the service tells of them, and what can be done with them.

import { get, request } from '@plinth/web'
import { type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'

export const statuses = ['PENDING', 'ACTIVE', 'SUSPENDED', 'DECLINED', 'REVOKED'] as const
export type MembershipState = (typeof statuses)[number]

export interface NetworkMembership {
  readonly member: string
  readonly bno: string
  readonly membershipMetadata: unknown
  readonly networkID: string | null
  readonly status: MembershipState
  readonly issued: string
  readonly modified: string
  readonly linearId: string
  readonly participants: readonly string[]
  readonly reason: string | null
  readonly version: number
}

export interface NetworkNode {
  readonly name: string
  readonly party: string
  readonly organisation: string
  readonly role: 'operator' | 'member'
  readonly kind: string
  /** Is null while it does not answer. */
  readonly operators: readonly string[] | null
  readonly health: { readonly status: 'UP' | 'DOWN'; readonly [detail: string]: unknown }
  readonly operations: { readonly operator: string | null; readonly member: string | null; readonly header: string }
}

export type MembershipDecision = 'activate' | 'suspend' | 'decline' | 'revoke'

/** The same table as the service's: which act leads on from which state. */
export const rulingsFrom: Readonly<Record<MembershipState, readonly MembershipDecision[]>> = {
  PENDING: ['activate', 'decline'],
  ACTIVE: ['suspend', 'revoke'],
  SUSPENDED: ['activate', 'revoke'],
  DECLINED: [],
  REVOKED: [],
}

/** `O=Alpha, L=London, C=GB` → `Alpha`. A comma within a value is escaped (RFC 4514, 2.4). */
export const organisationOf = (party: string): string =>
  /(?:^|,\s*)O=((?:\\.|[^,\\])+)/.exec(party)?.[1]?.replace(/\\(.)/g, '$1').trim() ?? party

export const networkKey = ['network'] as const

export const useNodes = (): UseQueryResult<readonly NetworkNode[]> =>
  useQuery({
    queryKey: [...networkKey, 'nodes'],
    queryFn: ({ signal }) => get<readonly NetworkNode[]>('/api/bnms/nodes', { signal }),
    refetchInterval: 15_000,
  })

/** The side of a node: the one that decides, or the one that asks. */
export type Side = 'operator' | 'member'

const headersFor = ({ name, operations }: NetworkNode) => ({ [operations.header]: encodeURIComponent(name) })

const pathOf = ({ operations }: NetworkNode, side: Side): string => {
  const path = operations[side]
  if (path === null) throw new Error('The node has no such operations.')
  return path
}

export interface MembershipQuery {
  readonly status: MembershipState | 'ALL'
  readonly bno?: string | undefined
  readonly networkId?: string | undefined
  readonly member?: string | undefined
  /** Lists those too who are missing from the network map. */
  readonly withMissing?: boolean | undefined
}

const pageSize = 50

/** Nodes of other processes do not tell of changes by themselves. */
const refetchInterval = ({ kind }: NetworkNode): number | false => (kind === 'embedded' ? false : 10_000)

const toQuery = ({ status, bno, networkId, member, withMissing = false }: MembershipQuery) => ({
  status,
  bno,
  networkId,
  member,
  filterOutMissingFromNetworkMap: withMissing ? false : undefined,
})

export const useMemberships = (node: NetworkNode, side: Side, listing: MembershipQuery) =>
  useInfiniteQuery({
    queryKey: [...networkKey, 'list', node.name, side, listing],
    queryFn: ({ pageParam, signal }) =>
      get<readonly NetworkMembership[]>(pathOf(node, side), {
        query: { ...toQuery(listing), _ps: pageSize, _after: pageParam },
        headers: headersFor(node),
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: page => (page.length < pageSize ? undefined : page.at(-1)?.linearId),
    refetchInterval: refetchInterval(node),
  })

/** Makes the node ask the operator again; what it gives is then in its copy. */
export const refreshFromOperator = async (node: NetworkNode, listing: MembershipQuery): Promise<void> => {
  const query = { ...toQuery(listing), _ps: 1, forceRefresh: true }
  await get(pathOf(node, 'member'), { query, headers: headersFor(node) })
}

export interface HistoryState {
  readonly sequence: number
  readonly act: MembershipDecision | 'request' | 'amend'
  readonly record: NetworkMembership
  readonly signer: string
  readonly signature: string
  readonly hash: string
  readonly previous: string
  readonly isSigned: boolean | null
  readonly isLinked: boolean | null
}

export const useHistory = (node: NetworkNode, side: Side, linearId: string): UseQueryResult<readonly HistoryState[]> =>
  useQuery({
    queryKey: [...networkKey, 'history', node.name, side, linearId],
    queryFn: ({ signal }) =>
      get<readonly HistoryState[]>(`${pathOf(node, side)}/${encodeURIComponent(linearId)}/history`, {
        headers: headersFor(node),
        signal,
      }),
    refetchInterval: refetchInterval(node),
  })

const ways = {
  activate: { method: 'PUT', path: '' },
  suspend: { method: 'DELETE', path: '' },
  decline: { method: 'POST', path: '/decline' },
  revoke: { method: 'POST', path: '/revoke' },
} as const satisfies Record<MembershipDecision, { method: string; path: string }>

interface Order {
  readonly ruling: MembershipDecision
  readonly memberships: readonly NetworkMembership[]
  readonly reason: string
  /** The same at every try. */
  readonly key: string
}

/** All of them or none. The versions say what was seen when the decision was made. */
export const rule = async (node: NetworkNode, { ruling, memberships, reason, key }: Order): Promise<void> => {
  const bodies = memberships.map(({ member, networkID, version }) => ({
    member,
    networkId: networkID,
    version,
    reason: reason.trim() || null,
  }))
  const { method, path } = ways[ruling]
  const body = bodies.length === 1 ? bodies[0] : bodies
  const headers = headersFor(node)
  await request(pathOf(node, 'operator') + path, { method, body, headers, idempotencyKey: key })
}

export interface MembershipRequest {
  readonly party: string
  readonly networkId: string | null
  readonly membershipMetadata: unknown
}

/** The member asks to be taken in, or proposes other metadata. */
export const apply = async (
  node: NetworkNode,
  act: 'request' | 'amend',
  { key, ...body }: MembershipRequest & { readonly key: string },
): Promise<NetworkMembership> => {
  const method = act === 'request' ? 'POST' : 'PUT'
  const headers = headersFor(node)
  return (await request<NetworkMembership>(pathOf(node, 'member'), { method, body, headers, idempotencyKey: key })).body
}

/** What the node itself has with an operator, whatever the state. */
export const ownMemberships = (node: NetworkNode, operator: string) => ({
  queryKey: [...networkKey, 'own', node.name, operator],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    get<readonly NetworkMembership[]>(pathOf(node, 'member'), {
      query: { bno: operator, member: node.party, status: 'ALL', filterOutMissingFromNetworkMap: false },
      headers: headersFor(node),
      signal,
    }),
  refetchInterval: refetchInterval(node),
})
