// What the composition takes from this module: who calls, whether that is still so, and a record of who was refused.

import { readCookie } from '../../../core/http/cookies.ts'
import { changesSomething } from '../../../core/rest/origins.ts'
import type { Service } from '../../../core/rest/service.ts'
import { type AuthContext, createAuthContext } from '../context.ts'
import { cookieNames } from '../sessions/cookies.ts'
import { isExpired } from '../sessions/tokens.ts'
import { OutdatedVerification } from '../verification/refusals.ts'
import { createAuthenticate } from './authenticate.ts'
import { createSessionCache, isValid, needsTouch, type SessionCache } from './session-cache.ts'

export type Authentication = Pick<Service, 'authenticate' | 'peekCaller' | 'reauthenticate' | 'reportRefusal'>

export const createAuthentication = (
  service: Pick<Service, 'platform' | 'config' | 'log' | 'allowsOrigin'>,
): Authentication => {
  const auth = createAuthContext(service)
  const sessions = createSessionCache(service.platform.store)
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
