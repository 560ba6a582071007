// The one way in: every endpoint that takes a password, and whatever else proves a user, begins a session here.

import type { Request } from '../../../core/http/exchange.ts'
import type { StoredRecord } from '../../../core/model/record.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import { type Cookie, cookieNames } from '../sessions/cookies.ts'
import { openSession } from '../sessions/open-session.ts'
import { sessionCookies } from '../sessions/session-tokens.ts'
import type { Desk } from './desk.ts'
import { userRecordOf } from './user-record.ts'

export interface Entry {
  readonly request: Request
  /** The row of `secrets` of whoever was proved to be there. */
  readonly secrets: StoredRecord
  /** Further work in the transaction that begins the session. */
  readonly settle: (tx: Transaction) => Promise<void>
  /** The session that the caller came with. */
  readonly former?: string | undefined
  /** Which cookies carry it: tokens, or the one that stands for a Basic header. */
  readonly by: 'tokens' | 'sso'
  readonly remember?: boolean
}

export interface Entered {
  readonly session: StoredRecord
  readonly cookies: readonly Cookie[]
}

/** Begins a session. With a second factor it is pending, and good for nothing but giving that factor. */
export const enter = async (desk: Desk, entry: Entry): Promise<Entered> => {
  const { platform, terms, tokens } = desk
  const { request, secrets, by } = entry
  const state = secrets.mfa === true ? 'mfa_pending' : 'full'
  const opened = await platform.store.transaction(async tx => {
    await entry.settle(tx)
    await endFormer(tx, entry)
    const opening = { secrets, request, state, sso: by === 'sso', remember: entry.remember === true } as const
    return openSession(tx, opening, { now: platform.clock(), terms })
  })
  const { session, sso, remember } = opened
  const cookies: Cookie[] = by === 'tokens' ? await sessionCookies(session, tokens, terms) : []
  if (sso !== null) cookies.push({ name: cookieNames.sso, value: sso, lasts: Math.min(terms.idle, terms.whole) })
  if (remember !== null) cookies.push({ name: cookieNames.remember, value: remember, lasts: terms.remember })
  return { session, cookies }
}

/** The session whose cookies are replaced ends; one that came by other cookies goes on. */
const endFormer = async (tx: Transaction, { former, by }: Entry): Promise<void> => {
  const session = former === undefined ? null : await tx.lock(tx.resource('sessions'), former)
  if (session && (session.ssoHash !== null) === (by === 'sso')) await tx.remove(tx.resource('sessions'), session.pk)
}

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
