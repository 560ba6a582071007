// The ledgers that a node may stand on when it is not in the service's own database. A deployment's own is a further file
// that exports an `Adapter`, and its name in the list below; `app.nodes.<name>.adapter` chooses it.

import type { Adapter } from './adapter.ts'
import { remote } from './remote-node.ts'

const adapters: readonly Adapter[] = [remote]

/** An unknown one stops the start. */
export const adapterNamed = (name: string): Adapter => {
  const adapter = adapters.find(known => known.name === name)
  if (!adapter) throw new Error(`expected one of ${adapters.map(known => known.name).join(', ')}`)
  return adapter
}
