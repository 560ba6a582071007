import { givenBy } from '../../core/config/features.ts'
import { defineModule } from '../../core/module.ts'
import type { Health, Service } from '../../core/rest/service.ts'
import { recordAudit } from '../audit/index.ts'
import { chooseNode } from './choose-node.ts'
import { membershipCommands } from './commands.ts'
import { membershipSchemas } from './descriptions.ts'
import { membershipFault } from './faults.ts'
import { createNetwork, type Network } from './network.ts'
import { networkSettings, nodeSettings } from './node-settings.ts'
import { nodesRoute, toNodeEntry } from './nodes-route.ts'
import { membershipRoutes, messageRoute } from './routes.ts'
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

const networks = new WeakMap<Service, Network>()

const networkOf = (service: Service): Network => {
  let network = networks.get(service)
  if (!network) {
    const { platform, config } = service
    network = createNetwork({
      platform,
      config,
      log: service.logs.named('membership'),
      audit: (tx, { act, principal, data }) =>
        recordAudit(tx, { type: auditTypes[act], principal, data, now: platform.clock() }),
    })
    networks.set(service, network)
  }
  return network
}

/** A node that is down takes its own operations with it, not the service: so it is told of, and no more. */
const healthOfNodes = async (service: Service): Promise<Health> => {
  const found = await Promise.all(
    networkOf(service).nodes.map(async node => {
      const { party, role, kind } = node
      return [node.name, { ...(await node.health()), party, role, kind }] as const
    }),
  )
  const isUp = found.every(([, { status }]) => status === 'UP')
  return { status: isUp ? 'UP' : 'UNKNOWN', ...Object.fromEntries(found) }
}

export const membership = defineModule({
  name: 'membership',
  title: { de: 'Mitgliedschaft' },
  about: {
    en: 'Memberships in business networks, and the nodes that keep them.',
    de: 'Mitgliedschaften in Geschäftsnetzwerken und die Knoten, die sie führen.',
  },
  faults: membershipFault.table,
  settings: [networkSettings, nodeSettings],
  features: [givenBy('bnms.controllers', networkSettings, 'controllers')],
  resources: tables,
  schemas: membershipSchemas,
  commands: membershipCommands,
  health: { nodes: healthOfNodes },
  info: service => ({ nodes: networkOf(service).nodes.map(toNodeEntry) }),
  routes: service => {
    const network = networkOf(service)
    const { config } = service
    const names = { header: config.get(networkSettings).nodeHeader, cookie: config.get(networkSettings).nodeCookie }
    const published = publishedControllers(config)
    const parts = {
      door: service,
      choose: (request, role) => chooseNode(network, names, { request, role }),
      named: name => network.named(name),
    } satisfies Parameters<typeof membershipRoutes>[0]
    const listed = { nodes: () => network.nodes, controllers: published, header: names.header }
    return [
      ...membershipRoutes(parts, published),
      ...(published.length > 0 ? [nodesRoute(service, listed)] : []),
      ...(network.takesMessages ? [messageRoute(service, () => network.embedded)] : []),
    ]
  },
  check: async service => {
    for (const node of networkOf(service).embedded) await node.prepare()
  },
  start: async service => {
    const stops: (() => Promise<void>)[] = []
    for (const node of networkOf(service).nodes) stops.push(await node.start())
    return async () => {
      for (const stop of stops) await stop()
    }
  },
})
