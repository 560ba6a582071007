// The one way in: every endpoint that takes a password, and whatever else proves a user, begins a session here.

import type { Request } from '../../../core/http/exchange.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import type { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import { userRecordOf } from '../../people/index.ts'
import { authAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authProblem } from '../faults.ts'
import { openPending } from '../second-factor/pending.ts'
import { withCode } from '../second-factor/try-code.ts'
import { type Cookie, type CookieName, cookieNames, forgotten, readCookie } from '../sessions/cookies.ts'
import { type Opened, openSession } from '../sessions/open-session.ts'
import { eventOf } from '../sessions/session-events.ts'
import { sessionCookies } from '../sessions/session-tokens.ts'
import { type SessionRow, sessions } from '../sessions/sessions.ts'
import { readShown, shownSessions } from '../sessions/shown-sessions.ts'
import type { Terms } from '../sessions/terms.ts'
import { holdProved } from '../verification/still-valid.ts'
import type { Proof } from '../verification/verify-password.ts'

export interface Entry extends Pick<Proof, 'secrets'> {
  /** Further work in the transaction of the session. */
  readonly settle: (tx: Transaction) => Promise<unknown>
  readonly request: Request
  /** The session that the caller came with. */
  readonly former?: string | undefined
  /** Which cookies carry it: tokens, or the one that stands for a Basic header. */
  readonly by: 'tokens' | 'sso'
  readonly remember?: boolean
  /** Of the second factor, when it came along. */
  readonly code?: string | null
}

export interface Entered {
  readonly cookies: readonly Cookie[]
  /** Nobody is signed in yet: the cookie is good for giving the second factor, and for nothing else. */
  readonly isPending: boolean
}

/** Begins a session, or the wait for the second factor that the user has. */
export const enter = async (auth: AuthContext, entry: Entry): Promise<Entered> => {
  const { secrets, request, by, remember = false, code = null } = entry
  const begin = await createBegin(auth, entry)
  if (!secrets.mfa) {
    const begun = await auth.platform.store.transaction(begin)
    return { cookies: await cookiesOf(auth, begun, by), isPending: false }
  }
  const begun = code === null ? null : await withCode(auth, { secrets, code, request }, begin)
  if (begun) return { cookies: await cookiesOf(auth, begun, by), isPending: false }
  return { cookies: [await openPending(auth, { secrets, request, by, remember })], isPending: true }
}

export interface Begun extends Opened {
  /** Cookies of sessions that ended with this. */
  readonly over: readonly CookieName[]
}

/** How to begin the session of somebody who has been proved by all that is asked for. */
export const createBegin = async (auth: AuthContext, entry: Entry): Promise<(tx: Transaction) => Promise<Begun>> => {
  const { platform, terms, tokens } = auth
  const { request, by, remember = false } = entry
  const shown = await readShown(tokens, request, entry.former)
  return async tx => {
    await entry.settle(tx)
    const secrets = await holdProved(tx, entry.secrets)
    const over = await endFormer(auth, tx, { ...entry, shown: await shownSessions(tx, shown) })
    const opening = { secrets, request, state: 'full', sso: by === 'sso', remember } as const
    return { ...(await openSession(tx, opening, { now: platform.clock(), terms })), over }
  }
}

export const cookiesOf = async (
  { terms, tokens }: AuthContext,
  { session, sso, remember, over }: Begun,
  by: Entry['by'],
): Promise<Cookie[]> => {
  const cookies: Cookie[] = by === 'tokens' ? await sessionCookies(session, tokens, terms) : []
  if (sso !== null) cookies.push(ssoCookie(sso, terms))
  if (remember !== null) cookies.push({ name: cookieNames.remember, value: remember, lasts: terms.remember })
  const isGiven = (name: CookieName): boolean => cookies.some(cookie => cookie.name === name)
  return [...cookies, ...forgotten.filter(({ name }) => over.includes(name) && !isGiven(name))]
}

export const ssoCookie = (value: string, { idle, whole }: Terms): Cookie => ({
  name: cookieNames.sso,
  value,
  lasts: Math.min(idle, whole),
})

const carriers = {
  tokens: [cookieNames.access, cookieNames.refresh, cookieNames.remember],
  sso: [cookieNames.sso],
} as const

/**
 * A device has one user: whoever else was signed in on it is not any more. Nor is the same user by cookies that are
 * replaced; a session of theirs by other cookies goes on.
 */
const endFormer = async (
  auth: AuthContext,
  tx: Transaction,
  { request, secrets, by, shown }: Entry & { readonly shown: readonly SessionRow[] },
): Promise<CookieName[]> => {
  const over = new Set<CookieName>()
  for (const session of shown) {
    const kind = session.ssoHash === null ? 'tokens' : 'sso'
    const isOwn = session.user.pk === secrets.pk
    if (isOwn && kind !== by) continue
    await recordsIn(tx).removeWhere(sessions, { pk: session.pk })
    if (!isOwn) await authAudit.record(tx, eventOf(auth, { type: 'SESSION_ENDED', session, request }))
    for (const name of carriers[kind]) if (readCookie(request, name) !== null) over.add(name)
  }
  return [...over]
}

/** As `enter`, where nothing is to be shown before the second factor is given. */
export const enterWhole = async (auth: AuthContext, entry: Entry): Promise<readonly Cookie[]> => {
  const { cookies, isPending } = await enter(auth, entry)
  if (isPending) throw secondFactorRequired(auth.cookieHeaders(entry.request, cookies))
  return cookies
}

export const secondFactorRequired = (headers: Record<string, string | string[]>): Problem =>
  authProblem('second_factor_required', { detail: 'A code of the second factor is needed.', headers })

/** The user record, with the cookies that go with it. */
export const welcome = async (
  auth: AuthContext,
  { request, status }: { readonly request: Request; readonly status: 200 | 201 },
  { userPk, cookies }: { readonly userPk: string; readonly cookies: readonly Cookie[] },
): Promise<Answer> => {
  const value = await userRecordOf(auth.platform.store, userPk)
  const headers = cookies.length > 0 ? auth.cookieHeaders(request, cookies) : { 'Cache-Control': 'no-store' }
  return { kind: 'value', status, name: 'user', value, headers }
}
