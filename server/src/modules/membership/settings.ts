// The nodes of the configuration: `app.nodes.<name>.…`, checked together.

import { join } from 'node:path'
import { type Config, ConfigError } from '../../config.ts'
import { ValueFault } from '../../core/model/field.ts'
import { type Adapter, adapterNamed } from './adapters.ts'
import { createMetadataReader, type ReadMetadata } from './metadata-types.ts'
import { isPlainBeyondLoopback, toNodeUrl } from './network-map.ts'
import { canonicalX500 } from './x500.ts'

export interface NodeSettings {
  readonly name: string
  /** The canonical X.500 name. */
  readonly party: string
  readonly role: 'operator' | 'member'
  /** Where another process runs the node; null when its ledger is in the service's own database. */
  readonly remote: RemoteSettings | null
  readonly readMetadata: ReadMetadata
  /** Canonical names of the operators it deals with; null for all. */
  readonly whitelist: readonly string[] | null
  readonly networkMap: string | null
  readonly keyFile: string
  /** Where the private key is: see node-key.ts. */
  readonly keyPlace: 'file' | 'database'
}

export interface RemoteSettings {
  readonly adapter: Adapter
  /** Files under which its own process answers at an https address. */
  readonly tls: { readonly certificate: string; readonly key: string } | null
  readonly url: string
  readonly adminUrl: string | null
  readonly username: string
  readonly password: string
}

/** A node whose ledger is elsewhere. */
export type DistantNode = NodeSettings & { readonly remote: RemoteSettings }

export const longestNodeName = 60

const properties = [
  'username',
  'password',
  'address',
  'adminAddress',
  'adapter',
  'tlsCertificate',
  'tlsKey',
  'bnmsServiceType',
  'metadataSchema',
  'partyName',
  'role',
  'networkMap',
  'keyFile',
] as const
type Property = (typeof properties)[number]
type Given = Partial<Record<Property, string>> & { bnoWhitelist?: readonly string[] }

type Fault = ConstructorParameters<typeof ConfigError>[0][number]

/** Throws one ConfigError that names every fault. */
export const readNodeSettings = (config: Config): readonly NodeSettings[] => {
  const given = givenNodes(config)
  if (given.size === 0 && config.get('app.demo')) return demoNodes(config)
  const faults: Fault[] = []
  const nodes = [...given].flatMap(([name, properties]) => {
    const fault = (property: string, message: string) =>
      void faults.push({ name: `app.nodes.${name}.${property}`, where: 'configuration', message })
    return readNode(name, properties, { config, fault }) ?? []
  })
  for (const [index, { name, party }] of nodes.entries()) {
    if (nodes.findIndex(other => other.party === party) < index) {
      const message = 'is the name of another node too'
      faults.push({ name: `app.nodes.${name}.partyName`, where: 'configuration', message })
    }
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return nodes
}

const givenNodes = (config: Config): Map<string, Given> => {
  const nodes = new Map<string, Given>()
  const set = (name: string, value: Given) => nodes.set(name, { ...nodes.get(name), ...value })
  for (const property of properties) {
    for (const { parts, value } of config.named(`app.nodes.<name>.${property}`)) set(parts.name, { [property]: value })
  }
  for (const { parts, value } of config.named('app.nodes.<name>.bnoWhitelist')) set(parts.name, { bnoWhitelist: value })
  return nodes
}

interface Reading {
  readonly config: Config
  readonly fault: (property: string, message: string) => void
}

const readNode = (name: string, given: Given, { config, fault }: Reading): NodeSettings | undefined => {
  const attempt = <T>(property: string, read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      fault(property, error instanceof ValueFault ? `the name ${error.message}` : (error as Error).message)
      return undefined
    }
  }
  if (name.length > longestNodeName) fault('partyName', `the name of a node has at most ${longestNodeName} characters`)
  if (given.partyName === undefined) fault('partyName', 'is required: the X.500 name of the node')
  const party = attempt('partyName', () => (given.partyName ? canonicalX500(given.partyName) : undefined))
  const readMetadata = attempt('bnmsServiceType', () =>
    createMetadataReader(given.bnmsServiceType ?? 'json', { schema: given.metadataSchema }),
  )
  const whitelist = attempt('bnoWhitelist', () => given.bnoWhitelist?.map(canonicalX500) ?? null)
  const adapter = attempt('adapter', () => adapterNamed(given.adapter ?? 'remote'))
  const isHere = given.address === undefined && given.adapter === undefined
  const remote = isHere ? null : adapter && readRemote(given, adapter, { config, fault })
  if (party === undefined || !readMetadata || whitelist === undefined || remote === undefined) return undefined
  return {
    name,
    party,
    role: given.role === 'operator' ? 'operator' : 'member',
    remote,
    readMetadata,
    whitelist,
    networkMap: given.networkMap ?? null,
    // A process of its own has a data folder of its own, and its ledger in there.
    ...(given.keyFile === undefined && remote === null
      ? usualKey(name, config)
      : { keyFile: given.keyFile ?? usualKey(name, config).keyFile, keyPlace: 'file' as const }),
  }
}

const usualKey = (name: string, config: Config): Pick<NodeSettings, 'keyFile' | 'keyPlace'> => ({
  keyFile: join(config.get('app.dataDir'), `node-${name}.key`),
  keyPlace: config.get('app.database.url') === '' ? 'file' : 'database',
})

const readRemote = (given: Given, adapter: Adapter, { config, fault }: Reading): RemoteSettings | undefined => {
  const url = toNodeUrl(given.address ?? '')
  const adminUrl = given.adminAddress === undefined ? null : toNodeUrl(given.adminAddress)
  if (!url) fault('address', 'expected host:port')
  if (adminUrl === undefined) fault('adminAddress', 'expected host:port')
  const exposed =
    "must be an https address: passwords would travel in plain http. To allow it, set 'app.bnms.allowPlainHttp'"
  if (url && isExposed(url, config)) fault('address', exposed)
  if (adminUrl && isExposed(adminUrl, config)) fault('adminAddress', exposed)
  if (!given.username) fault('username', 'is required beside an address')
  if (!given.password) fault('password', 'is required beside an address')
  const { tlsCertificate: certificate, tlsKey: key } = given
  if (Boolean(certificate) !== Boolean(key)) fault('tlsKey', 'a certificate and its key come together')
  if (!url || adminUrl === undefined || !given.username || !given.password) return undefined
  const tls = certificate && key ? { certificate, key } : null
  return { adapter, tls, url, adminUrl, username: given.username, password: given.password }
}

const isExposed = (url: string, config: Config): boolean =>
  isPlainBeyondLoopback(url) && !config.get('app.bnms.allowPlainHttp')

const demoNodes = (config: Config): NodeSettings[] => {
  const shared = { readMetadata: createMetadataReader('json', { schema: undefined }), remote: null, networkMap: null }
  return [
    {
      ...shared,
      name: 'operator',
      party: 'O=Demo Operator, L=Athens, C=GR',
      role: 'operator',
      whitelist: null,
      ...usualKey('operator', config),
    },
    {
      ...shared,
      name: 'member',
      party: 'O=Demo Member, L=London, C=GB',
      role: 'member',
      whitelist: null,
      ...usualKey('member', config),
    },
  ]
}

export const controllers = ['bno', 'member', 'bnos', 'members'] as const
export type Controller = (typeof controllers)[number]

/** Which path styles are published. The nodes of the demo come with all of them. */
export const publishedControllers = (config: Config): readonly Controller[] => {
  const named = config.get('app.bnms.controllers')
  if (named.length > 0 || !config.get('app.demo')) return named
  return givenNodes(config).size === 0 ? controllers : named
}
