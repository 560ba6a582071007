// PUT account/username: changes the own username, with the password.

import type { Request } from '../../core/http/exchange.ts'
import { readCookie } from '../../core/http/incoming.ts'
import { text } from '../../core/model/fields.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { recordsIn } from '../../core/records/records.ts'
import { defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import {
  type AuthContext,
  type Cookie,
  cookieNames,
  renewTokens,
  sessions,
  signInOrChallenge,
  ssoCookie,
  tokenCookies,
  userResponse,
} from '../auth/index.ts'
import { passwordLength, renameUser, usernamePattern, userRecord } from '../people/index.ts'
import { registrationAudit } from './declarations.ts'

export const changeUsername = (auth: AuthContext): Endpoint =>
  defineEndpoint({
    method: 'PUT',
    path: '/api/auth/account/username',
    id: 'changeUsername',
    tag: 'registration',
    summary: 'Change your username',
    access: 'caller.signedIn',
    holdsSecrets: true,
    body: {
      username: text({ required: true, max: 100, pattern: usernamePattern }),
      password: text({ required: true, max: passwordLength.max * 2, format: 'password' }),
    },
    answers: {
      200: { about: 'The user, with new cookies.', value: userRecord, headers: { 'Set-Cookie': 'New tokens.' } },
    },
    problems: [400, 401, 403, 409, 429],
    answer: async ({ caller, request, body: { username, password } }) => {
      const { pk, username: former, session } = caller
      if (pk === null || former === null) throw new Problem('unauthorized')
      const verification = await auth.verifyPassword({ name: former, password, request, method: 'verification' })
      const now = auth.platform.clock()
      const rename = async (tx: Transaction): Promise<void> => {
        await verification.commit(tx)
        await renameUser(tx, { user: pk, username }, now)
        const data = { former, address: request.remoteAddress }
        await registrationAudit.record(tx, { type: 'USERNAME_CHANGED', principal: username, data, now })
      }
      const delivery =
        session === undefined
          ? await signInOrChallenge(auth, { ...verification, request, commit: rename, by: 'tokens' })
          : { cookies: await renewWith(auth, { sid: session, request }, rename) }
      return userResponse(auth, { request, status: 200 }, { userPk: pk, ...delivery })
    },
  })

/**
 * The session stays, with the kind of cookie that it started with. An application that sent its token in a header keeps it: a
 * new one would reach it in cookies, which it does not have.
 */
const renewWith = async (
  { platform, lifetimes, tokens }: AuthContext,
  { sid, request }: { readonly sid: string; readonly request: Request },
  work: (tx: Transaction) => Promise<void>,
): Promise<readonly Cookie[]> => {
  const session = await platform.store.transaction(async tx => {
    await work(tx)
    if (request.headers.authorization !== undefined) return null
    const locked = await recordsIn(tx).lock(sessions, sid)
    return locked && renewTokens(tx, locked, { now: platform.clock(), lifetimes })
  })
  if (!session) return []
  if (session.ssoHash === null) return tokenCookies(session, tokens, lifetimes)
  const shown = readCookie(request, cookieNames.sso)
  return shown === null ? [] : [ssoCookie(shown, lifetimes)]
}
