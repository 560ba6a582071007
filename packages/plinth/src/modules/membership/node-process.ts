// A node as a process of its own: the same operations for its service, messages for other nodes, and its health on an
// address of its own. It has its own database and key in the data folder.

import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiSettings } from '../../core/config/api-settings.ts'
import { ConfigError } from '../../core/config/load.ts'
import { appSettings, databaseSettings, logSettings, serverSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { createFolder } from '../../core/durable-files.ts'
import { ChangeFeed } from '../../core/events/change-feed.ts'
import { reportUncaught, type UncaughtKind } from '../../core/guarded.ts'
import type { Request, Route } from '../../core/http/exchange.ts'
import { readLimits, type Tls } from '../../core/http/options.ts'
import { createServer } from '../../core/http/server.ts'
import { createLogs, type Logs } from '../../core/log/logs.ts'
import { createAccess } from '../../core/model/access.ts'
import { type Caller, nobody } from '../../core/model/caller.ts'
import { createRegistry, type Registry } from '../../core/model/registry.ts'
import { Problem } from '../../core/problem.ts'
import { readerOf } from '../../core/records/reader.ts'
import { recordsWithin, serviceRecords } from '../../core/records/records.ts'
import { endpointRoutes } from '../../core/rest/endpoint-route.ts'
import { limitsOf, type Platform } from '../../core/rest/platform.ts'
import { createFallbacks } from '../../core/rest/problem-response.ts'
import { RateLimiter } from '../../core/rest/rate-limit.ts'
import type { FrontDoor } from '../../core/rest/service.ts'
import { createStore, type Store } from '../../core/store/store.ts'
import { version } from '../../version.ts'
import { type EmbeddedNode, toParty } from './embedded-node.ts'
import { membershipEndpoints, messageEndpoint, type NodeChoice } from './endpoints.ts'
import { type Identity, readPublicKey } from './identity.ts'
import { listNodes } from './list-nodes.ts'
import { createNetwork } from './network.ts'
import { createNetworkMap } from './network-map.ts'
import { createNodeKey } from './node-key.ts'
import { networkSettings } from './node-settings.ts'
import { controllers, type DistantNode, type NodeSettings, type RemoteSettings, readNodeSettings } from './settings.ts'
import { tables } from './tables.ts'
import { type Verdict, verifyLedger } from './verify.ts'

export interface RunningNode {
  readonly name: string
  readonly party: string
  readonly address: string
  /** Logs and counts an error that nothing has caught. */
  reportUncaught(kind: UncaughtKind, error: unknown): void
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

/** In its own process the node is no longer somewhere else. */
const here = (node: NodeSettings): NodeSettings => ({ ...node, remote: null })

const openStore = async (config: Config, node: NodeSettings, registry: Registry): Promise<Store> => {
  const folder = config.get(appSettings).dataDir
  await createFolder(folder)
  if (node.remote) return createStore({ url: join(folder, `node-${node.name}.db`), registry })
  return createStore({ url: config.get(databaseSettings).url || join(folder, 'plinth.db'), registry })
}

export const startNode = async (config: Config, name: string | undefined): Promise<RunningNode> => {
  const node = nodeOf(config, name)
  const { remote } = node
  if (!remote) throw fault(`app.nodes.${node.name}.address`, 'a node without an address runs within the service')
  const logs = createLogs({
    level: config.get(logSettings).level,
    levels: {},
    secrets: [...config.secrets],
    sink: 'stderr',
  })
  const registry = createRegistry(tables)
  const store = await openStore(config, node, registry)
  try {
    await store.migrate(version)
    return await listen({ ...node, remote }, { config, logs, registry, store })
  } catch (error) {
    await store.close()
    throw error
  }
}

interface Surroundings {
  readonly config: Config
  readonly logs: Logs
  readonly registry: Registry
  readonly store: Store
}

/** Orders carry identifiers of their own, which the ledger minds. */
const fingerprintKey = () => Promise.reject(new Error('a node takes no fingerprints'))

const listen = async (node: DistantNode, { config, logs, registry, store }: Surroundings): Promise<RunningNode> => {
  const log = logs.named('membership')
  const clock = () => new Date()
  const changes = new ChangeFeed(store.events, { log, retention: { hours: 1, rows: 1000 } })
  const access = createAccess(registry)
  const limits = limitsOf(config)
  const rateLimiter = new RateLimiter({ clock })
  const platform: Platform = {
    ...{ registry, access, store, changes, limits, rateLimiter, fingerprintKey, clock },
    recordsIn: recordsWithin,
    records: serviceRecords({ store, clock }),
  }
  const audit = async (_tx: unknown, event: object) => log.info(event, 'membership changed')
  const network = createNetwork({ platform, config, log, audit }, [here(node)])
  const [embedded] = network.embedded
  if (!embedded) throw new Error('a node that is here is embedded')
  const door = createDoor(platform, node.remote, logs)
  const choice: NodeChoice = {
    maxPageSize: limits.maxPageSize,
    choose: () => embedded,
    named: name => network.named(name),
  }
  const routes = endpointRoutes(door, [
    ...membershipEndpoints(choice, controllers),
    messageEndpoint(() => network.embedded),
    listNodes({ nodes: () => network.nodes, controllers, header: config.get(networkSettings).nodeHeader }),
  ])
  const tls = await tlsOf(node)
  const open = (url: string, routes: readonly Route[]) =>
    createServer({
      ...placeOf(url),
      ...(tls && url.startsWith('https:') && { tls }),
      maxBodyBytes: config.get(apiSettings).maxBodyBytes,
      limits: readLimits(config),
      log: logs.named('http'),
      routes,
      ...createFallbacks(door),
    })
  const servers = [open(node.remote.url, routes)]
  if (node.remote.adminUrl) servers.push(open(node.remote.adminUrl, [healthRoute(embedded, door)]))
  const stop = await embedded.start()
  const [address = ''] = await Promise.all(servers.map(server => server.listen()))
  log.info({ node: node.name, party: node.party, address }, 'node is ready')
  return {
    name: node.name,
    party: node.party,
    address,
    reportUncaught: (kind, error) => reportUncaught(log, kind, error),
    close: async () => {
      await Promise.all(servers.map(server => server.close()))
      await stop()
      await store.close()
      await logs.flush()
    },
  }
}

const placeOf = (url: string): { readonly host: string; readonly port: number } => {
  const { protocol, hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}

/** What an https address is served with; never in clear text by mistake. */
const tlsOf = async ({ name, remote: { url, adminUrl, tls } }: DistantNode): Promise<Tls | undefined> => {
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

/** Compared as hashes, so that the time it takes tells nothing. */
const hashed = (text: string): Buffer => createHash('sha256').update(text).digest()

const createDoor = (platform: Platform, { username, password }: RemoteSettings, logs: Logs): FrontDoor => {
  const expected = hashed(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
  const log = logs.named('rest')
  const authenticate = ({ headers: { authorization }, remoteAddress, path }: Request, forgiving?: boolean): Caller => {
    if (authorization === undefined) return nobody
    if (timingSafeEqual(hashed(authorization), expected)) return operatorOfNode(username)
    if (forgiving) return nobody
    log.warn({ remoteAddress, path }, 'wrong login')
    throw new Problem('unauthorized')
  }
  return {
    platform,
    authenticate,
    peekCaller: () => null,
    allowsOrigin: async () => false,
    isKnownOrigin: () => false,
    reportRefusal: () => {},
    reportFailure: (error, { id, method, path }) => {
      log.error({ err: error, requestId: id, method, path }, 'failed')
      return null
    },
  }
}

/** Whether the node is well, for anyone; how well, for who has its login. */
const healthRoute = (node: EmbeddedNode, door: FrontDoor): Route => ({
  method: 'GET',
  path: '/health',
  handler: async request => {
    const caller = await door.authenticate(request, true)
    const health = await node.health().catch(() => ({ status: 'DOWN' as const }))
    const shown = caller.pk === null ? { status: health.status } : { ...health, node: node.name, party: node.party }
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    return { status: health.status === 'UP' ? 200 : 503, headers, body: JSON.stringify(shown) }
  },
})

/** Where the nodes within the service take messages, unless a proxy with a path stands before it. */
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
  const registry = createRegistry(tables)
  const key = createNodeKey(node)
  if (node.keyPlace === 'file') return key.identity()
  const store = await openStore(config, node, registry)
  try {
    const identity = await key.peek(store).catch(() => null)
    if (identity) return identity
    throw fault(`app.nodes.${node.name}`, 'the node has no key yet: start the service, which makes it in its database')
  } finally {
    await store.close()
  }
}

export const verifyNode = async (config: Config, name: string | undefined): Promise<Verdict & { node: string }> => {
  const node = nodeOf(config, name)
  const registry = createRegistry(tables)
  const store = await openStore(config, node, registry)
  try {
    // A process of its own shares neither the ledger nor the keys of the service's nodes, even where it shares their settings.
    const together = node.remote ? [node] : readNodeSettings(config).filter(other => !other.remote)
    const keys = together.map(other => ({ other, key: createNodeKey(other) }))
    for (const { key } of keys) await key.peek(store)
    const siblings = keys.map(({ other, key }) => toParty(other, key))
    const map = createNetworkMap({ file: node.networkMap, siblings, allowsPlainHttp: true, onFault: () => {} })
    const own = keys.find(({ other }) => other.name === node.name)?.key
    const keyOf = (party: string) =>
      party === node.party && own ? readPublicKey(own.identity().publicKey) : map.party(party)?.key
    const verdict = await verifyLedger({ node: node.name, party: node.party, records: readerOf(store), keyOf })
    return { ...verdict, node: node.name }
  } finally {
    await store.close()
  }
}
