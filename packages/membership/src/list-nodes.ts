// Which nodes there are and how they fare, so that people can choose one: `GET /api/bnms/nodes`.

import { defineEndpoint, type ShapeValue } from 'plinth'
import { toStreamAnswer } from 'plinth/module'
import { nodesPath } from './exchange.ts'
import type { MembershipNode, NodeHealth } from './node.ts'
import { maySteer } from './rights.ts'
import type { Controller } from './settings.ts'
import { nodeList, type nodeShape } from './shapes.ts'
import { readX500 } from './x500.ts'

/** What is known without asking the node. */
export const toNodeEntry = ({ name, party, role, kind }: MembershipNode) => ({
  name,
  party,
  organisation: readX500(party).O,
  role,
  kind,
})

export interface PublishedNodes {
  readonly nodes: () => readonly MembershipNode[]
  readonly controllers: readonly Controller[]
  /** Names the node in the single style. */
  readonly header: string
}

/** A node that does not answer is listed all the same; which operators it deals with is not known then. */
const describeNode = async (
  node: MembershipNode,
  listed: PublishedNodes,
  seesAll: boolean,
): Promise<ShapeValue<typeof nodeShape.fields>> => {
  const [operators, health] = await Promise.all([
    node.operators().catch(() => null),
    node.health().catch((): NodeHealth => ({ status: 'DOWN' })),
  ])
  return {
    ...toNodeEntry(node),
    operators,
    // Addresses and backlogs are for those who run the network.
    health: seesAll ? health : { status: health.status },
    operations: operationsOf(node, listed),
  }
}

const operationsOf = ({ name, role }: MembershipNode, { controllers, header }: PublishedNodes) => {
  const path = (several: Controller, single: Controller): string | null => {
    if (controllers.includes(several)) return `/api/bnms/${several}/${encodeURIComponent(name)}/memberships`
    return controllers.includes(single) ? `/api/bnms/${single}/memberships` : null
  }
  return { operator: role === 'operator' ? path('bnos', 'bno') : null, member: path('members', 'member'), header }
}

export const listNodes = (listed: PublishedNodes) =>
  defineEndpoint({
    method: 'GET',
    path: nodesPath,
    id: 'listNetworkNodes',
    summary: 'List the membership nodes of this service',
    description: 'With their health and the operators that each one knows; null for a node that is not responding.',
    tag: 'membership',
    access: 'caller.signedIn',
    answers: { 200: { about: 'The nodes.', value: nodeList } },
    problems: [400, 401, 403, 404, 406, 409, 415, 422, 503],
    answer: ({ caller }) => {
      const nodes = listed.nodes().map(node => describeNode(node, listed, maySteer(caller)))
      return toStreamAnswer(nodeList, inOneBatch(nodes))
    },
  })

async function* inOneBatch<T>(values: readonly Promise<T>[]): AsyncGenerator<readonly T[]> {
  yield await Promise.all(values)
}
