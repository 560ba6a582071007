// Which nodes there are, so that people can choose one: `GET /api/bnms/nodes`.

import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import type { Json } from '../../core/model/json.ts'
import { Problem } from '../../core/problem.ts'
import { respond } from '../../core/rest/respond.ts'
import type { FrontDoor } from '../../core/rest/service.ts'
import { describeOperation } from './descriptions.ts'
import type { MembershipNode } from './node.ts'
import { nodesPath } from './remote-node.ts'
import { readX500 } from './x500.ts'

/** What is known without asking the node. */
export const toNodeEntry = ({ name, party, role, kind }: MembershipNode) => ({
  name,
  party,
  organisation: readX500(party).O,
  role,
  kind,
})

/** A node that does not answer is listed all the same; which operators it deals with is not known then. */
const withOperators = async (node: MembershipNode): Promise<Json> => {
  const operators = await node.operators().catch(() => null)
  return { ...toNodeEntry(node), operators }
}

export const nodesRoute = (door: FrontDoor, nodes: () => readonly MembershipNode[]): Route => ({
  method: 'GET',
  path: nodesPath,
  describe: describeOperation('nodes', false),
  handler: respond(door, {
    resource: null,
    format: formatsByName.json,
    takesBody: false,
    run: ({ caller }) => {
      if (caller.pk === null) throw new Problem('unauthorized')
      return {
        kind: 'values',
        names: { list: 'nodes', entry: 'node' },
        batches: inOneBatch(nodes().map(withOperators)),
      }
    },
  }),
})

async function* inOneBatch<T>(values: readonly Promise<T>[]): AsyncGenerator<readonly T[]> {
  yield await Promise.all(values)
}
