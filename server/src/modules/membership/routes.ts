// The membership operations over HTTP, in both path styles, as far as the deployment publishes them.

import { setImmediate as turn } from 'node:timers/promises'
import { formatsByName } from '../../core/formats/index.ts'
import type { Method, Request, Route } from '../../core/http/exchange.ts'
import type { Caller } from '../../core/model/caller.ts'
import type { Json, JsonMembers } from '../../core/model/json.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { respond, type Task } from '../../core/rest/respond.ts'
import type { FrontDoor } from '../../core/rest/service.ts'
import { describeOperation, type OperationName } from './descriptions.ts'
import type { EmbeddedNode } from './embedded-node.ts'
import { messagesPath } from './exchange.ts'
import { readApplication, readDeletion, readListing, readOrder, readSelection } from './input.ts'
import { type Ruling, statuses } from './membership-states.ts'
import { readMessage } from './messages.ts'
import type { Membership, MembershipNode } from './node.ts'
import { mayLook, maySteer } from './rights.ts'
import type { Controller } from './settings.ts'

type Choose = (request: Request, role: MembershipNode['role']) => MembershipNode

export interface RouteParts {
  readonly door: FrontDoor
  /** For the single style. */
  readonly choose: Choose
  /** For the style with the node in the path. */
  readonly named: (name: string) => MembershipNode
}

interface Operation {
  readonly name: OperationName
  readonly method: Method
  /** Behind the path of the memberships. */
  readonly path?: string
  readonly may: (caller: Caller) => boolean
  readonly run: (node: MembershipNode, task: Asked) => Promise<Answer>
}

interface Asked extends Task {
  readonly caller: Caller
  readonly maxPageSize: number
}

/** The members in one order, wherever the record comes from. */
const shown = (record: Membership): JsonMembers => ({
  member: record.member,
  bno: record.bno,
  membershipMetadata: record.membershipMetadata,
  networkID: record.networkID,
  status: record.status,
  issued: record.issued,
  modified: record.modified,
  linearId: record.linearId,
  participants: record.participants,
  reason: record.reason,
  version: record.version,
})

const one = (status: 200 | 201, record: Membership): Answer => ({
  kind: 'value',
  status,
  name: 'membership',
  value: shown(record),
})

const several = (batches: AsyncIterable<readonly Membership[]>): Answer => ({
  kind: 'values',
  names: { list: 'memberships', entry: 'membership' },
  batches: allShown(batches),
})

async function* allShown(batches: AsyncIterable<readonly Membership[]>): AsyncGenerator<readonly Json[]> {
  for await (const batch of batches) {
    yield batch.map(shown)
    // Reading may never have waited for anything: others must have their turn.
    await turn()
  }
}

async function* inOneBatch<T>(values: T): AsyncGenerator<T> {
  yield values
}

const ruling =
  (name: Ruling): Operation['run'] =>
  async (node, { request, body, caller }) => {
    const { isList, memberships } = request.method === 'DELETE' ? readDeletion(request) : readSelection(body)
    const records = await node.rule({ ruling: name, memberships, ...readOrder(request, caller) })
    const [record] = records
    return record && !isList ? one(200, record) : several(inOneBatch(records))
  }

const applying =
  (act: 'request' | 'amend'): Operation['run'] =>
  async (node, { request, body, caller }) => {
    const order = { ...readApplication(body, act), ...readOrder(request, caller) }
    return one(act === 'request' ? 201 : 200, await node.apply(order))
  }

/** In the same place for both roles: each node shows what it keeps. */
const history: Operation = {
  name: 'history',
  method: 'GET',
  path: '/{linearId}/history',
  may: maySteer,
  run: async (node, { request }) => {
    const entries = await node.history(request.params.linearId ?? '')
    const value = entries.map(entry => ({ ...entry, record: shown(entry.record) }))
    return { kind: 'values', names: { list: 'history', entry: 'state' }, batches: inOneBatch(value) }
  },
}

const ofOperator: readonly Operation[] = [
  { name: 'activate', method: 'PUT', may: maySteer, run: ruling('activate') },
  { name: 'suspend', method: 'DELETE', may: maySteer, run: ruling('suspend') },
  { name: 'decline', method: 'POST', path: '/decline', may: maySteer, run: ruling('decline') },
  { name: 'revoke', method: 'POST', path: '/revoke', may: maySteer, run: ruling('revoke') },
  {
    name: 'overview',
    method: 'GET',
    may: maySteer,
    run: async (node, { request, maxPageSize }) => {
      if (node.role !== 'operator') throw new Problem('forbidden', 'This node is no operator.')
      return several(await node.list({ ...readListing(request, statuses, maxPageSize), bno: node.party }))
    },
  },
  history,
]

const ofMember: readonly Operation[] = [
  {
    name: 'list',
    method: 'GET',
    may: mayLook,
    run: async (node, { request, maxPageSize }) => several(await node.list(readListing(request, null, maxPageSize))),
  },
  { name: 'request', method: 'POST', may: maySteer, run: applying('request') },
  { name: 'amend', method: 'PUT', may: maySteer, run: applying('amend') },
  history,
]

const styles: Readonly<Record<Controller, { path: string; role: MembershipNode['role'] }>> = {
  bno: { path: '/api/bnms/bno/memberships', role: 'operator' },
  member: { path: '/api/bnms/member/memberships', role: 'member' },
  bnos: { path: '/api/bnms/bnos/{nodeName}/memberships', role: 'operator' },
  members: { path: '/api/bnms/members/{nodeName}/memberships', role: 'member' },
}

export const membershipRoutes = (parts: RouteParts, controllers: readonly Controller[]): readonly Route[] =>
  [...new Set(controllers)].flatMap(controller => {
    const { path, role } = styles[controller]
    const operations = role === 'operator' ? ofOperator : ofMember
    return operations.map(operation => toRoute(parts, operation, { path, role }))
  })

const toRoute = (
  { door, choose, named }: RouteParts,
  operation: Operation,
  { path, role }: { readonly path: string; readonly role: MembershipNode['role'] },
): Route => ({
  method: operation.method,
  path: path + (operation.path ?? ''),
  describe: describeOperation(operation.name, door.platform.limits, { hasNode: path.includes('{'), role }),
  handler: respond(door, {
    resource: null,
    format: formatsByName.json,
    takesBody: operation.method === 'PUT' || operation.method === 'POST',
    permit: ({ caller }) => {
      if (!operation.may(caller)) throw new Problem(caller.pk === null ? 'unauthorized' : 'forbidden')
    },
    permitsInRun: operation.name === 'list',
    run: ({ caller, platform }, task) => {
      const { nodeName } = task.request.params
      const node = nodeName === undefined ? choose(task.request, role) : named(nodeName)
      return operation.run(node, { ...task, caller, maxPageSize: platform.limits.maxPageSize })
    },
  }),
})

/** Where nodes of other processes send their messages. They prove themselves by signatures, not by a login. */
export const messageRoute = (door: FrontDoor, nodes: () => readonly EmbeddedNode[]): Route => ({
  method: 'POST',
  path: messagesPath,
  describe: describeOperation('message', door.platform.limits),
  handler: respond(door, {
    resource: null,
    format: formatsByName.json,
    takesBody: true,
    forgiving: true,
    run: async (_context, { request, body }) => {
      const message = readMessage(body.json)
      const node = nodes().find(({ party }) => party === message.to)
      if (!node) throw new Problem('not_found', 'No such party here.')
      return { kind: 'value', status: 200, name: 'reply', value: await node.inbox.take(message, request.remoteAddress) }
    },
  }),
})
