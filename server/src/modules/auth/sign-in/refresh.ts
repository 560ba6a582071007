// Staying signed in: the exchange of refresh tokens, and devices that are remembered.

import type { Request } from '../../../core/http/exchange.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import { isForeign } from '../../../core/rest/own-site.ts'
import type { Context } from '../../../core/rest/platform.ts'
import type { Task } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import { authAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { cookieNames, readCookie } from '../sessions/cookies.ts'
import { isSecret, readSealed } from '../sessions/open-session.ts'
import { isRemembered, renew, rotate } from '../sessions/rotate.ts'
import { eventOf } from '../sessions/session-events.ts'
import { sessionCookies } from '../sessions/session-tokens.ts'
import { type SessionRow, sessions } from '../sessions/sessions.ts'
import { isExpired } from '../sessions/tokens.ts'
import { noteSuccess } from '../verification/verify-password.ts'
import { welcome } from './sign-in.ts'

const bearerOf = ({ headers: { authorization = '' } }: Request): string | null =>
  /^bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? null

export const refresh =
  (service: Service, auth: AuthContext) =>
  async (_: Context, { request }: Task): Promise<Answer> => {
    const bearer = bearerOf(request)
    if (bearer === null && (await isForeign(request, service.allowsOrigin))) throw new Problem('forbidden')
    const { platform, terms, tokens } = auth
    const claims = await tokens.read(bearer ?? readCookie(request, cookieNames.refresh) ?? '', 'refresh')
    if (!claims || isExpired(claims, platform.clock())) throw new Problem('unauthorized')
    const rotation = await platform.store.transaction(async tx => {
      const done = await rotate(tx, claims, { now: platform.clock(), terms })
      if (done.outcome === 'ended')
        await authAudit.record(tx, eventOf(auth, { type: 'TOKEN_REUSED', session: done.session, request }))
      return done
    })
    if (rotation.outcome === 'unknown' || rotation.outcome === 'ended' || rotation.session.state !== 'full')
      throw new Problem('unauthorized')
    const cookies = await sessionCookies(rotation.session, tokens, terms)
    return welcome(auth, { request, status: 201 }, { userPk: claims.sub, cookies })
  }

/** The user at hand, or the one whom this device remembers, signed in anew. */
export const current =
  (auth: AuthContext) =>
  async ({ caller }: Context, { request }: Task): Promise<Answer> => {
    if (caller.pk !== null) return welcome(auth, { request, status: 200 }, { userPk: caller.pk, cookies: [] })
    const session = await revive(auth, request)
    if (!session) throw new Problem('unauthorized')
    const cookies = await sessionCookies(session, auth.tokens, auth.terms)
    return welcome(auth, { request, status: 200 }, { userPk: session.user.pk, cookies })
  }

const revive = async (auth: AuthContext, request: Request): Promise<SessionRow | null> => {
  const { platform, terms } = auth
  const sealed = readSealed(readCookie(request, cookieNames.remember))
  if (!sealed) return null
  return platform.store.transaction(async tx => {
    const now = platform.clock()
    const records = recordsIn(tx)
    const isGood = (one: SessionRow | null): one is SessionRow =>
      one?.state === 'full' && isSecret(sealed.secret, one.rememberHash) && isRemembered(one, now)
    const found = await records.first(sessions, { pk: sealed.sid })
    if (!isGood(found)) return null
    // Before its session, as every sign-in: so nobody waits in a ring.
    await noteSuccess(tx, { request, way: 'remembered', userPk: found.user.pk, now })
    const session = await records.lock(sessions, sealed.sid)
    if (!isGood(session)) throw new Problem('unauthorized')
    return renew(tx, session, { now, terms })
  })
}
