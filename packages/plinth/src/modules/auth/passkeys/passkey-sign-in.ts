// Signing in with a passkey: without a username, and in place of a code after the password.

import { boolean, text } from '../../../core/model/fields.ts'
import { Problem } from '../../../core/problem.ts'
import { defineEndpoint } from '../../../core/rest/endpoint.ts'
import type { AuthContext } from '../context.ts'
import { expiredPending, readPending } from '../second-factor/verify-code.ts'
import { pendingCommit } from '../sign-in/pending-commit.ts'
import {
  deliver,
  prepareSession,
  refusedAnswer,
  refusedCodeAnswer,
  signedInAnswer,
  signInProblems,
  tokensField,
  userResponse,
} from '../sign-in/sign-in.ts'
import { lockSignedIn, recordSignIn } from '../verification/verify-password.ts'
import { assertionOptions, passkeyProof, passkeyRequest, verifyAssertion } from './assertion.ts'
import { passkeysOf } from './passkeys.ts'

const shared = {
  tag: 'auth',
  method: 'POST',
  access: 'true',
  ownSite: true,
  forgiving: true,
  holdsSecrets: true,
} as const
const anyone = { act: 'sign-in', user: null, session: null } as const

const beginSignIn = (auth: AuthContext) =>
  defineEndpoint({
    ...shared,
    path: '/api/auth/passkeys/signIn/options',
    id: 'beginPasskeySignIn',
    summary: 'Start a sign-in with a passkey',
    description: 'The same for everyone: the device knows for whom it has a passkey.',
    answers: { 200: passkeyRequest },
    problems: [403, 404, 406, 503],
    run: ({ request }) => assertionOptions(auth, { ...anyone, request, allowed: [] }),
  })

const signInWithPasskey = (auth: AuthContext) =>
  defineEndpoint({
    ...shared,
    path: '/api/auth/passkeys/signIn',
    id: 'signInWithPasskey',
    summary: 'Sign in with a passkey',
    description: 'It stands for password and second factor, since the device has verified the person.',
    body: { ...passkeyProof, rememberMe: boolean({ about: 'Remember the device.' }), tokens: tokensField },
    answers: { 200: signedInAnswer, 401: refusedAnswer },
    problems: [...signInProblems, 404],
    answer: async ({ caller, request, body: { rememberMe, tokens, ...proof } }) => {
      const { secrets, commit } = await verifyAssertion(auth, { ...anyone, request, proof })
      const by = tokens ?? 'tokens'
      const start = await prepareSession(auth, {
        ...{ secrets, request, by, former: caller.session, remember: rememberMe === true },
        commit: async records => {
          const now = auth.platform.clock()
          const account = await recordSignIn(records, { request, method: 'passkey', userPk: secrets.pk, now })
          const locked = await lockSignedIn(records, secrets)
          await commit(records)
          return { secrets: locked, account }
        },
      })
      const started = await auth.platform.records.transaction(start)
      const delivery = { ...(await deliver(auth, started, by)), account: started.account }
      return userResponse(auth, { request, status: 200 }, { userPk: secrets.pk, ...delivery })
    },
  })

const second = '/api/auth/userDetails/secondFactor/passkey'
const pendingField = text({ max: 2000, about: 'From the response `second_factor_required`, in place of its cookie.' })

const beginSecondFactor = (auth: AuthContext) =>
  defineEndpoint({
    ...shared,
    path: `${second}/options`,
    id: 'beginPasskeySecondFactor',
    summary: 'Ask for a passkey in place of a code',
    body: { pending: pendingField },
    bodyIsOptional: true,
    answers: { 200: passkeyRequest },
    problems: [400, 401, 403, 404, 406, 415, 503],
    run: async ({ request, body }) => {
      const pending = await readPending(auth, request, body.pending)
      if (!pending) throw new Problem('unauthorized')
      const allowed = await passkeysOf(auth.platform.records, pending.secrets.pk)
      if (allowed.length === 0) throw new Problem('not_found')
      const purpose = { act: 'second factor', user: pending.secrets.pk, session: pending.sid } as const
      return assertionOptions(auth, { ...purpose, request, allowed })
    },
  })

const sendSecondFactor = (auth: AuthContext) =>
  defineEndpoint({
    ...shared,
    path: second,
    id: 'givePasskeySecondFactor',
    summary: 'Send a passkey in place of a code and sign in',
    body: { ...passkeyProof, pending: pendingField },
    answers: { 200: signedInAnswer, 401: refusedCodeAnswer },
    problems: [...signInProblems, 404],
    answer: async ({ caller, request, body: { pending: sealed, ...proof } }) => {
      const pending = await readPending(auth, request, sealed)
      if (!pending) throw new Problem('unauthorized')
      const { sid, secrets, by, remember } = pending
      const purpose = { act: 'second factor', user: secrets.pk, session: sid } as const
      const verified = await verifyAssertion(auth, { ...purpose, request, proof })
      const complete = pendingCommit(auth, { request, pending, method: 'passkey' })
      const start = await prepareSession(auth, {
        ...{ secrets, request, by, remember, former: caller.session },
        commit: async records => {
          const committed = await complete(records)
          await verified.commit(records)
          return committed
        },
      })
      const started = await auth.platform.records.transaction(start)
      const { cookies, tokens } = await deliver(auth, started, by)
      const { account } = started
      const delivery = tokens ? { cookies, tokens, account } : { cookies: [...cookies, expiredPending], account }
      return userResponse(auth, { request, status: 200 }, { userPk: secrets.pk, ...delivery })
    },
  })

export const passkeySignInEndpoints = (auth: AuthContext) => [
  beginSignIn(auth),
  signInWithPasskey(auth),
  beginSecondFactor(auth),
  sendSecondFactor(auth),
]
