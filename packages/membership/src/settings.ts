// The nodes of the configuration: `app.nodes.<name>.…`, checked together.

import { join } from 'node:path'
import {
  appSettings,
  type Config,
  ConfigError,
  type ConfigFault,
  databaseSettings,
  errorMessage,
  type NamedSettingsOf,
  ValueFault,
} from 'plinth/module'
import type { Adapter, NodeConnection } from './adapter.ts'
import { adapterNamed } from './adapters.ts'
import { createMetadataReader, type ReadMetadata } from './metadata-types.ts'
import { isPlainBeyondLoopback, toNodeUrl } from './node-address.ts'
import type { KeySettings } from './node-key.ts'
import { longestNodeName, networkSettings, nodeSettings } from './node-settings.ts'
import { canonicalX500 } from './x500.ts'

export interface NodeSettings extends KeySettings {
  readonly role: 'operator' | 'member'
  /** The process that runs the node; null when its ledger is in the service's own database. */
  readonly remote: RemoteSettings | null
  readonly readMetadata: ReadMetadata
  /** Canonical names of the operators it deals with; null for all. */
  readonly whitelist: readonly string[] | null
  readonly networkMap: string | null
}

export interface RemoteSettings extends NodeConnection {
  readonly adapter: Adapter
  /** Files under which its own process answers at an https address. */
  readonly tls: { readonly certificate: string; readonly key: string } | null
}

export type RemoteNodeSettings = NodeSettings & { readonly remote: RemoteSettings }

type NodeValues = NamedSettingsOf<typeof nodeSettings>

/** Throws one ConfigError that names every error. */
export const readNodeSettings = (config: Config): readonly NodeSettings[] => {
  const configured = config.named(nodeSettings)
  if (configured.length === 0 && config.get(appSettings).demo) return demoNodes(config)
  const faults: ConfigFault[] = []
  const parties = new Set<string>()
  const nodes = configured.flatMap(node => {
    const settings = readNode(node, { config, faults })
    if (!settings) return []
    if (parties.has(settings.party)) faults.push(node.faultAt('partyName', 'is the name of another node too'))
    parties.add(settings.party)
    return [settings]
  })
  if (faults.length > 0) throw new ConfigError(faults)
  return nodes
}

interface NodeReading {
  readonly config: Config
  readonly faults: ConfigFault[]
}

const readNode = (node: NodeValues, reading: NodeReading): NodeSettings | undefined => {
  const { config, faults } = reading
  const { values, faultAt } = node
  const { name } = node.parts
  const attempt = <T>(field: keyof typeof values, read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      const message = error instanceof ValueFault ? `the name ${error.message}` : errorMessage(error)
      faults.push(faultAt(field, message))
      return undefined
    }
  }
  const { partyName, keyFile } = values
  if (name.length > longestNodeName)
    faults.push(faultAt('partyName', `the name of a node has at most ${longestNodeName} characters`))
  if (!partyName) faults.push(faultAt('partyName', 'is required: the X.500 name of the node'))
  const party = attempt('partyName', () => (partyName ? canonicalX500(partyName) : undefined))
  const readMetadata = attempt('bnmsServiceType', () =>
    createMetadataReader(values.bnmsServiceType ?? 'json', { schema: values.metadataSchema }),
  )
  const whitelist = attempt('bnoWhitelist', () => values.bnoWhitelist?.map(canonicalX500) ?? null)
  const adapter = attempt('adapter', () => adapterNamed(values.adapter ?? 'remote'))
  const isHere = values.address === undefined && values.adapter === undefined
  const remote = isHere ? null : adapter && readRemote(node, adapter, reading)
  if (party === undefined || !readMetadata || whitelist === undefined || remote === undefined) return undefined
  return {
    name,
    party,
    role: values.role ?? 'member',
    remote,
    readMetadata,
    whitelist,
    networkMap: values.networkMap ?? null,
    // A process of its own has a data folder of its own, and its ledger in there.
    ...(keyFile === undefined && remote === null
      ? usualKey(name, config)
      : { keyFile: keyFile ?? usualKey(name, config).keyFile, keyPlace: 'file' as const }),
  }
}

const usualKey = (name: string, config: Config): Pick<KeySettings, 'keyFile' | 'keyPlace'> => ({
  keyFile: join(config.get(appSettings).dataDir, `node-${name}.key`),
  keyPlace: config.get(databaseSettings).url === '' ? 'file' : 'database',
})

const readRemote = (
  { values, faultAt }: NodeValues,
  adapter: Adapter,
  { config, faults }: NodeReading,
): RemoteSettings | undefined => {
  const { username, password, tlsCertificate: certificate, tlsKey: key } = values
  const url = toNodeUrl(values.address ?? '')
  const adminUrl = values.adminAddress === undefined ? null : toNodeUrl(values.adminAddress)
  if (!url) faults.push(faultAt('address', 'must be host:port'))
  if (adminUrl === undefined) faults.push(faultAt('adminAddress', 'must be host:port'))
  const exposed =
    "must be an https address: passwords would travel in plain http. To allow it, set 'app.bnms.allowPlainHttp'"
  if (url && isExposed(url, config)) faults.push(faultAt('address', exposed))
  if (adminUrl && isExposed(adminUrl, config)) faults.push(faultAt('adminAddress', exposed))
  if (!username) faults.push(faultAt('username', 'is required beside an address'))
  if (!password) faults.push(faultAt('password', 'is required beside an address'))
  if (Boolean(certificate) !== Boolean(key)) faults.push(faultAt('tlsKey', 'a certificate and its key come together'))
  if (!url || adminUrl === undefined || !username || !password) return undefined
  const tls = certificate && key ? { certificate, key } : null
  return { adapter, tls, url, adminUrl, username, password }
}

const isExposed = (url: string, config: Config): boolean =>
  isPlainBeyondLoopback(url) && !config.get(networkSettings).allowPlainHttp

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

/** Returns the path styles that are published. The nodes of the demo come with all of them. */
export const publishedControllers = (config: Config): readonly Controller[] => {
  const named = config.get(networkSettings).controllers
  if (named.length > 0 || !config.get(appSettings).demo) return named
  return config.named(nodeSettings).length === 0 ? controllers : named
}
