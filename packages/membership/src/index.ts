import { defineModule, type Service } from 'plinth'
import { defineAudit, givenBy, type Health } from 'plinth/module'
import { chooseNode } from './choose-node.ts'
import { membershipCommands } from './commands.ts'
import { membershipEndpoints, messageEndpoint, type NodeChoice } from './endpoints.ts'
import { membershipFault } from './faults.ts'
import { listNodes, toNodeEntry } from './list-nodes.ts'
import { createNetwork, type Network } from './network.ts'
import { networkSettings, nodeSettings } from './node-settings.ts'
import { publishedControllers } from './settings.ts'
import { tables } from './tables.ts'

const auditTypes = {
  request: 'MEMBERSHIP_REQUESTED',
  amend: 'MEMBERSHIP_AMENDED',
  activate: 'MEMBERSHIP_ACTIVATED',
  suspend: 'MEMBERSHIP_SUSPENDED',
  decline: 'MEMBERSHIP_DECLINED',
  revoke: 'MEMBERSHIP_REVOKED',
} as const

const membershipAudit = defineAudit(Object.values(auditTypes))

const createServiceNetwork = ({ platform, config, logs }: Service): Network =>
  createNetwork({
    platform,
    config,
    log: logs.named('membership'),
    audit: (records, { act, principal, data }) =>
      membershipAudit.record(records, { type: auditTypes[act], principal, data, now: platform.clock() }),
  })

/** Reports the health of nodes. Only the operations of a node that is down fail: the service itself is not down. */
const healthOfNodes = async ({ nodes }: Network): Promise<Health> => {
  const found = await Promise.all(
    nodes.map(async node => {
      const { party, role, kind } = node
      return [node.name, { ...(await node.health()), party, role, kind }] as const
    }),
  )
  const isUp = found.every(([, { status }]) => status === 'UP')
  return { status: isUp ? 'UP' : 'UNKNOWN', ...Object.fromEntries(found) }
}

const endpointsOf = ({ config, platform }: Service, network: Network) => {
  const { nodeHeader: header, nodeCookie: cookie } = config.get(networkSettings)
  const controllers = publishedControllers(config)
  const choice: NodeChoice = {
    maxPageSize: platform.limits.maxPageSize,
    choose: (request, role) => chooseNode(network, { header, cookie }, { request, role }),
    named: name => network.named(name),
  }
  return [
    ...membershipEndpoints(choice, controllers),
    ...(controllers.length > 0 ? [listNodes({ nodes: () => network.nodes, controllers, header })] : []),
    ...(network.takesMessages ? [messageEndpoint(() => network.embedded)] : []),
  ] as const
}

export const membership = defineModule({
  name: 'membership',
  title: { de: 'Mitgliedschaft' },
  about: {
    en: 'Memberships in business networks and their nodes.',
    de: 'Mitgliedschaften in Geschäftsnetzwerken und ihre Knoten.',
  },
  faults: membershipFault.table,
  settings: [networkSettings, nodeSettings],
  features: [givenBy('bnms.controllers', networkSettings, 'controllers')],
  auditTypes: membershipAudit.types,
  web: '@plinth/membership/web',
  resources: tables,
  commands: membershipCommands,
  create: service => {
    const network = createServiceNetwork(service)
    return {
      health: { nodes: () => healthOfNodes(network) },
      info: () => ({ nodes: network.nodes.map(toNodeEntry) }),
      endpoints: () => endpointsOf(service, network),
      check: async () => {
        for (const node of network.embedded) await node.prepare()
      },
      start: async () => {
        const stops: (() => Promise<void>)[] = []
        for (const node of network.nodes) stops.push(await node.start())
        return async () => {
          for (const stop of stops) await stop()
        }
      },
    }
  },
})
