// A node that is another process, reached with its login over the same operations that it publishes itself.

import { Buffer } from 'node:buffer'
import { type Json, Problem } from 'plinth'
import type { Adapter, AdapterParts, DistantNode, NodeConnection } from './adapter.ts'
import { createNodeCaller, type NodeAnswer, type NodeCall } from './caller-of-nodes.ts'
import { nodesPath } from './exchange.ts'
import { toMembershipEvent } from './membership-event.ts'
import type { Act } from './membership-states.ts'
import { isBody, toProblem } from './messages.ts'
import type { HistoryEntry, Listing, Membership, MembershipNode, NodeHealth, Order, Selected } from './node.ts'
import { isMembership } from './received.ts'

const pageSize = 500
const healthTimeoutMs = 2_000

type Call = (call: Omit<NodeCall, 'headers'> & { readonly operationId?: string }) => Promise<unknown>

export const remote: Adapter = { name: 'remote', create: (settings, parts) => createRemoteNode(settings, parts) }

const createRemoteNode = (settings: DistantNode, parts: AdapterParts): MembershipNode => {
  const { name, party, role } = settings
  const call = createCall(settings, parts)
  const note = ({ actor }: Order, act: Act, records: readonly Membership[]): Promise<void> =>
    parts.records.transaction(async transaction => {
      for (const record of records)
        await parts.audit(transaction, toMembershipEvent(act, record, { node: name, actor }))
    })
  return {
    name,
    party,
    role,
    kind: 'remote',
    rule: async order => {
      const bodies = order.memberships.map(toBody)
      const isBatch = bodies.length !== 1
      const { method, path } = operatorPaths[order.ruling]
      const body = JSON.stringify(isBatch ? bodies : bodies[0])
      const answer = await call({ method, path, body, operationId: order.operationId, repeatable: true })
      const records = readMemberships(isBatch ? answer : [answer], party)
      await note(order, order.ruling, records)
      return records
    },
    apply: async order => {
      const { act, operator, networkId, metadata } = order
      const body = JSON.stringify({ party: operator, networkId, membershipMetadata: metadata })
      const method = act === 'request' ? 'POST' : 'PUT'
      const path = '/api/bnms/member/memberships'
      const answer = await call({ method, path, body, operationId: order.operationId, repeatable: true })
      const [record] = readMemberships([answer], party)
      if (!record) throw strange(party)
      await note(order, act, [record])
      return record
    },
    list: async listing => {
      const pages = readPages(call, listing, party)
      // The first page is there before the promise is settled, and with it the node's word on who may read.
      const first = await pages.next()
      return (async function* () {
        if (!first.done) yield first.value
        yield* pages
      })()
    },
    history: async linearId => {
      const path = `/api/bnms/member/memberships/${encodeURIComponent(linearId)}/history`
      return readHistory(await call({ method: 'GET', path, repeatable: true }), party)
    },
    operators: async () => {
      const answer = await call({ method: 'GET', path: nodesPath, repeatable: true })
      const operators: unknown = Array.isArray(answer) ? answer[0]?.operators : null
      return Array.isArray(operators) ? operators.filter(name => typeof name === 'string') : []
    },
    health: () => readHealth(settings.remote),
    start: async () => async () => {},
  }
}

const strange = (party: string): Problem =>
  new Problem('unavailable', `The node of ${party} sent a malformed response.`)

const readMemberships = (answer: unknown, party: string): readonly Membership[] => {
  if (!Array.isArray(answer) || !answer.every(isMembership)) throw strange(party)
  return answer
}

const readHistory = (answer: unknown, party: string): readonly HistoryEntry[] => {
  const isEntry = (entry: unknown): entry is HistoryEntry => isBody(entry) && isMembership(entry.record)
  if (!Array.isArray(answer) || !answer.every(isEntry)) throw strange(party)
  return answer
}

const operatorPaths = {
  activate: { method: 'PUT', path: '/api/bnms/bno/memberships' },
  suspend: { method: 'DELETE', path: '/api/bnms/bno/memberships' },
  decline: { method: 'POST', path: '/api/bnms/bno/memberships/decline' },
  revoke: { method: 'POST', path: '/api/bnms/bno/memberships/revoke' },
} as const

const toBody = ({ member, bno, networkId, reason, version }: Selected): Json => ({
  member,
  bno,
  networkId,
  reason,
  version,
})

async function* readPages(call: Call, listing: Listing, party: string): AsyncGenerator<readonly Membership[]> {
  let left = listing.limit ?? Number.POSITIVE_INFINITY
  let { after } = listing
  for (;;) {
    const size = Math.min(pageSize, left)
    const path = `/api/bnms/member/memberships?${toQuery(listing, after, size)}`
    const records = readMemberships(await call({ method: 'GET', path, repeatable: true }), party)
    if (records.length > 0) yield records
    left -= records.length
    after = records.at(-1)?.linearId ?? null
    if (records.length < size || left <= 0 || after === null) return
  }
}

const toQuery = (listing: Listing, after: string | null, size: number): string => {
  const query = new URLSearchParams({
    _ps: size.toString(),
    filterOutMissingFromNetworkMap: listing.onlyOnNetworkMap.toString(),
    forceRefresh: listing.forceRefresh.toString(),
  })
  if (listing.bno !== null) query.set('bno', listing.bno)
  if (listing.networkId !== null) query.set('networkId', listing.networkId)
  if (listing.member !== null) query.set('member', listing.member)
  if (listing.statuses !== null) query.set('status', listing.statuses.join())
  if (after !== null) query.set('_after', after)
  return query.toString()
}

const createCall = (
  { name, party, remote: { url, username, password } }: DistantNode,
  { timeoutMs, log }: AdapterParts,
): Call => {
  const send = createNodeCaller({ url, timeoutMs, called: party })
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return async ({ operationId, ...call }) => {
    const headers = {
      authorization,
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...(operationId !== undefined && { 'idempotency-key': operationId }),
    }
    const answer = await send({ ...call, headers })
    if (answer.status < 300) return answer.json
    // Our own credentials are wrong, not the caller's.
    if (answer.status === 401) log.error({ node: name, url }, 'the node refuses its configured login')
    throw toNodeProblem(answer, party)
  }
}

const toNodeProblem = ({ status, json, retryAfter }: NodeAnswer, party: string): Problem => {
  const body = isBody(json) ? json : {}
  const { detail } = body
  if (typeof body.code === 'string' && status !== 401 && status < 500) return toProblem(body)
  if (status === 503 && typeof detail === 'string')
    return new Problem('unavailable', { detail, headers: { 'Retry-After': retryAfter ?? '1' } })
  return new Problem('unavailable', {
    detail: `The node of ${party} is not available; try again later.`,
    headers: { 'Retry-After': retryAfter ?? '5' },
  })
}

const readHealth = async ({ url, adminUrl }: Pick<NodeConnection, 'url' | 'adminUrl'>): Promise<NodeHealth> => {
  try {
    const response = await fetch(`${adminUrl ?? url}/health`, {
      redirect: 'error',
      signal: AbortSignal.timeout(healthTimeoutMs),
    })
    const answer: unknown = await response.json()
    return { status: isBody(answer) && answer.status === 'UP' ? 'UP' : 'DOWN', address: url }
  } catch {
    return { status: 'DOWN', address: url }
  }
}
