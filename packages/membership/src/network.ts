// The nodes of a service: made from the settings, found by any of their names, chosen for a request.

import { Problem } from 'plinth'
import type { Config, Platform } from 'plinth/module'
import { createEmbeddedNode, type EmbeddedNode, toParty } from './embedded-node.ts'
import { createPost } from './exchange.ts'
import type { RecordMembershipEvent } from './membership-event.ts'
import { createNetworkMap } from './network-map.ts'
import type { MembershipNode } from './node.ts'
import { createNodeKey } from './node-key.ts'
import { networkSettings } from './node-settings.ts'
import { readNodeSettings } from './settings.ts'
import { canonicalX500, isX500, plainWords, readX500 } from './x500.ts'

export interface NetworkParts {
  readonly platform: Platform
  readonly config: Config
  readonly log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
    error(fields: object, message: string): void
  }
  readonly audit: RecordMembershipEvent
}

export interface Network {
  readonly nodes: readonly MembershipNode[]
  readonly embedded: readonly EmbeddedNode[]
  /** Do other processes send messages here? */
  readonly takesMessages: boolean
  /** Finds a node by configured name, organisation or X.500 name in any spelling; unknown: 404, ambiguous: 400. */
  named(text: string): MembershipNode
  /** The only node of all, or the only one of the role; none: 404, several: 400. */
  only(role: MembershipNode['role']): MembershipNode
}

export const createNetwork = (parts: NetworkParts, settings = readNodeSettings(parts.config)): Network => {
  const { platform, config, log, audit } = parts
  const { records, clock } = platform
  const timeoutMs = config.get(networkSettings).timeoutMs
  const allowsPlainHttp = config.get(networkSettings).allowPlainHttp
  const post = createPost(timeoutMs)
  const local = settings.filter(one => !one.remote).map(one => ({ one, key: createNodeKey(one) }))
  // How to reach a node of the same configuration that is another process, only the network map says.
  const siblings = local.map(({ one, key }) => toParty(one, key))
  const embedded = local.map(({ one, key }) => {
    const onFault = (message: string) => log.error({ node: one.name }, message)
    const map = createNetworkMap({ file: one.networkMap, siblings, allowsPlainHttp, onFault })
    return createEmbeddedNode(one, { records, clock, log, map, post, audit, key })
  })
  const distant = settings.flatMap(one =>
    one.remote ? [one.remote.adapter.create({ ...one, remote: one.remote }, { records, audit, timeoutMs, log })] : [],
  )
  const nodes: readonly MembershipNode[] = [...embedded, ...distant]
  return {
    nodes,
    embedded,
    takesMessages: settings.some(one => !one.remote && one.networkMap !== null),
    named: text => nodeNamed(nodes, text),
    only: role => {
      // A node alone serves every operation. What it may do, its identity decides.
      const fitting = nodes.length === 1 ? nodes : nodes.filter(node => node.role === role)
      if (fitting.length > 1)
        throw new Problem('bad_request', `There are several nodes of the role '${role}'; name one of them.`)
      if (!fitting[0]) throw new Problem('not_found', `There is no node of the role '${role}'.`)
      return fitting[0]
    },
  }
}

const nodeNamed = (nodes: readonly MembershipNode[], text: string): MembershipNode => {
  const byName =
    nodes.find(({ name }) => name === text) ?? nodes.find(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (byName) return byName
  const fitting = nodes.filter(
    isX500(text)
      ? ({ party }) => party === canonicalOrNone(text)
      : ({ party }) => readX500(party).O === plainWords(text),
  )
  if (fitting.length > 1) throw new Problem('bad_request', `'${text}' is the name of several nodes.`)
  if (!fitting[0])
    throw new Problem('not_found', { en: 'This node does not exist.', de: 'Diesen Knoten gibt es nicht.' })
  return fitting[0]
}

const canonicalOrNone = (text: string): string | null => {
  try {
    return canonicalX500(text)
  } catch {
    return null
  }
}
