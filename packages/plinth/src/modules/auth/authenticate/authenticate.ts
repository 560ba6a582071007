// Authenticates requests: by the Authorization header, then the header of an API key, then cookies. Each way reads the row of
// the session or of the user, so the end of either takes effect on the next request.

import type { Request } from '../../../core/http/exchange.ts'
import { changesSomething, readCookie } from '../../../core/http/incoming.ts'
import { anonymous, type Caller } from '../../../core/model/caller.ts'
import { Problem } from '../../../core/problem.ts'
import type { Service } from '../../../core/service.ts'
import { isKeyForm } from '../api-keys/api-key-secrets.ts'
import { type AuthContext, createAuthContext } from '../context.ts'
import { cookieNames } from '../sessions/cookies.ts'
import { isSecretOf, readSessionSecret } from '../sessions/session.ts'
import { isExpired } from '../sessions/tokens.ts'
import { OutdatedVerification, RejectedCredentials } from '../verification/refusals.ts'
import { createKeyAuthentication } from './api-key.ts'
import { createBasicAuthentication, createUserCache } from './basic.ts'
import {
  type CachedSession,
  createSessionCache,
  isValid,
  needsTouch,
  type SessionCache,
  touch,
} from './session-cache.ts'

type Authenticating = Pick<Service, 'platform' | 'mustBeOwnSite'>

export const createAuthenticate = (
  service: Authenticating,
  auth: AuthContext,
  sessions: SessionCache,
): Service['authenticate'] => {
  const { byHeader, byKey, byCookies } = createMethods(service, auth, sessions)
  const authenticate: Service['authenticate'] = async (request, forgiving = false) => {
    const { authorization, cookie, 'x-api-key': key } = request.headers
    if (authorization === undefined && cookie === undefined && key === undefined) return anonymous
    try {
      if (authorization !== undefined) return await byHeader(authorization, request)
      if (key !== undefined) return await byKey(typeof key === 'string' ? key : '', request)
      return await byCookies(request)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      await recordFailure(auth, { problem: error, request, forgiving })
      if (error.status === 401 && forgiving) return anonymous
      throw error
    }
  }
  return authenticate
}

const recordFailure = async (
  { recordRefusal }: AuthContext,
  {
    problem,
    request,
    forgiving,
  }: { readonly problem: Problem; readonly request: Request; readonly forgiving: boolean },
): Promise<void> => {
  const refusal = { principal: null, request, reason: problem.message }
  if (problem.code === 'forbidden') await recordRefusal({ ...refusal, type: 'AUTHORIZATION_FAILURE' })
  if (problem instanceof RejectedCredentials && !forgiving)
    await recordRefusal({ ...refusal, type: 'AUTHENTICATION_FAILURE' })
  if (problem instanceof OutdatedVerification) await recordRefusal(problem.toRefusal(request))
}

const createMethods = ({ platform, mustBeOwnSite }: Authenticating, auth: AuthContext, sessions: SessionCache) => {
  const { clock } = platform
  const readUser = createUserCache(platform)
  const byPassword = createBasicAuthentication(auth, readUser)
  const byKey = createKeyAuthentication(auth, readUser)

  const callerOf = async (session: CachedSession | null, now = clock()): Promise<Caller> => {
    if (!session || !isValid(session, now)) throw new RejectedCredentials()
    if (needsTouch(session, now)) await touch(auth, session, now)
    return session.caller
  }
  const byToken = async (token: string): Promise<Caller> => {
    const claims = auth.tokens.peek(token, 'access') ?? (await auth.tokens.read(token, 'access'))
    if (!claims) throw new RejectedCredentials()
    const now = clock()
    if (isExpired(claims, now)) throw new Problem('unauthorized')
    return callerOf(await sessions.read(claims.sid), now)
  }
  const bySso = async (value: string): Promise<Caller> => {
    const claim = readSessionSecret(value)
    const session = claim && (await sessions.read(claim.sid))
    return callerOf(session && isSecretOf(session.ssoHash, claim.secret) ? session : null)
  }
  const byHeader = (authorization: string, request: Request): Promise<Caller> => {
    const [scheme = '', credentials = ''] = authorization.trim().split(/ +/, 2)
    switch (scheme.toLowerCase()) {
      case 'bearer':
        return isKeyForm(credentials) ? byKey(credentials, request) : byToken(credentials)
      case 'basic':
        return byPassword(credentials, request)
      default:
        throw new RejectedCredentials()
    }
  }
  const byCookies = async (request: Request): Promise<Caller> => {
    const token = readCookie(request, cookieNames.access)
    const sso = readCookie(request, cookieNames.sso)
    if (token === null && sso === null) return anonymous
    if (changesSomething(request)) await mustBeOwnSite(request)
    if (token !== null && sso !== null) return byToken(token).catch(() => bySso(sso))
    return token !== null ? byToken(token) : bySso(sso ?? '')
  }
  return { byHeader, byKey, byCookies }
}

// What the service asks of authentication

export type Authentication = Pick<Service, 'authenticate' | 'peekCaller' | 'reauthenticate' | 'reportRefusal'>

export const createAuthentication = (
  service: Pick<Service, 'platform' | 'config' | 'log' | 'mustBeOwnSite'>,
): Authentication => {
  const auth = createAuthContext(service)
  const sessions = createSessionCache(service.platform)
  const authenticate = createAuthenticate(service, auth, sessions)
  return {
    authenticate,
    peekCaller: createPeek(auth, sessions),
    reauthenticate: async (caller, request) => {
      // Open connections outlive the token that opened them. What counts is the session.
      if (caller.session === undefined) return authenticate(request)
      const session = await sessions.read(caller.session)
      return session && isValid(session, service.platform.clock()) ? session.caller : null
    },
    reportRefusal: async ({ problem, request, caller }) => {
      const { code, message: reason } = problem
      if (problem instanceof OutdatedVerification) await auth.recordRefusal(problem.toRefusal(request))
      else if (code === 'forbidden')
        await auth.recordRefusal({ type: 'AUTHORIZATION_FAILURE', principal: caller.username, request, reason })
    },
  }
}

const bearer = 'Bearer '

/**
 * The cached caller of a read with a known token, to be revalidated while the response is prepared. Null for everything else.
 * It never names another caller than `authenticate` would.
 */
const createPeek =
  ({ tokens, platform: { clock } }: AuthContext, sessions: SessionCache): Service['peekCaller'] =>
  request => {
    const { authorization, 'x-api-key': key } = request.headers
    if (changesSomething(request) || key !== undefined) return null
    const token =
      authorization === undefined
        ? readCookie(request, cookieNames.access)
        : authorization.startsWith(bearer) && authorization.slice(bearer.length)
    const claims = token ? tokens.peek(token, 'access') : null
    const now = clock()
    const session = claims && !isExpired(claims, now) ? sessions.peek(claims.sid) : null
    if (!session || !isValid(session.value, now) || needsTouch(session.value, now)) return null
    return { caller: session.value.caller, isStillValid: session.isStillValid }
  }
