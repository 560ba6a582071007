// What a node outside of this process is reached by: a deployment implements `Adapter` for the ledger that it has.

import type { Records } from 'plinth'
import type { RecordMembershipEvent } from './membership-event.ts'
import type { ReadMetadata } from './metadata-types.ts'
import type { MembershipNode } from './node.ts'

export interface NodeConnection {
  readonly url: string
  readonly adminUrl: string | null
  readonly username: string
  readonly password: string
}

/** A node whose ledger is elsewhere, as its settings describe it. */
export interface DistantNode {
  readonly name: string
  /** The canonical X.500 name. */
  readonly party: string
  readonly role: 'operator' | 'member'
  readonly readMetadata: ReadMetadata
  readonly remote: NodeConnection
}

export interface AdapterParts {
  /** The records that are kept of a node here: the audit. */
  readonly records: Records
  /** Is called for every change that a person requested through the node. */
  readonly audit: RecordMembershipEvent
  readonly timeoutMs: number
  readonly log: { error(fields: object, message: string): void }
}

export interface Adapter {
  /** The name in `app.nodes.<name>.adapter`. */
  readonly name: string
  /** Does not connect yet: a node that is down must not keep the service from starting. */
  create(settings: DistantNode, parts: AdapterParts): MembershipNode
}
