// The endpoints that take a password, and the code of the second factor that may follow it.

import { fault } from '../../../core/fault.ts'
import { boolean } from '../../../core/model/fields.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Body } from '../../../core/rest/body.ts'
import { mustBeOwnSite } from '../../../core/rest/own-site.ts'
import type { Context } from '../../../core/rest/platform.ts'
import { invalid, readMembers } from '../../../core/rest/read-members.ts'
import type { Task } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import { findSecrets } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { expiredPending, readPending } from '../second-factor/pending.ts'
import { withCode } from '../second-factor/verify-code.ts'
import { sessions } from '../sessions/session.ts'
import { recordSignIn, requiredText, type SignInMethod, typedText } from '../verification/verify-password.ts'
import { cookiesOf, prepareSession, secondFactorRequired, signInOrChallenge, userResponse } from './sign-in.ts'

export interface PasswordSignIn {
  readonly method: SignInMethod
  readonly by: 'tokens' | 'sso'
  readonly status: 200 | 201
  /** May the device be remembered? */
  readonly remembers: boolean
}

export const signInWithPassword =
  (service: Service, auth: AuthContext, { method, by, status, remembers }: PasswordSignIn) =>
  async ({ caller }: Context, task: Task): Promise<Answer> => {
    const { request } = task
    // A page of another site must not sign users in: they would leave data in an account of the attacker.
    await mustBeOwnSite(service, request)
    const { name, password, remember, code } = readLogin(task.body)
    const verification = await auth.verifyPassword({ name, password, request, method })
    const attempt = { ...verification, request, by, code, former: caller.session, remember: remembers && remember }
    const cookies = await signInOrChallenge(auth, attempt)
    return userResponse(auth, { request, status }, { userPk: verification.secrets.pk, cookies })
  }

const loginFields = {
  username: typedText,
  email: typedText,
  password: requiredText,
  rememberMe: boolean(),
  code: typedText,
}

/** A username or an address, in either field. */
const readLogin = (body: Body) => {
  const { username, email, password, rememberMe, code } = readMembers(body, loginFields)
  const name = username ?? email
  if (name === null) throw invalid([{ pointer: '/username', member: 'username', ...fault('required') }])
  return { name, password, remember: rememberMe === true, code }
}

/** POST userDetails/secondFactor: the second step of a sign-in. */
export const sendSecondFactor =
  (service: Service, auth: AuthContext) =>
  async ({ caller }: Context, task: Task): Promise<Answer> => {
    const { request, body } = task
    await mustBeOwnSite(service, request)
    const { code } = readMembers(body, { code: requiredText })
    const pending = await readPending(auth, request)
    if (!pending) throw new Problem('unauthorized')
    const { sid, secrets, by, remember } = pending
    const commit = async (tx: Transaction): Promise<void> => {
      await recordSignIn(tx, { request, method: 'secondFactor', userPk: secrets.pk, now: auth.platform.clock() })
      // Of several requests with the cookie, one completes the sign-in.
      if ((await recordsIn(tx).removeWhere(sessions, { pk: sid })) === 0) throw new Problem('unauthorized')
    }
    const attempt = { secrets, request, by, remember, former: caller.session, commit }
    const started = await withCode(auth, { secrets, code, request }, await prepareSession(auth, attempt))
    // Another code may be tried.
    if (!started) throw secondFactorRequired({})
    const cookies = [...(await cookiesOf(auth, started, by)), expiredPending]
    return userResponse(auth, { request, status: 200 }, { userPk: secrets.pk, cookies })
  }

const verificationFields = { password: requiredText, email: typedText, username: typedText }

/** The signed-in user enters the password again. */
export const verifyCurrentUser =
  (auth: AuthContext) =>
  async ({ caller, platform }: Context, { request, body }: Task): Promise<Answer> => {
    if (caller.pk === null || caller.username === null) throw new Problem('unauthorized')
    const { password, email, username } = readMembers(body, verificationFields)
    for (const name of [email, username]) {
      if (name !== null && (await findSecrets(platform.store, name))?.pk !== caller.pk)
        throw new Problem('unauthorized')
    }
    const { commit } = await auth.verifyPassword({ name: caller.username, password, request, method: 'verification' })
    await platform.store.transaction(async tx => {
      await commit(tx)
      if (caller.session !== undefined)
        await recordsIn(tx).updateWhere(sessions, { pk: caller.session }, { verified: platform.clock().toISOString() })
    })
    return userResponse(auth, { request, status: 200 }, { userPk: caller.pk, cookies: [] })
  }
