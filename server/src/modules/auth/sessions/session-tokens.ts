// The tokens of a session follow from its row alone, so that a repeated request gets the very same ones.

import { type Cookie, cookieNames } from './cookies.ts'
import type { SessionRow } from './sessions.ts'
import type { Terms } from './terms.ts'
import type { Tokens } from './tokens.ts'

export const sessionCookies = async (session: SessionRow, tokens: Tokens, terms: Terms): Promise<Cookie[]> => {
  const issued = Date.parse(session.rotated ?? session.created)
  const shared = { sub: session.user.pk, sid: session.pk, iat: Math.floor(issued / 1000) }
  const refreshId = session.refreshId ?? ''
  const lasts = Math.min(terms.refresh, Date.parse(session.until) - issued)
  const expiryAfter = (milliseconds: number) => Math.floor((issued + milliseconds) / 1000)
  const access = {
    ...shared,
    typ: 'access',
    jti: `${refreshId}.a`,
    exp: expiryAfter(Math.min(terms.access, lasts)),
  } as const
  const refresh = { ...shared, typ: 'refresh', jti: refreshId, exp: expiryAfter(lasts) } as const
  return [
    { name: cookieNames.access, value: await tokens.sign(access), lasts: Math.min(terms.access, lasts) },
    { name: cookieNames.refresh, value: await tokens.sign(refresh), lasts },
  ]
}
