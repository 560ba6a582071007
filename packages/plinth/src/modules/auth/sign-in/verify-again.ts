// The signed-in user is verified again: acts that need a recent sign-in go on after that.

import type { Config } from '../../../core/config/settings.ts'
import { choice, integer, text } from '../../../core/model/fields.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import { defineShape, list, object } from '../../../core/model/shape.ts'
import { Problem } from '../../../core/problem.ts'
import type { Call } from '../../../core/rest/endpoint.ts'
import { defineEndpoint } from '../../../core/rest/endpoint.ts'
import { findSecrets, type Secrets, secrets, usernameOf, userRecord } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import {
  assertionOptions,
  type PasskeyProof,
  passkeyProof,
  passkeyRequest,
  verifyAssertion,
} from '../passkeys/assertion.ts'
import { passkeysOf } from '../passkeys/passkeys.ts'
import { findRelyingParty } from '../passkeys/relying-party.ts'
import { withCode } from '../second-factor/verify-code.ts'
import { sessions } from '../sessions/session.ts'
import { sessionSettings } from '../settings.ts'
import { typedText } from '../verification/verify-password.ts'
import { signInProblems, userResponse } from './sign-in.ts'

const verification = defineShape(
  'VerificationRequest',
  {
    password: text({ max: 1000, format: 'password' }),
    code: text({ max: 1000, about: 'Instead of the password: a code of the second factor, or a recovery code.' }),
    passkey: object(passkeyProof, { about: 'Instead of the password: the answer to `verification/passkey`.' }),
    email: typedText,
    username: typedText,
  },
  { needsOneOf: ['password', 'code', 'passkey'] },
)

type Proof = Pick<Call, 'caller' | 'request'> & { readonly own: Secrets }

export const verifyCurrentUser = (auth: AuthContext) =>
  defineEndpoint({
    method: 'POST',
    path: '/api/auth/userDetails/verification',
    id: 'verifyCurrentUser',
    summary: 'Verify the current user again',
    description:
      'By the password, a code of the second factor, or a passkey. After that the session counts as recently signed in.',
    access: 'caller.signedIn',
    holdsSecrets: true,
    body: verification,
    answers: { 200: { about: 'The user.', value: userRecord } },
    problems: signInProblems,
    answer: async ({ context: { platform }, caller, request, body }) => {
      const { password, code, passkey, email, username } = body
      const own = await platform.records.first(secrets, { where: { pk: caller.pk ?? '' } })
      if (!own) throw new Problem('unauthorized')
      for (const name of [email, username]) {
        if (name !== null && (await findSecrets(platform.records, name))?.pk !== own.pk)
          throw new Problem('unauthorized')
      }
      if (password !== null) await verifyByPassword(auth, { own, caller, request }, password)
      else if (passkey !== null) await verifyByPasskey(auth, { own, caller, request }, passkey)
      else await verifyByCode(auth, { own, caller, request }, code ?? '')
      return userResponse(auth, { request, status: 200 }, { userPk: own.pk, cookies: [] })
    },
  })

const verifyByPassword = async (auth: AuthContext, proof: Proof, password: string): Promise<void> => {
  const { own, request } = proof
  const { commit } = await auth.verifyPassword({ name: usernameOf(own), password, request, method: 'verification' })
  await auth.platform.records.transaction(async records => {
    await commit(records)
    await noteVerified(auth, records, proof)
  })
}

const verifyByCode = async (auth: AuthContext, proof: Proof, code: string): Promise<void> => {
  const { own, request } = proof
  if (!own.mfa) throw new Problem('unauthorized')
  const isRight = await withCode(auth, { secrets: own, code, request }, async records => {
    await noteVerified(auth, records, proof)
    return true
  })
  if (!isRight) throw new Problem('unauthorized')
}

const purposeOf = ({ pk, session }: Proof['caller']) =>
  ({ act: 'verification', user: pk, session: session ?? null }) as const

const verifyByPasskey = async (auth: AuthContext, proof: Proof, passkey: PasskeyProof): Promise<void> => {
  const { caller, request } = proof
  const { commit } = await verifyAssertion(auth, { ...purposeOf(caller), request, proof: passkey })
  await auth.platform.records.transaction(async records => {
    await commit(records)
    await noteVerified(auth, records, proof)
  })
}

export const askForPasskey = (auth: AuthContext) =>
  defineEndpoint({
    method: 'POST',
    path: '/api/auth/userDetails/verification/passkey',
    id: 'beginPasskeyVerification',
    summary: 'Ask for a passkey to verify the current user again',
    access: 'caller.signedIn',
    holdsSecrets: true,
    answers: { 200: passkeyRequest },
    problems: [401, 403, 404, 406, 503],
    run: async ({ context: { platform }, caller, request }) => {
      const allowed = await passkeysOf(platform.records, caller.pk ?? '')
      if (allowed.length === 0) throw new Problem('not_found')
      return assertionOptions(auth, { ...purposeOf(caller), request, allowed })
    },
  })

const noteVerified = async (
  { platform }: AuthContext,
  records: TransactionRecords,
  { caller }: Proof,
): Promise<void> => {
  if (caller.session === undefined) return
  const verified = platform.clock().toISOString()
  await records.updateMany(sessions, { where: { pk: caller.session } }, { verified })
}

const must = { required: true } as const

/** What a client can ask for when an act needs a recent sign-in. */
export const showVerification = (config: Config) =>
  defineEndpoint({
    method: 'GET',
    path: '/api/auth/userDetails/verification',
    id: 'readVerification',
    summary: 'Read how the current user can be verified again',
    access: 'caller.signedIn',
    holdsSecrets: true,
    answers: {
      200: defineShape(
        'Verification',
        {
          recentFor: integer({ ...must, min: 0, about: 'Seconds for which the sign-in still counts as recent.' }),
          ways: list(choice(['password', 'passkey', 'code']), {
            ...must,
            about: 'Without any, users sign in again at their provider.',
          }),
        },
        { element: 'verification', about: 'The state of the session.' },
      ),
    },
    problems: [401, 403, 406, 503],
    run: async ({ context: { platform }, caller, request, now }) => {
      const { records } = platform
      const own = await records.first(secrets, { where: { pk: caller.pk ?? '' } })
      const session =
        caller.session === undefined ? null : await records.first(sessions, { where: { pk: caller.session } })
      const hasPasskeys =
        findRelyingParty(config, request) !== null && (await passkeysOf(records, caller.pk ?? '')).length > 0
      const age = now.getTime() - (session?.verified ? Date.parse(session.verified) : 0)
      const left = config.get(sessionSettings).recentMinutes * 60 - age / 1000
      return {
        recentFor: Math.max(0, Math.floor(left)),
        ways: [
          ...(own?.passwordHash ? ['password' as const] : []),
          ...(hasPasskeys ? ['passkey' as const] : []),
          ...(own?.mfa ? ['code' as const] : []),
        ],
      }
    },
  })
