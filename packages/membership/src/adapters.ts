// The ledgers that a node may stand on when it is not in the service's own database. A deployment's own is a further file
// that exports an `Adapter`, and its name in the list below; `app.nodes.<name>.adapter` chooses it.

import type { Records } from 'plinth'
import type { MembershipNode } from './node.ts'
import type { RecordMembershipEvent } from './operator.ts'
import { remote } from './remote-node.ts'
import type { DistantNode } from './settings.ts'

export interface AdapterParts {
  /** For what is kept of a node here: the audit. */
  readonly records: Records
  /** Called for every change that a person requested through the node. */
  readonly audit: RecordMembershipEvent
  readonly timeoutMs: number
  readonly log: { error(fields: object, message: string): void }
}

export interface Adapter {
  /** As `app.nodes.<name>.adapter` names it. */
  readonly name: string
  /** Does not connect yet: a node that is down must not keep the service from starting. */
  create(settings: DistantNode, parts: AdapterParts): MembershipNode
}

const adapters: readonly Adapter[] = [remote]

/** An unknown one stops the start. */
export const adapterNamed = (name: string): Adapter => {
  const adapter = adapters.find(known => known.name === name)
  if (!adapter) throw new Error(`expected one of ${adapters.map(known => known.name).join(', ')}`)
  return adapter
}
