// The origins that the hosts records allow: a new record works at once, on every instance.

import { originsOfHost } from '../../core/http/cors.ts'
import { everything } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Store } from '../../core/store/store.ts'

/** How long a yes is trusted without looking again: short, since a record may be taken away. A no is never trusted. */
const trustedFor = 1000

export const createHostOrigins = (store: Store, hosts: Resource): ((origin: string) => Promise<boolean>) => {
  let known: ReadonlySet<string> = new Set()
  let readAt = Number.NEGATIVE_INFINITY
  return async origin => {
    const now = performance.now()
    if (now - readAt <= trustedFor && known.has(origin)) return true
    const origins = await readOrigins(store, hosts)
    if (now > readAt) {
      known = origins
      readAt = now
    }
    return origins.has(origin)
  }
}

const readOrigins = async (store: Store, hosts: Resource): Promise<ReadonlySet<string>> => {
  const origins = new Set<string>()
  for await (const batch of store.stream(hosts, everything(hosts))) {
    for (const host of batch) {
      for (const name of [String(host.name), ...((host.aliases as string[] | null) ?? [])]) {
        for (const origin of originsOfHost(name)) origins.add(origin)
      }
    }
  }
  return origins
}
