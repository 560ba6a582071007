// Authenticates requests by API key: the caller is the user of the key, as far as the key reaches. A revocation, a deactivation
// or a change of roles takes effect on the next request.

import type { Request } from '../../../core/http/exchange.ts'
import { changesSomething } from '../../../core/http/incoming.ts'
import { type Caller, type CredentialScopes, scopesAllow } from '../../../core/model/caller.ts'
import type { Registry } from '../../../core/model/registry.ts'
import { Problem } from '../../../core/problem.ts'
import { RevalidatingCache } from '../../../core/store/revalidating-cache.ts'
import { type ApiKeySecrets, apiKeySecrets, keyHashOf } from '../api-keys/api-key-secrets.ts'
import { apiKeys } from '../api-keys/api-keys.ts'
import type { AuthContext } from '../context.ts'
import { RejectedCredentials } from '../verification/refusals.ts'
import type { ReadUser } from './basic.ts'

export const createKeyAuthentication = (auth: AuthContext, readUser: ReadUser) => {
  const { store, registry, clock } = auth.platform
  const keys = RevalidatingCache.of({ store }, apiKeySecrets, row => row)
  return async (text: string, request: Request): Promise<Caller> => {
    const hash = keyHashOf(text)
    const key = hash === null ? null : await keys.read(hash)
    if (!key) throw new RejectedCredentials()
    const now = clock()
    if (key.until <= now.toISOString()) throw new Problem('unauthorized')
    const user = await readUser(key.user.pk)
    if (!user?.active) throw new RejectedCredentials()
    const scopes: CredentialScopes = new Set(key.reach)
    if (!leadsTo(request, scopes, registry))
      throw new Problem('forbidden', {
        en: 'The scopes of the API key do not allow this.',
        de: 'Die Berechtigungen des API-Schlüssels erlauben das nicht.',
      })
    await touch(auth, key, now)
    return { ...user.caller, scopes, apiKey: key.apiKey.pk }
  }
}

/** Every key may read these. */
const open = new Set(['/api/rest', '/api/openapi.json', '/apidoc/openapi.json'])

/**
 * May a key be used at this address at all? Rules check its reach as well, but not every address has rules. Addresses that are
 * not named here, and whose route names no scope, are closed to keys: accounts, management, and new ones.
 */
const leadsTo = (request: Request, scopes: CredentialScopes, registry: Registry): boolean => {
  const { route, keyScope } = request
  if (route === null) return false
  const kind = changesSomething(request) ? 'write' : 'read'
  if (keyScope !== null) return scopes.has(`${keyScope}:write`) || (kind === 'read' && scopes.has(`${keyScope}:read`))
  if (open.has(route)) return kind === 'read'
  const name = /^\/api\/rest\/([^/]+)/.exec(route)?.[1]
  if (name !== undefined) {
    const resource = registry.published(name)
    return !resource?.definition.inPerson && scopesAllow(scopes, resource?.name ?? null, kind)
  }
  return (route === '/ws' || route.startsWith('/api/bnms/')) && scopesAllow(scopes, null, kind)
}

/** How precisely the last use of a key is known. */
const touchedEvery = 60_000

const touch = async ({ platform, log }: AuthContext, key: ApiKeySecrets, now: Date): Promise<void> => {
  if (key.lastUsed !== null && now.getTime() - Date.parse(key.lastUsed) < touchedEvery) return
  const used = { lastUsed: now.toISOString() }
  try {
    await platform.records.transaction(async records => {
      await records.updateMany(apiKeySecrets, { where: { pk: key.pk } }, used)
      await records.updateMany(apiKeys, { where: { pk: key.apiKey.pk } }, used)
    })
  } catch (error) {
    // A full disk must not keep callers from reading.
    log.warn({ err: error }, 'the last use of an API key could not be stored')
  }
}
