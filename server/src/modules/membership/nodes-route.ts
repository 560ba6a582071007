// Which nodes there are and how they fare, so that people can choose one: `GET /api/bnms/nodes`.

import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import type { Json } from '../../core/model/json.ts'
import { signedIn } from '../../core/rest/permit.ts'
import { respond } from '../../core/rest/respond.ts'
import type { FrontDoor } from '../../core/rest/service.ts'
import { describeOperation } from './descriptions.ts'
import type { MembershipNode, NodeHealth } from './node.ts'
import { nodesPath } from './remote-node.ts'
import { maySteer } from './rights.ts'
import type { Controller } from './settings.ts'
import { readX500 } from './x500.ts'

/** What is known without asking the node. */
export const toNodeEntry = ({ name, party, role, kind }: MembershipNode) => ({
  name,
  party,
  organisation: readX500(party).O,
  role,
  kind,
})

export interface Listed {
  readonly nodes: () => readonly MembershipNode[]
  readonly controllers: readonly Controller[]
  /** Names the node in the single style. */
  readonly header: string
}

/** A node that does not answer is listed all the same; which operators it deals with is not known then. */
const toListed = async (node: MembershipNode, listed: Listed, seesAll: boolean): Promise<Json> => {
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

const operationsOf = ({ name, role }: MembershipNode, { controllers, header }: Listed): Json => {
  const path = (several: Controller, single: Controller): string | null => {
    if (controllers.includes(several)) return `/api/bnms/${several}/${encodeURIComponent(name)}/memberships`
    return controllers.includes(single) ? `/api/bnms/${single}/memberships` : null
  }
  return { operator: role === 'operator' ? path('bnos', 'bno') : null, member: path('members', 'member'), header }
}

export const nodesRoute = (door: FrontDoor, listed: Listed): Route => ({
  method: 'GET',
  path: nodesPath,
  describe: describeOperation('nodes', door.platform.limits),
  handler: respond(door, {
    resource: null,
    format: formatsByName.json,
    takesBody: false,
    permit: signedIn,
    run: ({ caller }) => ({
      kind: 'values',
      names: { list: 'nodes', entry: 'node' },
      batches: inOneBatch(listed.nodes().map(node => toListed(node, listed, maySteer(caller)))),
    }),
  }),
})

async function* inOneBatch<T>(values: readonly Promise<T>[]): AsyncGenerator<readonly T[]> {
  yield await Promise.all(values)
}
