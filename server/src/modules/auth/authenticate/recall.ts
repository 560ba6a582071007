// Whoever reads with a token that was seen before is most likely still who they were: so that can be found out while the
// answer is being made. Everything else is known first. Never names anybody but whom `identify` would name.

import { changesSomething } from '../../../core/rest/own-site.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { AuthContext } from '../context.ts'
import { cookieNames, readCookie } from '../sessions/cookies.ts'
import { isOpen, isToBeTouched, type KnownSessions } from '../sessions/known-sessions.ts'
import { isExpired } from '../sessions/tokens.ts'

const bearer = 'Bearer '

export const createRecall =
  ({ tokens, platform: { clock } }: AuthContext, sessions: KnownSessions): Service['recall'] =>
  request => {
    const { authorization, 'x-api-key': key } = request.headers
    if (changesSomething(request) || key !== undefined) return null
    const token =
      authorization === undefined
        ? readCookie(request, cookieNames.access)
        : authorization.startsWith(bearer) && authorization.slice(bearer.length)
    const claims = token ? tokens.known(token, 'access') : null
    const now = clock()
    const session = claims && !isExpired(claims, now) ? sessions.peek(claims.sid) : null
    if (!session || !isOpen(session.value, now) || isToBeTouched(session.value, now)) return null
    return { caller: session.value.caller, holds: session.isStillValid }
  }
