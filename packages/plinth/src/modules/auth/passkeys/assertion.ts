// Verifies that someone holds a passkey, for every way to use one.

import type { Request } from '../../../core/http/exchange.ts'
import { text } from '../../../core/model/fields.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import { defineShape, jsonObject } from '../../../core/model/shape.ts'
import { Problem } from '../../../core/problem.ts'
import { type Secrets, secrets } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import {
  type ChallengePurpose,
  challengeLasts,
  createChallenge,
  isUsed,
  type PasskeyChallenge,
  readChallenge,
  useChallenge,
} from './challenges.ts'
import type { PasskeyAssertion, PasskeyOptions } from './passkey-json.ts'
import { hasCountedOn, type Passkey, passkeyPkOf, passkeys, toDescriptor } from './passkeys.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'

/** The fields of bodies with the answer of an authenticator. */
export const passkeyProof = {
  flow: text({ required: true, max: 2000, about: 'From the options.' }),
  credential: jsonObject<PasskeyAssertion>('The `PublicKeyCredential` of the browser as JSON.'),
} as const

export interface PasskeyProof {
  readonly flow: string
  readonly credential: PasskeyAssertion
}

export const flowAnswer = text({ required: true, about: 'Send it back with the credential, within 5 minutes.' })

export const passkeyRequest = defineShape(
  'PasskeyRequest',
  { flow: flowAnswer, options: jsonObject<PasskeyOptions>('For the browser, as JSON.') },
  { element: 'passkey', about: 'For the browser.' },
)

interface AssertionRequest extends ChallengePurpose {
  readonly request: Request
  /** The passkeys that may be used; none for any that the device finds. */
  readonly allowed: readonly Passkey[]
}

const loadServer = () => import('@simplewebauthn/server')

export const assertionOptions = async (auth: AuthContext, { request, allowed, ...purpose }: AssertionRequest) => {
  const { id } = relyingPartyOf(auth.config, request)
  const { value, flow } = await createChallenge(auth, purpose)
  const { generateAuthenticationOptions } = await loadServer()
  const options = await generateAuthenticationOptions({
    rpID: id,
    challenge: Buffer.from(value, 'base64url'),
    allowCredentials: allowed.map(toDescriptor),
    userVerification: 'required',
    timeout: challengeLasts,
  })
  return { flow, options }
}

interface Assertion extends ChallengePurpose {
  readonly request: Request
  readonly proof: PasskeyProof
}

export interface VerifiedPasskey {
  readonly secrets: Secrets
  /** Uses up the challenge and counts on, in the transaction of what the passkey is for. */
  readonly commit: (records: TransactionRecords) => Promise<void>
}

/** Problem `unauthorized` for everything that is not right. */
export const verifyAssertion = async (auth: AuthContext, assertion: Assertion): Promise<VerifiedPasskey> => {
  const { request, proof, ...purpose } = assertion
  const party = relyingPartyOf(auth.config, request)
  const challenge = await readChallenge(auth, proof.flow, purpose)
  const { records, clock } = auth.platform
  const id = typeof proof.credential.id === 'string' ? proof.credential.id : ''
  const stored = await records.first(passkeys, { where: { pk: passkeyPkOf(id) } })
  const owner = stored && (await records.first(secrets, { where: { pk: stored.user.pk } }))
  const isExpected = purpose.user === null || purpose.user === stored?.user.pk
  const counter = stored && isExpected ? await counterOf({ party, challenge, proof }, stored) : null
  const refuse = async (type: 'AUTHENTICATION_FAILURE' | 'PASSKEY_CLONE_SUSPECTED'): Promise<never> => {
    await auth.recordRefusal({ type, principal: owner?.user.label ?? null, request, reason: 'passkey' })
    throw new Problem('unauthorized')
  }
  if (!stored || !owner || counter === null) return refuse('AUTHENTICATION_FAILURE')
  // An answer that is sent again has the counter of the first time: that is no copy of the device.
  if (!hasCountedOn(stored, counter))
    return refuse((await isUsed(records, challenge)) ? 'AUTHENTICATION_FAILURE' : 'PASSKEY_CLONE_SUSPECTED')
  return {
    secrets: owner,
    commit: async own => {
      await useChallenge(own, challenge)
      const current = await own.lock(passkeys, stored.pk)
      // Removed since, or used by another request that has counted further.
      if (!current || !hasCountedOn(current, counter)) throw new Problem('unauthorized')
      await own.update(passkeys, stored.pk, { counter, lastUsed: clock().toISOString() })
    },
  }
}

interface SignedChallenge {
  readonly party: RelyingParty
  readonly challenge: PasskeyChallenge
  readonly proof: PasskeyProof
}

/** The counter of a genuine answer; null for others. */
const counterOf = async ({ party, challenge, proof }: SignedChallenge, stored: Passkey): Promise<number | null> => {
  const { verifyAuthenticationResponse } = await loadServer()
  const response = proof.credential
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge.value,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      // The counter is checked here, since a copy is worth a word in the audit.
      credential: { id: stored.credential, publicKey: Buffer.from(stored.publicKey, 'base64url'), counter: 0 },
      requireUserVerification: true,
    })
    const handle = response.response.userHandle
    const isOwn = handle === undefined || Buffer.from(handle, 'base64url').toString() === stored.user.pk
    return verified && isOwn ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
