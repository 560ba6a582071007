// Who asks with an API key: its user, as far as the key reaches. A revocation, a deactivation or a change of rights takes
// effect on the next request.

import type { Request } from '../../../core/http/exchange.ts'
import { type Caller, type Reach, reaches } from '../../../core/model/caller.ts'
import type { Registry } from '../../../core/model/registry.ts'
import { Problem } from '../../../core/problem.ts'
import { changesSomething } from '../../../core/rest/own-site.ts'
import { createRevalidatingCache } from '../../../core/store/revalidating-cache.ts'
import { apiKeySecrets, type KeySecrets } from '../api-keys/api-key-secrets.ts'
import { apiKeys } from '../api-keys/api-keys.ts'
import { keyHashOf } from '../api-keys/key-text.ts'
import type { AuthContext } from '../context.ts'
import type { ReadPerson } from './person-reader.ts'

export const createByKey = (auth: AuthContext, readPerson: ReadPerson, strange: string) => {
  const { store, registry, clock } = auth.platform
  const keys = createRevalidatingCache(store, store.resource(apiKeySecrets), row => row as KeySecrets)
  return async (text: string, request: Request): Promise<Caller> => {
    const hash = keyHashOf(text)
    const kept = hash === null ? null : await keys.read(hash)
    if (!kept) throw new Problem('unauthorized', strange)
    const now = clock()
    if (kept.until <= now.toISOString()) throw new Problem('unauthorized')
    const person = await readPerson(kept.user.pk)
    if (!person?.active) throw new Problem('unauthorized', strange)
    const reach: Reach = new Set(kept.reach)
    if (!leadsTo(request, reach, registry)) throw new Problem('forbidden', 'The API key does not reach this far.')
    await touch(auth, kept, now)
    return { ...person.caller, reach, apiKey: kept.apiKey.pk }
  }
}

/** What everybody may read has no limits. */
const open = new Set(['/api/rest', '/api/openapi.json', '/apidoc/openapi.json'])

/**
 * May a key be shown at this address at all? The rules are asked later, and mind its reach too; but not every address asks
 * them. What is not named here is closed to keys: accounts, management, and whatever comes to be.
 */
const leadsTo = (request: Request, reach: Reach, registry: Registry): boolean => {
  const { route } = request
  if (route === null) return false
  const kind = changesSomething(request) ? 'write' : 'read'
  if (open.has(route)) return kind === 'read'
  const name = /^\/api\/rest\/([^/]+)/.exec(route)?.[1]
  if (name !== undefined) {
    const resource = registry.published(name)
    return !resource?.definition.inPerson && reaches(reach, resource?.name ?? null, kind)
  }
  return (route === '/ws' || route.startsWith('/api/bnms/')) && reaches(reach, null, kind)
}

/** How exactly it is known when a key was last used. */
const touchedEvery = 60_000

const touch = async ({ platform, log }: AuthContext, kept: KeySecrets, now: Date): Promise<void> => {
  if (kept.lastUsed !== null && now.getTime() - Date.parse(kept.lastUsed) < touchedEvery) return
  const used = { lastUsed: now.toISOString() }
  try {
    await platform.records.transaction(async records => {
      await records.updateWhere(apiKeySecrets, { pk: kept.pk }, used)
      await records.updateWhere(apiKeys, { pk: kept.apiKey.pk }, used)
    })
  } catch (error) {
    // A full disk must not keep callers from reading.
    log.warn({ err: error }, 'the use of an API key could not be noted')
  }
}
