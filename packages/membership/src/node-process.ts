// A node as a process of its own: the same operations for its service, messages for other nodes, and its health on an
// address of its own. It has its own database and key in the data folder.

import { createHash, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Caller } from 'plinth'
import {
  appSettings,
  type Config,
  ConfigError,
  createSideService,
  databaseSettings,
  openRecords,
  type RecordPlace,
  type Route,
  type SideService,
  serverSettings,
  type Tls,
  type UncaughtReporter,
} from 'plinth/module'
import { type EmbeddedNode, toParty } from './embedded-node.ts'
import { membershipEndpoints, messageEndpoint, type NodeChoice } from './endpoints.ts'
import { type Identity, readPublicKey } from './identity.ts'
import { listNodes } from './list-nodes.ts'
import { createNetwork } from './network.ts'
import { createNetworkMap } from './network-map.ts'
import { createNodeKey } from './node-key.ts'
import { networkSettings } from './node-settings.ts'
import {
  controllers,
  type NodeSettings,
  type RemoteNodeSettings,
  type RemoteSettings,
  readNodeSettings,
} from './settings.ts'
import { tables } from './tables.ts'
import { type Verdict, verifyLedger } from './verify.ts'

export interface RunningNode extends UncaughtReporter {
  readonly name: string
  readonly party: string
  readonly address: string
  close(): Promise<void>
}

const fault = (name: string, message: string): ConfigError =>
  new ConfigError([{ name, where: 'configuration', message }])

/** The node of this name, or the only one. */
const nodeOf = (config: Config, name: string | undefined): NodeSettings => {
  const nodes = readNodeSettings(config)
  const found = name === undefined && nodes.length === 1 ? nodes[0] : nodes.find(node => node.name === name)
  if (found) return found
  const known = nodes.map(node => node.name).join(', ') || 'none'
  throw fault('app.nodes', name === undefined ? `say which node: ${known}` : `there is no node '${name}', but ${known}`)
}

/** Removes the remote address: in its own process the node is no longer somewhere else. */
const here = (node: NodeSettings): NodeSettings => ({ ...node, remote: null })

/** A node in its own process has a file of its own; a node within the service has the database of the service. */
const placeOf = (config: Config, node: NodeSettings): RecordPlace => {
  const folder = config.get(appSettings).dataDir
  const database = node.remote
    ? join(folder, `node-${node.name}.db`)
    : config.get(databaseSettings).url || join(folder, 'plinth.db')
  return { database, resources: tables }
}

export const startNode = async (config: Config, name: string | undefined): Promise<RunningNode> => {
  const node = nodeOf(config, name)
  const { remote } = node
  if (!remote) throw fault(`app.nodes.${node.name}.address`, 'a node without an address runs within the service')
  const service = await createSideService(config, {
    name: 'membership',
    ...placeOf(config, node),
    authenticate: operatorBy(remote),
  })
  try {
    return await listen({ ...node, remote }, config, service)
  } catch (error) {
    await service.close()
    throw error
  }
}

const listen = async (node: RemoteNodeSettings, config: Config, service: SideService): Promise<RunningNode> => {
  const { platform, log } = service
  const audit = async (_: unknown, event: object) => log.info(event, 'membership changed')
  const network = createNetwork({ platform, config, log, audit }, [here(node)])
  const [embedded] = network.embedded
  if (!embedded) throw new Error('a node that is here is embedded')
  const choice: NodeChoice = {
    maxPageSize: platform.limits.maxPageSize,
    choose: () => embedded,
    named: name => network.named(name),
  }
  const endpoints = [
    ...membershipEndpoints(choice, controllers),
    messageEndpoint(() => network.embedded),
    listNodes({ nodes: () => network.nodes, controllers, header: config.get(networkSettings).nodeHeader }),
  ]
  const tls = await tlsOf(node)
  const { url, adminUrl } = node.remote
  const admin = adminUrl ? [{ url: adminUrl, tls, routes: [healthRoute(embedded, service)] }] : []
  const stop = await embedded.start()
  const [address = ''] = await service.listen([{ url, tls, endpoints }, ...admin])
  log.info({ node: node.name, party: node.party, address }, 'node is ready')
  return {
    name: node.name,
    party: node.party,
    address,
    reportUncaught: service.reportUncaught,
    reportRejection: service.reportRejection,
    close: async () => {
      await service.stopListening()
      await stop()
      await service.close()
    },
  }
}

/** What an https address is served with; never in clear text by mistake. */
const tlsOf = async ({ name, remote: { url, adminUrl, tls } }: RemoteNodeSettings): Promise<Tls | undefined> => {
  const isSecure = [url, adminUrl].some(one => one?.startsWith('https:'))
  if (isSecure && !tls)
    throw fault(
      `app.nodes.${name}.tlsCertificate`,
      'an https address needs a certificate; behind a proxy that ends TLS, give the node its own address',
    )
  return tls ? { cert: await readFile(tls.certificate, 'utf8'), key: await readFile(tls.key, 'utf8') } : undefined
}

const operatorOfNode = (username: string): Caller => ({
  pk: `node:${username}`,
  username,
  roles: new Set(['ROLE_SITE_OPERATOR', 'ROLE_USER']),
})

/** Hashes a text for comparisons, so that the time they take reveals nothing. */
const hashed = (text: string): Buffer => createHash('sha256').update(text).digest()

const operatorBy = ({ username, password }: RemoteSettings): ((authorization: string) => Caller | null) => {
  const expected = hashed(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
  return authorization => (timingSafeEqual(hashed(authorization), expected) ? operatorOfNode(username) : null)
}

/** The route that shows anyone whether the node is well, and those who have its login how well. */
const healthRoute = (node: EmbeddedNode, service: SideService): Route => ({
  method: 'GET',
  path: '/health',
  handler: async request => {
    const caller = service.authenticate(request, true)
    const health = await node.health().catch(() => ({ status: 'DOWN' as const }))
    const status = caller.pk === null ? { status: health.status } : { ...health, node: node.name, party: node.party }
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    return { status: health.status === 'UP' ? 200 : 503, headers, body: JSON.stringify(status) }
  },
})

/** The address where the nodes within the service take messages, unless a proxy with a path stands before it. */
const serviceAddress = (config: Config): string => {
  const base = config.get(appSettings).baseUrl
  if (base !== '') return new URL(base).origin
  const host = config.get(serverSettings).host
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.get(serverSettings).port}`
}

/** What the network map of others must say of the node. */
export const nodeEntry = async (config: Config, name: string | undefined): Promise<object> => {
  const node = nodeOf(config, name)
  const { party, publicKey } = await identityOf(config, node)
  return { partyName: party, role: node.role, address: node.remote?.url ?? serviceAddress(config), publicKey }
}

const identityOf = async (config: Config, node: NodeSettings): Promise<Identity> => {
  const key = createNodeKey(node)
  const isInFile = node.keyPlace === 'file'
  if (isInFile && existsSync(node.keyFile)) return key.identity()
  const { records, close } = await openRecords(placeOf(config, node))
  try {
    const identity = await key.peek(records).catch(() => (isInFile ? key.identity() : null))
    if (identity) return identity
    throw fault(`app.nodes.${node.name}`, 'the node has no key yet: start the service, which makes it in its database')
  } finally {
    await close()
  }
}

export const verifyNode = async (config: Config, name: string | undefined): Promise<Verdict & { node: string }> => {
  const node = nodeOf(config, name)
  const { records, close } = await openRecords(placeOf(config, node))
  try {
    // A process of its own shares neither the ledger nor the keys of the service's nodes, even where it shares their settings.
    const together = node.remote ? [node] : readNodeSettings(config).filter(other => !other.remote)
    const keys = together.map(other => ({ other, key: createNodeKey(other) }))
    for (const { key } of keys) await key.peek(records)
    const siblings = keys.map(({ other, key }) => toParty(other, key))
    const map = createNetworkMap({ file: node.networkMap, siblings, allowsPlainHttp: true, onFault: () => {} })
    const own = keys.find(({ other }) => other.name === node.name)?.key
    const keyOf = (party: string) =>
      party === node.party && own ? readPublicKey(own.identity().publicKey) : map.party(party)?.key
    const verdict = await verifyLedger({ node: node.name, party: node.party, records, keyOf })
    return { ...verdict, node: node.name }
  } finally {
    await close()
  }
}
