// The sessions that a request names by its cookies, even if they are no longer valid for anything else.

import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import type { RecordReader } from '../../../core/model/records.ts'
import { cookieNames } from './cookies.ts'
import { isSecretOf, readSessionSecret, type Session, sessions } from './session.ts'
import type { Tokens } from './tokens.ts'

/** A session that a request names, and whether the request is entitled to it. */
export interface SessionClaim {
  readonly sid: string
  readonly isGenuine: (session: Session) => boolean
}

/**
 * `own` is the caller's session. Call this before a transaction: to verify a token may take the signing key from the database.
 */
export const readSessionClaims = async (
  tokens: Tokens,
  request: Request,
  own: string | undefined,
): Promise<SessionClaim[]> => {
  const claims: SessionClaim[] = own === undefined ? [] : [{ sid: own, isGenuine: () => true }]
  if (request.headers.cookie === undefined) return claims
  const add = (sid: string | undefined, isGenuine: SessionClaim['isGenuine']): void => {
    if (sid !== undefined) claims.push({ sid, isGenuine })
  }
  const refresh = readCookie(request, cookieNames.refresh)
  add(refresh === null ? undefined : (await tokens.read(refresh, 'refresh'))?.sid, () => true)
  const remember = readSessionSecret(readCookie(request, cookieNames.remember))
  add(remember?.sid, ({ rememberHash }) => isSecretOf(rememberHash, remember?.secret ?? ''))
  const sso = readSessionSecret(readCookie(request, cookieNames.sso))
  add(sso?.sid, ({ ssoHash }) => isSecretOf(ssoHash, sso?.secret ?? ''))
  return claims
}

export const findClaimedSessions = async (
  records: RecordReader,
  claims: readonly SessionClaim[],
): Promise<Session[]> => {
  const found = new Map<string, Session>()
  for (const { sid, isGenuine } of claims) {
    const session = found.has(sid) ? null : await records.first(sessions, { where: { pk: sid } })
    if (session && isGenuine(session)) found.set(sid, session)
  }
  return [...found.values()]
}
