// Who asks: where credentials become a caller. In order: the Authorization header, the header of an API key,
// then cookies. Whatever the way, the session's or the user's own row is asked for, so that an end takes effect on the next request.

import type { Request } from '../../../core/http/exchange.ts'
import { type Caller, nobody } from '../../../core/model/caller.ts'
import { Problem } from '../../../core/problem.ts'
import { changesSomething, isForeign } from '../../../core/rest/own-site.ts'
import type { Service } from '../../../core/rest/service.ts'
import { isKeyForm } from '../api-keys/key-text.ts'
import type { AuthContext } from '../context.ts'
import { cookieNames, readCookie } from '../sessions/cookies.ts'
import { isOpen, isToBeTouched, type KnownSessions, type Session } from '../sessions/known-sessions.ts'
import { isSecret, readSealed } from '../sessions/open-session.ts'
import { type SessionRow, sessions } from '../sessions/sessions.ts'
import { after } from '../sessions/terms.ts'
import { isExpired } from '../sessions/tokens.ts'
import { refusedAsLapsed } from '../verification/refusal-log.ts'
import { Lapsed } from '../verification/still-valid.ts'
import { createByKey } from './api-key.ts'
import { createBasic } from './basic.ts'
import { createPersonReader } from './person-reader.ts'

type Guarded = Pick<Service, 'platform' | 'allowsOrigin'>

export const createIdentify = (service: Guarded, auth: AuthContext, sessions: KnownSessions): Service['identify'] => {
  const ways = createWays(service, auth, sessions)
  return async (request, forgiving = false) => {
    const { authorization, cookie, 'x-api-key': key } = request.headers
    if (authorization === undefined && cookie === undefined && key === undefined) return nobody
    try {
      if (authorization !== undefined) return await ways.header(authorization, request)
      if (key !== undefined) return await ways.key(String(key), request)
      return await ways.cookies(request)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'forbidden')
        await auth.noteRefusal({ type: 'AUTHORIZATION_FAILURE', principal: null, request, reason: error.message })
      if (error.code === 'unauthorized' && error.message === strange && !forgiving)
        await auth.noteRefusal({ type: 'AUTHENTICATION_FAILURE', principal: null, request, reason: strange })
      if (error instanceof Lapsed) await auth.noteRefusal(refusedAsLapsed(error, request))
      if (error.status === 401 && forgiving) return nobody
      throw error
    }
  }
}

/** Not expired in the course of things, but made up, stolen or ended. */
const strange = 'The credentials are not or no longer good.'

const createWays = ({ platform, allowsOrigin }: Guarded, auth: AuthContext, sessions: KnownSessions) => {
  const { clock } = platform
  const readPerson = createPersonReader(platform.store)
  const basic = createBasic(auth, readPerson)
  const key = createByKey(auth, readPerson, strange)

  const callerOf = async (session: Session | null, now = clock()): Promise<Caller> => {
    if (!session || !isOpen(session, now)) throw new Problem('unauthorized', strange)
    if (isToBeTouched(session, now)) await touch(auth, session.row, now)
    return session.caller
  }
  const bearer = async (token: string): Promise<Caller> => {
    const claims = auth.tokens.known(token, 'access') ?? (await auth.tokens.read(token, 'access'))
    if (!claims) throw new Problem('unauthorized', strange)
    const now = clock()
    if (isExpired(claims, now)) throw new Problem('unauthorized')
    return callerOf(await sessions.read(claims.sid), now)
  }
  const sso = async (value: string): Promise<Caller> => {
    const sealed = readSealed(value)
    const session = sealed && (await sessions.read(sealed.sid))
    return callerOf(session && isSecret(sealed.secret, session.row.ssoHash) ? session : null)
  }
  return {
    key,
    header: (authorization: string, request: Request): Promise<Caller> => {
      const [scheme = '', credentials = ''] = authorization.trim().split(/ +/, 2)
      switch (scheme.toLowerCase()) {
        case 'bearer':
          return isKeyForm(credentials) ? key(credentials, request) : bearer(credentials)
        case 'basic':
          return basic(credentials, request)
        default:
          throw new Problem('unauthorized', strange)
      }
    },
    cookies: async (request: Request): Promise<Caller> => {
      const token = readCookie(request, cookieNames.access)
      const sealed = readCookie(request, cookieNames.sso)
      if (token === null && sealed === null) return nobody
      if (changesSomething(request) && (await isForeign(request, allowsOrigin)))
        throw new Problem('forbidden', 'The request comes from a page of a foreign site.')
      if (token !== null && sealed !== null) return bearer(token).catch(() => sso(sealed))
      return token !== null ? bearer(token) : sso(sealed ?? '')
    },
  }
}

const touch = async ({ platform, terms, log }: AuthContext, session: SessionRow, now: Date): Promise<void> => {
  const used = { lastUsed: now.toISOString(), idleUntil: after(now, terms.idle) }
  try {
    await platform.records.updateWhere(sessions, { pk: session.pk }, used)
  } catch (error) {
    // A full disk must not keep callers from reading.
    log.warn({ err: error }, 'the use of a session could not be noted')
  }
}
