// PUT account: changes the password, or requests and uses the token of a mail.

import type { Request } from '../../core/http/exchange.ts'
import { readCookie } from '../../core/http/incoming.ts'
import { isAdmin } from '../../core/model/caller.ts'
import { shape } from '../../core/model/description.ts'
import { text } from '../../core/model/fields.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { invalid } from '../../core/rest/body.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import type { Platform } from '../../core/rest/platform.ts'
import {
  type AuthContext,
  type Cookie,
  cookieNames,
  type RevocationListener,
  rememberNetwork,
  renewTokens,
  revokeCredentials,
  revokeKeys,
  sessions,
  setPassword,
  signInOrChallenge,
  ssoCookie,
  tokenCookies,
  userResponse,
} from '../auth/index.ts'
import { type TokenBinding, useToken } from '../mail/index.ts'
import {
  confirmAddress,
  hashPassword,
  isOpened,
  judgePassword,
  type PasswordContext,
  passwordContextOf,
  passwordLength,
  renameUser,
  secrets,
  userCredentials,
  usernamePattern,
  userRecord,
} from '../people/index.ts'
import { confirmByLink, invalidToken, readLink, setsPassword } from './confirm.ts'
import { registrationAudit } from './faults.ts'
import {
  type AccountBody,
  type AccountRequest,
  accountFields,
  checkConfirmation,
  missing,
  requireFields,
  userAnswer,
} from './register.ts'
import { mustBeUnreserved } from './reserved-names.ts'
import { requestReset } from './reset-requests.ts'
import type { RegistrationSettings } from './settings.ts'

/** No body counts as null. */
const userOrNothing: JsonSchema = {
  anyOf: [shape(userRecord.name), { type: 'null', description: 'No body: an e-mail was requested.' }],
}

/** The fields of the body decide what is done. A token is valid for its own purpose and user, regardless of the caller. */
export const changePassword = (
  { verifyPassword }: Pick<AuthContext, 'verifyPassword'>,
  onRevocation: RevocationListener,
) =>
  defineEndpoint({
    method: 'PUT',
    path: '/api/auth/account',
    id: 'changePassword',
    tag: 'registration',
    summary: 'Change or reset a password, or confirm an address',
    description: [
      'Signed in, with `currentPassword`, `password` and `passwordConfirmation`: the password is changed.',
      'With `resetPasswordToken`, `password` and `passwordConfirmation`: the password is changed. The token of an invitation also ' +
        'confirms the address.',
      'With only `email` or `username`: sends a link to choose a new password; the response is always the same.',
      'With `resetPasswordToken` and `email` or `username`: the address is confirmed. One that was entered for an account ' +
        'that has a password or a confirmed address, or that was used before, also requires the `currentPassword`.',
    ].join('\n\n'),
    access: 'true',
    forgiving: true,
    holdsSecrets: true,
    body: accountFields,
    answers: {
      200: { about: 'The user, or no body if an e-mail was requested.', value: userOrNothing },
    },
    problems: [400, 401, 403, 409, 422, 429],
    answer: ({ context, request, body }) => putAccount({ context, request, verifyPassword, onRevocation }, body),
  })

interface PasswordRequest extends AccountRequest {
  readonly onRevocation: RevocationListener
}

const putAccount = async (call: PasswordRequest, body: AccountBody): Promise<Answer> => {
  const { context, request } = call
  const token = body.resetPasswordToken
  if (token !== null)
    return body.password === null ? confirmByLink(call, body, token) : resetPassword(call, body, token)
  const name = body.username ?? body.email
  const isSignedIn = context.caller.pk !== null
  if (body.currentPassword !== null || (isSignedIn && (body.password !== null || name === null)))
    return replacePassword(call, body)
  if (name === null) throw missing('email')
  await requestReset(context, request, name)
  return { kind: 'nothing', status: 200 }
}

const replacePassword = async (
  { context, request, verifyPassword, onRevocation }: PasswordRequest,
  body: AccountBody,
): Promise<Answer> => {
  const { pk, username: name, session } = context.caller
  if (pk === null || name === null) throw new Problem('unauthorized')
  const { currentPassword, ...typed } = requireFields(body, 'currentPassword', 'password', 'passwordConfirmation')
  const { records, clock } = context.platform
  const password = await readNewPassword(context.platform, typed, await passwordContextOf(records, pk))
  const verification = await verifyPassword({ name, password: currentPassword, request, method: 'verification' })
  const hash = await hashPassword(password)
  await records.transaction(async records => {
    await verification.commit(records)
    await setPassword(records, { user: pk, hash, session }, clock())
    const event = { principal: name, data: { address: request.remoteAddress }, now: clock() }
    if (body.revokeApiKeys) await revokeKeys(records, { ...event, userPk: pk })
    await onRevocation(records, { ...event, userPk: pk })
    await registrationAudit.record(records, { ...event, type: 'PASSWORD_CHANGED' })
  })
  return userAnswer(context, pk)
}

/** Does not sign in: a sign-in may require more than the password, such as a second factor. */
const resetPassword = async (
  { context, request, onRevocation }: PasswordRequest,
  body: AccountBody,
  token: string,
): Promise<Answer> => {
  const { records, clock } = context.platform
  const { user, binding } = await readLink(context, body, token)
  if (!setsPassword(binding)) throw invalidToken()
  const typed = requireFields(body, 'password', 'passwordConfirmation')
  const password = await readNewPassword(context.platform, typed, await passwordContextOf(records, user.pk))
  const hash = await hashPassword(password)
  await records.transaction(async records => {
    // Locked before the tokens, as wherever a user is deactivated, so that transactions do not deadlock.
    await records.lock(userCredentials, user.pk)
    const used = await useToken(records, token, clock())
    if (!used || !setsPassword(used)) throw invalidToken()
    if (used.purpose === 'welcome') await acceptInvitation(records, used, clock())
    await setPassword(records, { user: used.user, hash }, clock())
    const data = { way: used.purpose === 'welcome' ? 'invitation' : 'reset', address: request.remoteAddress }
    const event = { principal: user.username, data, now: clock() }
    await revokeCredentials(records, { ...event, userPk: used.user, mailbox: used.address }, onRevocation)
    // The owner can sign in from this network even while others guess at the account.
    await rememberNetwork(records, { userPk: used.user, address: request.remoteAddress }, clock())
    await registrationAudit.record(records, { ...event, type: 'PASSWORD_CHANGED' })
  })
  return userAnswer(context, user.pk)
}

/** The link came back from the address that an administrator entered, so the address is confirmed. */
const acceptInvitation = async (
  records: TransactionRecords,
  { user, address }: TokenBinding,
  now: Date,
): Promise<void> => {
  if (await isOpened(records, user)) throw invalidToken()
  await confirmAddress(records, { user, email: address }, now)
}

type TypedTwice = Readonly<Record<'password' | 'passwordConfirmation', string>>

/** Problem `invalid` for a password that is not accepted, or not typed the same twice. */
const readNewPassword = async (
  { codeContexts }: Platform,
  typed: TypedTwice,
  context: PasswordContext,
): Promise<string> => {
  const judged = await judgePassword(typed.password, context, codeContexts('registration'))
  const faults = [...judged, ...checkConfirmation(typed)]
  if (faults.length > 0) throw invalid(faults)
  return typed.password
}

// PUT account/username: changes the own username, with the password.

export const changeUsername = (auth: AuthContext, { reservedNames }: RegistrationSettings) =>
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
      const rename = async (records: TransactionRecords) => {
        await verification.commit(records)
        await renameUser(records, { user: pk, username }, now)
        if (!isAdmin(caller)) await mustBeUnreserved(records, { username, user: pk }, reservedNames)
        const data = { former, address: request.remoteAddress }
        await registrationAudit.record(records, { type: 'USERNAME_CHANGED', principal: username, data, now })
        // With the new username, which the session copies.
        return { secrets: await records.get(secrets, pk) }
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
  work: (records: TransactionRecords) => Promise<unknown>,
): Promise<readonly Cookie[]> => {
  const session = await platform.records.transaction(async records => {
    await work(records)
    if (request.headers.authorization !== undefined) return null
    const locked = await records.lock(sessions, sid)
    return locked && renewTokens(records, locked, { now: platform.clock(), lifetimes })
  })
  if (!session) return []
  if (session.ssoHash === null) return tokenCookies(session, tokens, lifetimes)
  const cookie = readCookie(request, cookieNames.sso)
  return cookie === null ? [] : [ssoCookie(cookie, lifetimes)]
}
