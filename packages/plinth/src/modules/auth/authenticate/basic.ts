// HTTP Basic (RFC 7617) sends the password with each request. A verified password is cached for a while, by a keyed hash, so that
// not every request takes the time of a sign-in. The row of the user is read each time all the same.

import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Request } from '../../../core/http/exchange.ts'
import type { Caller, CallerAttributes } from '../../../core/model/caller.ts'
import { Problem } from '../../../core/problem.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import { RevalidatingCache } from '../../../core/store/revalidating-cache.ts'
import { type Secrets, secrets } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { readAttributesBeside } from './caller-attributes.ts'

/** A user, for requests without a session: with a password or an API key. */
export interface CachedUser {
  readonly caller: Caller
  readonly active: boolean
  readonly passwordHash: string | null
  /** The password alone is not enough. */
  readonly mfa: boolean
}

export type ReadUser = RevalidatingCache<CachedUser>['read']

export const createUserCache = (platform: Pick<Platform, 'store' | 'access'>): ReadUser => {
  const { beside, toAttributes } = readAttributesBeside(platform, secrets)
  const users = RevalidatingCache.of({ store: platform.store, beside }, secrets, (row, values) =>
    toCachedUser(row, toAttributes(values)),
  )
  return pk => users.read(pk)
}

/** The label is the username; what changes it also changes the login name in the row. */
const toCachedUser = (
  { user: { pk, label }, roles, active, passwordHash, mfa }: Secrets,
  attributes: CallerAttributes | undefined,
): CachedUser => ({
  caller: { pk, username: label, roles: new Set(roles), ...(attributes && { attributes }) },
  active,
  passwordHash,
  mfa,
})

interface VerifiedPassword {
  readonly userPk: string
  /** The hash of the password; another one means that it has changed. */
  readonly passwordHash: string | null
}

const cachedFor = 5 * 60_000

export const createBasicAuthentication = (
  { platform: { records }, verifyPassword, recordRefusal }: AuthContext,
  readUser: ReadUser,
) => {
  const key = randomBytes(32)
  const verified = new LRUCache<string, Promise<VerifiedPassword>>({ max: 1000, ttl: cachedFor })
  const signIn = async (name: string, password: string, request: Request): Promise<VerifiedPassword> => {
    const { secrets, commit } = await verifyPassword({ name, password, request, method: 'header' })
    if (secrets.mfa) {
      const reason = 'Basic authentication is not possible with a second factor.'
      await recordRefusal({ type: 'AUTHENTICATION_FAILURE', principal: name, request, reason })
      throw new Problem('unauthorized')
    }
    const { pk, passwordHash } = (await records.transaction(commit)).secrets
    return { userPk: pk, passwordHash }
  }
  return async (credentials: string, request: Request): Promise<Caller> => {
    const { name, password } = readCredentials(credentials)
    const entry = createHmac('sha256', key).update(credentials).digest('base64')
    let result = verified.get(entry)
    if (!result) {
      // Concurrent requests wait for the one verification.
      result = signIn(name, password, request)
      verified.set(entry, result)
      result.catch(() => verified.delete(entry))
    }
    const { userPk, passwordHash } = await result
    const user = await readUser(userPk)
    if (!user?.active || user.passwordHash !== passwordHash) {
      verified.delete(entry)
      throw new Problem('unauthorized')
    }
    if (user.mfa) throw new Problem('unauthorized')
    return user.caller
  }
}

const readCredentials = (text: string): { readonly name: string; readonly password: string } => {
  const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('utf8') : ''
  const colon = decoded.indexOf(':')
  if (colon < 1) throw new Problem('unauthorized')
  return { name: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}
