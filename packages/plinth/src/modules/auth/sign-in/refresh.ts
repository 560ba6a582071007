// Keeps users signed in: refresh tokens, and devices that are remembered.

import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import { Problem } from '../../../core/problem.ts'
import { defineEndpoint } from '../../../core/rest/endpoint.ts'
import type { Service } from '../../../core/service.ts'
import type { AuthContext } from '../context.ts'
import { authAudit } from '../problems.ts'
import { cookieNames } from '../sessions/cookies.ts'
import {
  isRemembered,
  isSecretOf,
  type Rotation,
  readSessionSecret,
  renewTokens,
  rotate,
  type Session,
  type SessionSecret,
  sessions,
  toAuditEvent,
} from '../sessions/session.ts'
import { bodyTokens, isExpired, type TokenClaims, tokenCookies } from '../sessions/tokens.ts'
import { recordSignIn } from '../verification/verify-password.ts'
import { signedInAnswer, tokensField, userResponse, withCredentials } from './sign-in.ts'

/** Exchanges the refresh token. */
export const refresh = (service: Service, auth: AuthContext) =>
  defineEndpoint({
    method: 'POST',
    path: '/api/auth/jwt/refresh',
    id: 'refreshTokens',
    summary: 'Exchange the refresh token',
    description:
      'Accepts the cookie `refresh_token`, or the token as a Bearer token, and returns new ones. Tokens are returned in the ' +
      'body only in exchange for a Bearer token: scripts of a page must not read those of its cookies.',
    access: withCredentials,
    open: true,
    forgiving: true,
    holdsSecrets: true,
    body: { tokens: tokensField },
    bodyIsOptional: true,
    answers: { 201: signedInAnswer },
    problems: [400, 401, 403, 406, 415, 503],
    answer: async ({ request, body }) => {
      const bearer = bearerOf(request)
      const inBody = body.tokens === 'body'
      if (bearer === null) await service.mustBeOwnSite(request)
      if (bearer === null && inBody) throw new Problem('unauthorized')
      const { platform, lifetimes, tokens } = auth
      const claims = await tokens.read(bearer ?? readCookie(request, cookieNames.refresh) ?? '', 'refresh')
      if (!claims || isExpired(claims, platform.clock())) throw new Problem('unauthorized')
      const rotation = await rotateAndRecord(auth, claims, request)
      if (rotation.outcome === 'unknown' || rotation.outcome === 'reused' || rotation.session.state !== 'full')
        throw new Problem('unauthorized')
      const { session } = rotation
      const delivery = inBody
        ? { cookies: [], tokens: await bodyTokens(session, tokens, { lifetimes, now: platform.clock() }) }
        : { cookies: await tokenCookies(session, tokens, lifetimes) }
      return userResponse(auth, { request, status: 201 }, { userPk: claims.sub, ...delivery })
    },
  })

const bearerOf = ({ headers: { authorization = '' } }: Request): string | null =>
  /^bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? null

const rotateAndRecord = (
  { platform, lifetimes }: AuthContext,
  claims: TokenClaims,
  request: Request,
): Promise<Rotation> =>
  platform.records.transaction(async records => {
    const now = platform.clock()
    const rotation = await rotate(records, claims, { now, lifetimes })
    if (rotation.outcome === 'reused')
      await authAudit.record(records, toAuditEvent({ type: 'TOKEN_REUSED', session: rotation.session, request }, now))
    return rotation
  })

/** The signed-in user, or the one whom this device remembers. */
export const readCurrentUser = (auth: AuthContext) =>
  defineEndpoint({
    method: 'GET',
    path: '/api/auth/userDetails',
    id: 'readCurrentUser',
    summary: 'Read the current user, or sign in the remembered one',
    access: withCredentials,
    forgiving: true,
    holdsSecrets: true,
    answers: { 200: signedInAnswer },
    problems: [401, 406, 503],
    answer: async ({ caller, request }) => {
      if (caller.pk !== null) return userResponse(auth, { request, status: 200 }, { userPk: caller.pk, cookies: [] })
      const claim = readSessionSecret(readCookie(request, cookieNames.remember))
      const session = claim && (await resumeSession(auth, claim, request))
      if (!session) throw new Problem('unauthorized')
      const cookies = await tokenCookies(session, auth.tokens, auth.lifetimes)
      return userResponse(auth, { request, status: 200 }, { userPk: session.user.pk, cookies })
    },
  })

const resumeSession = (
  { platform, lifetimes }: AuthContext,
  { sid, secret }: SessionSecret,
  request: Request,
): Promise<Session | null> =>
  platform.records.transaction(async records => {
    const now = platform.clock()
    const isGenuine = (session: Session | null): session is Session =>
      session?.state === 'full' && isSecretOf(session.rememberHash, secret) && isRemembered(session, now)
    const found = await records.first(sessions, { where: { pk: sid } })
    if (!isGenuine(found)) return null
    // Before the session is locked, as in every sign-in, so that transactions do not deadlock.
    await recordSignIn(records, { request, method: 'remembered', userPk: found.user.pk, now })
    const session = await records.lock(sessions, sid)
    if (!isGenuine(session)) throw new Problem('unauthorized')
    const renewed = await renewTokens(records, session, { now, lifetimes })
    // A cookie alone does not show who is there: what needs a recent sign-in asks for the password.
    return records.update(sessions, renewed.pk, { verified: null })
  })
