// Sign-out, and the sessions of a user: list them, end one, end all others.

import { boolean, text, timestamp } from '../../../core/model/fields.ts'
import { defineShape, manyOf } from '../../../core/model/shape.ts'
import { Problem } from '../../../core/problem.ts'
import { defineEndpoint } from '../../../core/rest/endpoint.ts'
import { administrator } from '../../../core/rest/permits.ts'
import type { Service } from '../../../core/service.ts'
import { users } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { authAudit } from '../problems.ts'
import { expiredCookies, hasCookies } from '../sessions/cookies.ts'
import { endSessions, isEnded, isRemembered, type Session, sessions, toAuditEvent } from '../sessions/session.ts'
import { findClaimedSessions, readSessionClaims } from '../sessions/session-claims.ts'
import { sessionCookieHeader, withCredentials } from './sign-in.ts'

/** Ends every session that the cookies name, and deletes all cookies. */
export const signOut = (service: Service, auth: AuthContext) =>
  defineEndpoint({
    method: 'DELETE',
    path: '/api/auth/userDetails',
    id: 'logOut',
    summary: 'Sign out',
    access: withCredentials,
    forgiving: true,
    holdsSecrets: true,
    answers: { 204: { about: 'The session has ended; all cookies are deleted.', headers: sessionCookieHeader } },
    problems: [401, 403, 503],
    answer: async ({ context: { platform }, caller, request }) => {
      if (hasCookies(request)) await service.mustBeOwnSite(request)
      const claims = await readSessionClaims(auth.tokens, request, caller.session)
      const count = await platform.records.transaction(async records => {
        const found = await findClaimedSessions(records, claims)
        for (const session of found) {
          await records.removeMany(sessions, { where: { pk: session.pk } })
          await authAudit.record(records, toAuditEvent({ type: 'SIGNED_OUT', session, request }, platform.clock()))
        }
        return found.length
      })
      if (count === 0 && caller.pk === null) throw new Problem('unauthorized')
      return { kind: 'nothing', status: 204, headers: auth.cookieHeaders(request, expiredCookies) }
    },
  })

const must = { required: true } as const

const deviceSession = defineShape(
  'DeviceSession',
  {
    id: text(must),
    created: timestamp(must),
    lastUsed: timestamp(must),
    expires: timestamp(must),
    userAgent: text(),
    address: text(),
    remembered: boolean(must),
    current: boolean(must),
  },
  { element: 'session' },
)

const maxListed = 500

const listSessions = defineEndpoint({
  method: 'GET',
  path: '/api/auth/sessions',
  id: 'listSessions',
  summary: 'List your sessions',
  access: 'caller.signedIn',
  holdsSecrets: true,
  answers: { 200: { about: 'The sessions.', value: manyOf(deviceSession, 'sessions') } },
  problems: [401, 406, 503],
  run: async ({ context: { platform }, caller, now }) => {
    const own = await platform.records.find(sessions, { where: { user: caller.pk }, limit: maxListed })
    return own
      .filter(session => session.state === 'full' && (!isEnded(session, now) || isRemembered(session, now)))
      .map(session => toEntry(session, caller.session))
  },
})

const toEntry = (session: Session, current: string | undefined) => ({
  id: session.pk,
  created: session.created,
  lastUsed: session.lastUsed,
  expires: session.until,
  userAgent: session.userAgent,
  address: session.address,
  remembered: session.rememberHash !== null,
  current: session.pk === current,
})

const endSession = defineEndpoint({
  method: 'DELETE',
  path: '/api/auth/sessions/{id}',
  id: 'endSession',
  summary: 'End one of your sessions',
  params: { id: 'The session.' },
  access: 'caller.signedIn',
  requires: 'recentSignIn',
  holdsSecrets: true,
  answers: { 204: 'The session has ended.' },
  problems: [401, 403, 404, 503],
  run: ({ records: ofCaller, caller, request, params }) =>
    ofCaller.transaction(async ({ asService: records, now }) => {
      const session = await records.lock(sessions, params.id)
      if (session?.user.pk !== caller.pk) throw new Problem('not_found')
      await records.remove(sessions, session.pk)
      await authAudit.record(records, toAuditEvent({ type: 'SESSION_ENDED', session, request }, now))
    }),
})

const endOtherSessions = defineEndpoint({
  method: 'DELETE',
  path: '/api/auth/sessions',
  id: 'endOtherSessions',
  summary: 'Sign out everywhere else',
  access: 'caller.signedIn',
  requires: 'recentSignIn',
  holdsSecrets: true,
  answers: { 204: 'All other sessions have ended.' },
  problems: [401, 403, 503],
  run: ({ records: ofCaller, caller, request }) =>
    ofCaller.transaction(async ({ asService: records, now }) => {
      const count = await endSessions(records, caller.pk ?? '', { except: caller.session })
      const data = { address: request.remoteAddress, count }
      await authAudit.record(records, {
        type: 'SESSION_ENDED',
        principal: caller.username,
        data,
        now,
      })
    }),
})

const endSessionsOfUser = defineEndpoint({
  method: 'DELETE',
  path: '/api/rest/users/{pk}/sessions',
  id: 'endSessionsOfUser',
  summary: 'Sign out a user everywhere',
  description: 'For administrators. The user can sign in again.',
  access: administrator,
  requires: 'recentSignIn',
  holdsSecrets: true,
  answers: { 204: 'The sessions have ended.' },
  problems: [401, 403, 404, 503],
  run: ({ records: ofCaller, caller, request, params }) =>
    ofCaller.transaction(async ({ asService: records, now }) => {
      const user = await records.get(users, params.pk)
      const count = await endSessions(records, user.pk)
      const data = { address: request.remoteAddress, count, user: user.username }
      await authAudit.record(records, {
        type: 'SESSION_ENDED',
        principal: caller.username,
        data,
        now,
      })
    }),
})

export const sessionEndpoints = [listSessions, endOtherSessions, endSession, endSessionsOfUser]
