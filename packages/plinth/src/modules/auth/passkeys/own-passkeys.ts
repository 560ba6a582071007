// The passkeys of the signed-in user: list, register, name and remove them.

import { boolean, text, timestamp } from '../../../core/model/fields.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import { defineShape, jsonObject, manyOf } from '../../../core/model/shape.ts'
import { Problem } from '../../../core/problem.ts'
import { defineEndpoint } from '../../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../../core/rest/endpoint-answers.ts'
import { secrets } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { authAudit, authFault } from '../problems.ts'
import type { Revocation } from '../revocation.ts'
import { externalIdentities } from '../social/identities.ts'
import { flowAnswer, passkeyProof } from './assertion.ts'
import { challengeLasts, createChallenge, type PasskeyChallenge, readChallenge, useChallenge } from './challenges.ts'
import type { PasskeyAttestation, PasskeyOptions } from './passkey-json.ts'
import { maxPasskeys, type Passkey, passkeyPkOf, passkeys, passkeysOf, toDescriptor } from './passkeys.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'

const path = '/api/auth/passkeys'
const must = { required: true } as const
const own = { tag: 'auth', access: 'caller.signedIn', holdsSecrets: true } as const

const passkeyShape = defineShape(
  'Passkey',
  {
    id: text(must),
    name: text(must),
    synced: boolean({ ...must, about: 'A service keeps it and shares it between the devices of the user.' }),
    created: timestamp(must),
    lastUsed: timestamp(),
  },
  { element: 'passkey' },
)

const enrolmentRequest = defineShape(
  'PasskeyOptions',
  { flow: flowAnswer, options: jsonObject<PasskeyOptions>('For the browser, as JSON.') },
  { element: 'passkey', about: 'For the browser.' },
)

const enrolmentProof = {
  ...passkeyProof,
  credential: jsonObject<PasskeyAttestation>('The `PublicKeyCredential` of the browser as JSON.'),
} as const

const toEntry = ({ pk: id, name, synced, created, lastUsed }: Passkey) => ({ id, name, synced, created, lastUsed })

const listPasskeys = defineEndpoint({
  ...own,
  method: 'GET',
  path,
  id: 'listPasskeys',
  summary: 'List your passkeys',
  answers: { 200: { about: 'The passkeys.', value: manyOf(passkeyShape, 'passkeys') } },
  problems: [401, 406, 503],
  run: async ({ records, caller }) => (await passkeysOf(records.asService, caller.pk ?? '')).map(toEntry),
})

const beginRegistration = (auth: AuthContext) =>
  defineEndpoint({
    ...own,
    method: 'POST',
    path: `${path}/options`,
    id: 'beginPasskey',
    summary: 'Start the registration of a passkey',
    requires: 'recentSignIn',
    answers: { 200: enrolmentRequest },
    problems: [401, 403, 404, 409, 503],
    run: async ({ records, caller, request }) => {
      const { id, name } = relyingPartyOf(auth.config, request)
      const known = await passkeysOf(records.asService, caller.pk ?? '')
      if (known.length >= maxPasskeys) throw tooMany()
      const purpose = { act: 'enrolment', user: caller.pk, session: caller.session ?? null } as const
      const { value, flow } = await createChallenge(auth, purpose)
      const { generateRegistrationOptions } = await import('@simplewebauthn/server')
      const options = await generateRegistrationOptions({
        rpID: id,
        rpName: name,
        userID: Buffer.from(caller.pk ?? ''),
        userName: caller.username ?? '',
        challenge: Buffer.from(value, 'base64url'),
        excludeCredentials: known.map(toDescriptor),
        // Found without a username, and by the person alone: the passkey stands for password and second factor.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestationType: 'none',
        timeout: challengeLasts,
      })
      return { flow, options }
    },
  })

const tooMany = (): Problem =>
  new Problem('conflict', {
    en: `You have ${maxPasskeys} passkeys, which is the most that is allowed.`,
    de: `Sie haben ${maxPasskeys} Passkeys; mehr sind nicht erlaubt.`,
  })

const registerPasskey = (auth: AuthContext) =>
  defineEndpoint({
    ...own,
    method: 'POST',
    path,
    id: 'registerPasskey',
    summary: 'Register a passkey',
    requires: 'recentSignIn',
    body: { ...enrolmentProof, name: text({ required: true, min: 1, max: 100 }) },
    answers: { 201: { about: 'The passkey.', value: passkeyShape } },
    problems: [400, 401, 403, 404, 409, 415, 422, 503],
    answer: async ({ records: ofCaller, caller, request, body: { name, ...proof } }) => {
      const party = relyingPartyOf(auth.config, request)
      const purpose = { act: 'enrolment', user: caller.pk, session: caller.session ?? null } as const
      const challenge = await readChallenge(auth, proof.flow, purpose)
      const credential = await verifyRegistration(party, challenge, proof.credential)
      const created = await ofCaller.transaction(async ({ asService: records, now }) => {
        await useChallenge(records, challenge)
        // Locked: of several registrations at a time, none goes beyond the limit.
        await records.lock(secrets, caller.pk ?? '')
        const pk = passkeyPkOf(credential.credential)
        if ((await passkeysOf(records, caller.pk ?? '')).length >= maxPasskeys) throw tooMany()
        if (await records.first(passkeys, { where: { pk } })) throw new Problem('taken')
        const added = await records.create(passkeys, {
          ...credential,
          ...{ pk, name, user: caller.pk ?? '', created: now.toISOString(), lastUsed: null },
        })
        const data = { passkey: name, address: request.remoteAddress }
        await authAudit.record(records, { type: 'PASSKEY_ADDED', principal: caller.username, data, now })
        return added
      })
      return toValueAnswer(passkeyShape, toEntry(created), { status: 201 })
    },
  })

const verifyRegistration = async (party: RelyingParty, challenge: PasskeyChallenge, response: PasskeyAttestation) => {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge.value,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified)
    throw new Problem('unprocessable', {
      detail: {
        en: 'The passkey could not be verified. Start again.',
        de: 'Der Passkey ließ sich nicht prüfen. Beginnen Sie noch einmal.',
      },
      errors: [{ pointer: '/credential', member: 'credential', ...authFault('wrong_credential') }],
    })
  const { credential, credentialBackedUp } = verified.registrationInfo
  return {
    credential: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])],
    synced: credentialBackedUp,
  }
}

const one = { ...own, path: `${path}/{id}`, params: { id: 'The passkey.' } } as const

const renamePasskey = defineEndpoint({
  ...one,
  method: 'PUT',
  id: 'renamePasskey',
  summary: 'Name one of your passkeys',
  body: { name: text({ required: true, min: 1, max: 100 }) },
  answers: { 200: { about: 'The passkey.', value: passkeyShape } },
  problems: [400, 401, 403, 404, 415, 503],
  run: ({ records: ofCaller, caller, params, body: { name } }) =>
    ofCaller.transaction(async ({ asService: records }) => {
      const found = await records.lock(passkeys, params.id)
      if (found?.user.pk !== caller.pk) throw new Problem('not_found')
      return toEntry(await records.update(passkeys, found.pk, { name }))
    }),
})

const removePasskey = defineEndpoint({
  ...one,
  method: 'DELETE',
  id: 'removePasskey',
  summary: 'Remove one of your passkeys',
  description: 'Refused for the last way to sign in: the account needs a password, another passkey or an identity.',
  requires: 'recentSignIn',
  answers: { 204: 'The passkey is removed.' },
  problems: [401, 403, 404, 409, 503],
  run: ({ records: ofCaller, caller, request, params }) =>
    ofCaller.transaction(async ({ asService: records, now }) => {
      const user = caller.pk ?? ''
      // Locked: of two concurrent removals, the second finds that it is the last.
      const stored = await records.lock(secrets, user)
      const all = await passkeysOf(records, user)
      const found = all.find(({ pk }) => pk === params.id)
      if (!found) throw new Problem('not_found')
      const isLast = !stored?.passwordHash && all.length === 1
      if (isLast && (await records.count(externalIdentities, { where: { user } })) === 0)
        throw new Problem('conflict', {
          en: 'This is the only way to sign in to the account. Set a password first.',
          de: 'Das ist der einzige Weg, sich anzumelden. Legen Sie zuerst ein Passwort fest.',
        })
      await records.remove(passkeys, found.pk)
      const data = { passkey: found.name, address: request.remoteAddress }
      await authAudit.record(records, { type: 'PASSKEY_REMOVED', principal: caller.username, data, now })
    }),
})

export const revokePasskeys = async (
  records: TransactionRecords,
  { userPk, principal, data, now }: Revocation,
): Promise<void> => {
  const count = await records.removeMany(passkeys, { where: { user: userPk } })
  if (count === 0) return
  await authAudit.record(records, { type: 'PASSKEY_REMOVED', principal, data: { ...data, count }, now })
}

export const ownPasskeyEndpoints = (auth: AuthContext) => [
  listPasskeys,
  beginRegistration(auth),
  registerPasskey(auth),
  renamePasskey,
  removePasskey,
]
