// The membership operations over HTTP, in both path styles, as far as the deployment publishes them.

import { setImmediate as turn } from 'node:timers/promises'
import { type Call, type Caller, defineEndpoint, Problem } from 'plinth'
import {
  type Answer,
  type Endpoint,
  jsonBody,
  oneOrMany,
  type Permit,
  type Request,
  toStreamAnswer,
  toValueAnswer,
} from 'plinth/module'
import type { EmbeddedNode } from './embedded-node.ts'
import { messagesPath } from './exchange.ts'
import {
  amendmentShape,
  applicationShape,
  listQuery,
  readOrder,
  rulingQuery,
  rulingShape,
  toApplication,
  toListing,
  toSelected,
  toSelection,
} from './input.ts'
import { type Ruling, statuses } from './membership-states.ts'
import { messageSchema, readMessage } from './messages.ts'
import type { Membership, MembershipNode, Selected } from './node.ts'
import { mayLook, maySteer } from './rights.ts'
import type { Controller } from './settings.ts'
import { historyList, membershipList, membershipShape } from './shapes.ts'

export interface NodeChoice {
  readonly maxPageSize: number
  /** Chooses a node, for the single style. */
  readonly choose: (request: Request, role: MembershipNode['role']) => MembershipNode
  /** Finds a node, for the style with the node in the path. */
  readonly named: (name: string) => MembershipNode
}

/** The paths at which operations are published, and the role of the nodes there. */
interface PathStyle<Path extends string = string, Suffix extends string = string> {
  readonly path: Path
  /** What the identifiers of its operations end with. */
  readonly suffix: Suffix
  readonly role: MembershipNode['role']
}

const styles = {
  bno: { path: '/api/bnms/bno/memberships', suffix: '', role: 'operator' },
  member: { path: '/api/bnms/member/memberships', suffix: '', role: 'member' },
  bnos: { path: '/api/bnms/bnos/{nodeName}/memberships', suffix: 'OfNode', role: 'operator' },
  members: { path: '/api/bnms/members/{nodeName}/memberships', suffix: 'OfNode', role: 'member' },
} as const satisfies Readonly<Record<Controller, PathStyle>>

export const membershipEndpoints = (choice: NodeChoice, controllers: readonly Controller[]) => {
  const published = new Set(controllers)
  return [
    ...(published.has('bno') ? operatorEndpoints(createPlace(choice, styles.bno)) : []),
    ...(published.has('member') ? memberEndpoints(createPlace(choice, styles.member)) : []),
    ...(published.has('bnos') ? operatorEndpoints(createPlace(choice, styles.bnos)) : []),
    ...(published.has('members') ? memberEndpoints(createPlace(choice, styles.members)) : []),
  ] as const
}

interface Place<Path extends string = string, Suffix extends string = string> extends PathStyle<Path, Suffix> {
  readonly maxPageSize: number
  /** What the endpoints there share. */
  readonly shared: Pick<Endpoint, 'tag' | 'problems' | 'params' | 'refusesRecordFormats'>
  nodeOf(call: Pick<Call, 'request'>): MembershipNode
}

const createPlace = <const Path extends string, const Suffix extends string>(
  { maxPageSize, choose, named }: NodeChoice,
  { path, suffix, role }: PathStyle<Path, Suffix>,
): Place<Path, Suffix> => {
  const hasNode = path.includes('{')
  const nodeName = 'The configured name of the node, its organisation or its X.500 name.'
  return {
    path,
    suffix,
    role,
    maxPageSize,
    shared: {
      tag: 'membership',
      problems: [400, 401, 403, 404, 406, 409, 415, 422, 503],
      refusesRecordFormats: true,
      ...(hasNode && { params: { nodeName } }),
    },
    nodeOf: ({ request }) => {
      const name = request.params.nodeName
      return name === undefined ? choose(request, role) : named(name)
    },
  }
}

const only =
  (may: (caller: Caller) => boolean): Permit =>
  ({ caller }) => {
    if (!may(caller)) throw new Problem(caller.pk === null ? 'unauthorized' : 'forbidden')
  }

const several = (batches: AsyncIterable<readonly Membership[]>): Answer =>
  toStreamAnswer(membershipList, inTurns(batches))

async function* inTurns<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const batch of batches) {
    yield batch
    // Reading may never have waited for anything: others must have their turn.
    await turn()
  }
}

async function* inOneBatch<T>(values: T): AsyncGenerator<T> {
  yield values
}

const operatorEndpoints = <const Path extends string, const Suffix extends string>(at: Place<Path, Suffix>) =>
  [
    rulingEndpoint(at, {
      ruling: 'activate',
      path: at.path,
      method: 'PUT',
      summary: 'Activate a pending or suspended membership',
      description: 'A list is activated as a whole, all or nothing.',
    }),
    suspendEndpoint(at),
    rulingEndpoint(at, {
      ruling: 'decline',
      path: `${at.path}/decline`,
      method: 'POST',
      summary: 'Decline a pending membership',
    }),
    rulingEndpoint(at, {
      ruling: 'revoke',
      path: `${at.path}/revoke`,
      method: 'POST',
      summary: 'Revoke an active or suspended membership permanently',
    }),
    overviewEndpoint(at),
    historyEndpoint(at, 'getMembershipHistoryAtOperator'),
  ] as const

const memberEndpoints = <const Path extends string, const Suffix extends string>(at: Place<Path, Suffix>) =>
  [listEndpoint(at), requestEndpoint(at), amendEndpoint(at), historyEndpoint(at, 'getMembershipHistory')] as const

interface RulingOptions<R, Path, M> extends Pick<Endpoint, 'summary' | 'description'> {
  readonly ruling: R
  readonly path: Path
  readonly method: M
}

const rulingEndpoint = <
  const At extends string,
  const Suffix extends string,
  const R extends Exclude<Ruling, 'suspend'>,
  const Path extends string,
  const M extends 'PUT' | 'POST',
>(
  at: Place<At, Suffix>,
  { ruling, path, method, ...described }: RulingOptions<R, Path, M>,
) =>
  defineEndpoint({
    ...at.shared,
    ...described,
    method,
    path,
    id: `${ruling}Membership${at.suffix}`,
    access: only(maySteer),
    body: oneOrMany(rulingShape),
    answers: { 200: { about: 'The membership, or the list of them.', value: membershipShape } },
    answer: call => {
      const { isList, entries } = call.body
      return rule(at, call, { ruling, isList, memberships: entries.map(toSelected) })
    },
  })

const suspendEndpoint = <const Path extends string, const Suffix extends string>(at: Place<Path, Suffix>) =>
  defineEndpoint({
    ...at.shared,
    method: 'DELETE',
    path: at.path,
    id: `suspendMembership${at.suffix}`,
    summary: 'Suspend an active membership',
    description: 'Accepts the same body as activation, or parameters.',
    access: only(maySteer),
    query: rulingQuery,
    refusesOtherParameters: true,
    body: oneOrMany(rulingShape, true),
    answers: { 200: membershipShape },
    answer: call => {
      const { isList, entries } = call.body ?? { isList: false, entries: null }
      const memberships = entries ? entries.map(toSelected) : [toSelection(call.query)]
      return rule(at, call, { ruling: 'suspend', isList, memberships })
    },
  })

interface RulingCall {
  readonly ruling: Ruling
  readonly isList: boolean
  readonly memberships: readonly Selected[]
}

const rule = async (
  { nodeOf }: Place,
  { request, caller }: Pick<Call, 'request' | 'caller'>,
  { ruling, isList, memberships }: RulingCall,
): Promise<Answer> => {
  const records = await nodeOf({ request }).rule({ ruling, memberships, ...readOrder(request, caller) })
  const [record] = records
  return record && !isList ? toValueAnswer(membershipShape, record) : several(inOneBatch(records))
}

const overviewEndpoint = <const Path extends string, const Suffix extends string>(at: Place<Path, Suffix>) =>
  defineEndpoint({
    ...at.shared,
    method: 'GET',
    path: at.path,
    id: `listOperatorMemberships${at.suffix}`,
    summary: 'List all memberships of the operator, in every state',
    access: only(maySteer),
    query: listQuery(at.maxPageSize),
    refusesOtherParameters: true,
    answers: { 200: { about: 'The memberships, sorted by member name.', value: membershipList } },
    answer: async call => {
      const node = at.nodeOf(call)
      if (node.role !== 'operator')
        throw new Problem('forbidden', { en: 'This node is not an operator.', de: 'Dieser Knoten ist kein Betreiber.' })
      return several(await node.list({ ...toListing(call.query, statuses), bno: node.party }))
    },
  })

const listEndpoint = <const Path extends string, const Suffix extends string>(at: Place<Path, Suffix>) =>
  defineEndpoint({
    ...at.shared,
    method: 'GET',
    path: at.path,
    id: `listNetworkMemberships${at.suffix}`,
    summary: 'List memberships from a network operator',
    access: only(mayLook),
    // The network decides who may list.
    permitsInRun: true,
    query: listQuery(at.maxPageSize),
    refusesOtherParameters: true,
    answers: { 200: { about: 'The memberships, sorted by member name.', value: membershipList } },
    answer: async call => several(await at.nodeOf(call).list(toListing(call.query, null))),
  })

const requestEndpoint = <const Path extends string, const Suffix extends string>(at: Place<Path, Suffix>) =>
  defineEndpoint({
    ...at.shared,
    method: 'POST',
    path: at.path,
    id: `requestMembership${at.suffix}`,
    summary: 'Request a membership',
    access: only(maySteer),
    body: applicationShape,
    answers: { 201: membershipShape },
    run: ({ request, caller, body }) => {
      const order = { act: 'request', ...toApplication(body), ...readOrder(request, caller) } as const
      return at.nodeOf({ request }).apply(order)
    },
  })

const amendEndpoint = <const Path extends string, const Suffix extends string>(at: Place<Path, Suffix>) =>
  defineEndpoint({
    ...at.shared,
    method: 'PUT',
    path: at.path,
    id: `amendMembership${at.suffix}`,
    summary: 'Change the membership metadata',
    access: only(maySteer),
    body: amendmentShape,
    answers: { 200: membershipShape },
    run: ({ request, caller, body }) => {
      const order = { act: 'amend', ...toApplication(body), ...readOrder(request, caller) } as const
      return at.nodeOf({ request }).apply(order)
    },
  })

/** Makes the endpoint of the history, in the same place for both roles: each node shows what it keeps. */
const historyEndpoint = <const Path extends string, const Suffix extends string, const Id extends string>(
  at: Place<Path, Suffix>,
  id: Id,
) => {
  const params: Place['shared']['params'] = { ...at.shared.params, linearId: 'The membership.' }
  return defineEndpoint({
    ...at.shared,
    method: 'GET',
    path: `${at.path}/{linearId}/history`,
    id: `${id}${at.suffix}`,
    summary: 'Read the signed history of a membership',
    description: 'The signed states that the node stores, oldest first, each verified again.',
    params,
    access: only(maySteer),
    answers: { 200: { about: 'The states.', value: historyList } },
    answer: async call => {
      const entries = await at.nodeOf(call).history(call.request.params.linearId ?? '')
      return toStreamAnswer(historyList, inOneBatch(entries))
    },
  })
}

/**
 * Makes the endpoint to which nodes of other processes send their messages. They prove themselves by signatures, not by
 * a login.
 */
export const messageEndpoint = (nodes: () => readonly EmbeddedNode[]) =>
  defineEndpoint({
    method: 'POST',
    path: messagesPath,
    id: 'takeNodeMessage',
    summary: 'Receive a signed message from another node',
    tag: 'membership',
    access: 'true',
    forgiving: true,
    // As it was signed: a body that is declared by fields would leave out what it does not know.
    body: jsonBody(messageSchema),
    answers: { 200: { about: 'The signed reply.', value: { type: 'object' } } },
    problems: [400, 401, 403, 404, 406, 409, 415, 422, 503],
    answer: async ({ request, body }) => {
      const message = readMessage(body.json)
      const node = nodes().find(({ party }) => party === message.to)
      if (!node) throw new Problem('not_found', { en: 'No such party here.', de: 'Diese Partei gibt es hier nicht.' })
      return { kind: 'value', status: 200, name: 'reply', value: await node.inbox.take(message, request.remoteAddress) }
    },
  })
