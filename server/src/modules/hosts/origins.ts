// The origins that the hosts records allow, fresh enough that a new record works at once on every instance.

import { originsOfHost } from '../../core/http/cors.ts'
import { everything } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Store } from '../../core/store/store.ts'

/** How long an answer is trusted: short, since other instances write hosts too. */
const trustedFor = 1000

export const createHostOrigins = (store: Store, hosts: Resource) => {
  let origins: Promise<ReadonlySet<string>> = Promise.resolve(new Set())
  let readAt = Number.NEGATIVE_INFINITY
  return (): Promise<ReadonlySet<string>> => {
    const now = performance.now()
    if (now - readAt > trustedFor) {
      readAt = now
      origins = readOrigins(store, hosts)
      // A failure must not be remembered as an answer.
      origins.catch(() => {
        readAt = Number.NEGATIVE_INFINITY
      })
    }
    return origins
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
