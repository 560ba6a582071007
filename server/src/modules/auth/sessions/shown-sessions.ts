// The sessions that a device's cookies prove, even where they are no longer good for anything else.

import type { Request } from '../../../core/http/exchange.ts'
import type { Reader } from '../../../core/model/transaction.ts'
import { readerOf } from '../../../core/records/reader.ts'
import { cookieNames, readCookie } from './cookies.ts'
import { isSecret, readSealed } from './open-session.ts'
import { type SessionRow, sessions } from './sessions.ts'
import type { Tokens } from './tokens.ts'

export interface Shown {
  readonly sid: string
  readonly isProved: (session: SessionRow) => boolean
}

/**
 * What the cookies say. `own` is the session by which the caller is known, however it was shown. Before a transaction
 * begins: to read a token may take the signing key, which lies in the database.
 */
export const readShown = async (tokens: Tokens, request: Request, own: string | undefined): Promise<Shown[]> => {
  const shown: Shown[] = []
  const add = (sid: string | undefined, isProved: Shown['isProved'] = () => true): void => {
    if (sid !== undefined) shown.push({ sid, isProved })
  }
  add(own)
  const refresh = readCookie(request, cookieNames.refresh)
  add(refresh === null ? undefined : (await tokens.read(refresh, 'refresh'))?.sid)
  for (const [cookie, member] of [
    [cookieNames.remember, 'rememberHash'],
    [cookieNames.sso, 'ssoHash'],
  ] as const) {
    const sealed = readSealed(readCookie(request, cookie))
    add(sealed?.sid, session => isSecret(sealed?.secret ?? '', session[member]))
  }
  return shown
}

export const shownSessions = async (reader: Reader, shown: readonly Shown[]): Promise<SessionRow[]> => {
  const found = new Map<string, SessionRow>()
  for (const { sid, isProved } of shown) {
    const session = found.has(sid) ? null : await readerOf(reader).first(sessions, { pk: sid })
    if (session && isProved(session)) found.set(sid, session)
  }
  return [...found.values()]
}
