// The one way in: every endpoint that takes a password, and whatever else proves a user, begins a session here.

import type { Request } from '../../../core/http/exchange.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import { openPending } from '../second-factor/pending.ts'
import { withCode } from '../second-factor/try-code.ts'
import { type Cookie, cookieNames } from '../sessions/cookies.ts'
import { type Opened, openSession } from '../sessions/open-session.ts'
import { sessionCookies } from '../sessions/session-tokens.ts'
import type { Desk } from './desk.ts'
import type { Proof } from './prove.ts'
import { userRecordOf } from './user-record.ts'

/** `settle` and `forgive` are further work in the transaction: of the session, or of the wait for a second factor. */
export interface Entry extends Proof {
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
export const enter = async (desk: Desk, entry: Entry): Promise<Entered> => {
  const { secrets, request, by, remember = false, code = null } = entry
  if (secrets.mfa !== true) {
    const opened = await desk.platform.store.transaction(tx => begin(desk, tx, entry))
    return { cookies: await cookiesOf(desk, opened, by), isPending: false }
  }
  const opened = code === null ? null : await withCode(desk, { secrets, code, request }, tx => begin(desk, tx, entry))
  if (opened) return { cookies: await cookiesOf(desk, opened, by), isPending: false }
  return { cookies: [await openPending(desk, { secrets, request, by, remember }, entry.forgive)], isPending: true }
}

/** The session of somebody who has been proved by all that is asked for. */
export const begin = async (desk: Desk, tx: Transaction, entry: Omit<Entry, 'forgive'>): Promise<Opened> => {
  const { request, secrets, by, remember = false } = entry
  await entry.settle(tx)
  await endFormer(tx, entry)
  const opening = { secrets, request, state: 'full', sso: by === 'sso', remember } as const
  return openSession(tx, opening, { now: desk.platform.clock(), terms: desk.terms })
}

export const cookiesOf = async (
  { terms, tokens }: Desk,
  { session, sso, remember }: Opened,
  by: Entry['by'],
): Promise<Cookie[]> => {
  const cookies: Cookie[] = by === 'tokens' ? await sessionCookies(session, tokens, terms) : []
  if (sso !== null) cookies.push({ name: cookieNames.sso, value: sso, lasts: Math.min(terms.idle, terms.whole) })
  if (remember !== null) cookies.push({ name: cookieNames.remember, value: remember, lasts: terms.remember })
  return cookies
}

/** The session whose cookies are replaced ends; one that came by other cookies goes on. */
const endFormer = async (tx: Transaction, { former, by }: Pick<Entry, 'former' | 'by'>): Promise<void> => {
  const session = former === undefined ? null : await tx.lock(tx.resource('sessions'), former)
  if (session && (session.ssoHash !== null) === (by === 'sso')) await tx.remove(tx.resource('sessions'), session.pk)
}

/** As `enter`, where nothing is to be shown before the second factor is given. */
export const enterWhole = async (desk: Desk, entry: Entry): Promise<readonly Cookie[]> => {
  const { cookies, isPending } = await enter(desk, entry)
  if (isPending) throw secondFactorRequired(desk.cookieHeaders(entry.request, cookies))
  return cookies
}

export const secondFactorRequired = (headers: Record<string, string | string[]>): Problem =>
  new Problem('second_factor_required', { detail: 'A code of the second factor is needed.', headers })

/** The user record, with the cookies that go with it. */
export const welcome = async (
  desk: Desk,
  { request, status }: { readonly request: Request; readonly status: 200 | 201 },
  { userPk, cookies }: { readonly userPk: string; readonly cookies: readonly Cookie[] },
): Promise<Answer> => {
  const value = await userRecordOf(desk.platform.store, userPk)
  if (value === null) throw new Problem('unauthorized')
  const headers = cookies.length > 0 ? desk.cookieHeaders(request, cookies) : { 'Cache-Control': 'no-store' }
  return { kind: 'value', status, name: 'user', value, headers }
}
