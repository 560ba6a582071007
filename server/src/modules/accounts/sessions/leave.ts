// Signing out: the session ends by whatever the device shows of it, and the device forgets everything.

import type { Request } from '../../../core/http/exchange.ts'
import type { StoredRecord } from '../../../core/model/record.ts'
import type { Reader } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Context } from '../../../core/rest/platform.ts'
import type { Task } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import { recordAudit } from '../audit.ts'
import { isForeign } from '../guards/own-site.ts'
import type { Desk } from '../sign-in/desk.ts'
import { cookieNames, forgotten, hasCookies, readCookie } from './cookies.ts'
import { isSecret, readSealed } from './open-session.ts'
import { eventOf } from './stay.ts'

export const signOut =
  (service: Service, desk: Desk) =>
  async ({ caller, platform }: Context, { request }: Task): Promise<Answer> => {
    if (hasCookies(request) && (await isForeign(request, service.allowsOrigin))) throw new Problem('forbidden')
    const ended = await platform.store.transaction(async tx => {
      const shown = await shownSessions(desk, tx, request)
      const own = caller.session === undefined ? null : await tx.get(tx.resource('sessions'), caller.session)
      const sessions = new Map([...shown, ...(own ? [own] : [])].map(session => [session.pk, session]))
      for (const session of sessions.values()) {
        await tx.remove(tx.resource('sessions'), session.pk)
        await recordAudit(tx, eventOf(desk, { type: 'SIGNED_OUT', session, request }))
      }
      return sessions.size
    })
    if (ended === 0 && caller.pk === null) throw new Problem('unauthorized')
    return { kind: 'nothing', status: 204, headers: desk.cookieHeaders(request, forgotten) }
  }

/** The sessions that the cookies prove, even where they are no longer good for anything else. */
const shownSessions = async (desk: Desk, reader: Reader, request: Request): Promise<StoredRecord[]> => {
  const sessions = reader.resource('sessions')
  const found: StoredRecord[] = []
  const refresh = await desk.tokens.read(readCookie(request, cookieNames.refresh) ?? '', 'refresh')
  const session = refresh && (await reader.get(sessions, refresh.sid))
  if (session) found.push(session)
  for (const [cookie, member] of [
    [cookieNames.remember, 'rememberHash'],
    [cookieNames.sso, 'ssoHash'],
  ] as const) {
    const sealed = readSealed(readCookie(request, cookie))
    const one = sealed && (await reader.get(sessions, sealed.sid))
    if (one && isSecret(sealed.secret, one[member])) found.push(one)
  }
  return found
}
