// The second factor of the signed-in user: set it up, turn it on and off, renew its recovery codes.

import type { Request } from '../../../core/http/exchange.ts'
import { boolean, integer, text } from '../../../core/model/fields.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import { defineShape, type InputOf, list } from '../../../core/model/shape.ts'
import { Problem } from '../../../core/problem.ts'
import type { Context } from '../../../core/rest/context.ts'
import { defineEndpoint } from '../../../core/rest/endpoint.ts'
import { administrator } from '../../../core/rest/permits.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import {
  findSecrets,
  requireSecondFactor,
  type Secrets,
  secrets as secretsOf,
  usernameOf,
  users,
} from '../../people/index.ts'
import { revokeKeys } from '../api-keys/api-keys.ts'
import type { AuthContext } from '../context.ts'
import { passkeys } from '../passkeys/passkeys.ts'
import { type AuthAuditType, authAudit, authFault } from '../problems.ts'
import { endSessions } from '../sessions/session.ts'
import { requiredCode, requiredPassword, type Verification } from '../verification/verify-password.ts'
import {
  dropSecondFactor,
  newRecoveryCodes,
  newTotpSecret,
  recoveryHashOf,
  secondFactors,
  totpUri,
} from './second-factors.ts'
import { withCode } from './verify-code.ts'

const ownSecrets = async ({ caller, platform: { records } }: Context): Promise<Secrets> => {
  const own = caller.pk === null ? null : await records.first(secretsOf, { where: { pk: caller.pk } })
  if (!own) throw new Problem('unauthorized')
  return own
}

interface PasswordAgain {
  readonly secrets: Secrets
  readonly password: string
  readonly request: Request
}

/** Changes of credentials need the password again: a browser that was left open is not enough. */
const verifyAgain = (auth: AuthContext, { secrets, password, request }: PasswordAgain): Promise<Verification> =>
  auth.verifyPassword({ name: usernameOf(secrets), password, request, method: 'verification' })

const factorOf = ({ platform: { records } }: Context, pk: string) => records.first(secondFactors, { where: { pk } })

const wrongCode = (): Problem =>
  new Problem('unprocessable', {
    detail: { en: 'The code is wrong or expired.', de: 'Der Code ist falsch oder abgelaufen.' },
    errors: [{ pointer: '/code', member: 'code', ...authFault('wrong_code') }],
  })

const path = '/api/auth/secondFactor'
const shared = { tag: 'auth', access: 'caller.signedIn', holdsSecrets: true } as const
const problems = [400, 401, 403, 409, 422, 429, 503] as const
const must = { required: true } as const

const recoveryCodes = defineShape(
  'RecoveryCodes',
  { recoveryCodes: list(text(), { ...must, about: 'Shown only once. Each code works once.' }) },
  { element: 'secondFactor' },
)

export const showStatus = defineEndpoint({
  ...shared,
  method: 'GET',
  path,
  id: 'readSecondFactor',
  summary: 'Read whether a second factor is required',
  answers: {
    200: defineShape(
      'SecondFactorState',
      { enabled: boolean(must), recoveryCodesLeft: integer({ ...must, min: 0 }) },
      { element: 'secondFactor', about: 'The state.' },
    ),
  },
  problems: [401, 403, 406, 503],
  run: async ({ context }) => {
    const { pk, mfa } = await ownSecrets(context)
    const factor = mfa ? await factorOf(context, pk) : null
    return { enabled: mfa, recoveryCodesLeft: factor?.recoveryHashes?.length ?? 0 }
  },
})

/** Answers the secret, this once. The second factor is on when a code of it has come back. */
export const setUp = (auth: AuthContext, issuer: string) =>
  defineEndpoint({
    ...shared,
    method: 'POST',
    path,
    id: 'setUpSecondFactor',
    summary: 'Start the setup of a second factor',
    description:
      'Returns the secret for an authenticator app, once. PUT a code of the app to turn the second factor on.',
    body: { password: requiredPassword },
    answers: {
      200: defineShape(
        'SecondFactorSecret',
        { secret: text(must), uri: text({ ...must, format: 'uri', about: 'For a QR code.' }) },
        { element: 'secondFactor', about: 'The secret.' },
      ),
    },
    problems: [400, 401, 403, 409, 429, 503],
    run: async ({ context, request, body: { password } }) => {
      const secrets = await ownSecrets(context)
      const { commit } = await verifyAgain(auth, { secrets, password, request })
      const [secret, seals] = await Promise.all([newTotpSecret(), auth.seals()])
      await auth.platform.records.transaction(async records => {
        const values = {
          user: secrets.pk,
          sealedSecret: seals.seal(secret, 'second factor'),
          enabled: false,
          begun: auth.platform.clock().toISOString(),
          lastStep: null,
          recoveryHashes: [],
        }
        await records.ensure(secondFactors, values)
        if ((await records.lock(secondFactors, secrets.pk))?.enabled)
          throw new Problem('conflict', {
            en: 'The second factor is already on; turn it off first.',
            de: 'Der zweite Faktor ist schon eingeschaltet; schalten Sie ihn zuerst aus.',
          })
        await records.update(secondFactors, secrets.pk, values)
        await commit(records)
      })
      return { secret, uri: await totpUri(issuer, usernameOf(secrets), secret) }
    },
  })

/** A set-up must be completed within this time. */
const setUpLasts = 15 * 60_000

export const turnOn = (auth: AuthContext) =>
  defineEndpoint({
    ...shared,
    method: 'PUT',
    path,
    id: 'turnOnSecondFactor',
    summary: 'Turn on the second factor with its first code',
    description: 'Ends all other sessions.',
    body: { code: requiredCode, revokeApiKeys: boolean({ about: 'Also revoke all API keys of the user.' }) },
    answers: { 200: { about: 'The recovery codes.', value: recoveryCodes } },
    problems,
    run: async ({ context, caller, request, body: { code, revokeApiKeys } }) => {
      const secrets = await ownSecrets(context)
      const factor = await factorOf(context, secrets.pk)
      const begun = Date.parse(factor?.begun ?? '')
      if (factor?.enabled !== false || context.platform.clock().getTime() - begun > setUpLasts)
        throw new Problem('conflict', {
          en: 'No setup is in progress; start one first.',
          de: 'Die Einrichtung ist nicht im Gang; beginnen Sie sie zuerst.',
        })
      const codes = await withCode(auth, { secrets, code, request, enabled: false }, async records => {
        const now = auth.platform.clock()
        await records.update(secondFactors, secrets.pk, { enabled: true })
        await requireSecondFactor(records, secrets.pk, { mfa: true, now })
        await endSessions(records, secrets.pk, { except: caller.session })
        const data = { address: request.remoteAddress }
        if (revokeApiKeys) await revokeKeys(records, { userPk: secrets.pk, principal: usernameOf(secrets), data, now })
        return renewCodes(records, { secrets, request, type: 'SECOND_FACTOR_ENABLED', now })
      })
      return showCodes(codes)
    },
  })

const passwordAndCode = { password: requiredPassword, code: requiredCode }

/** What only the password and a code together may do; null if the code is invalid. */
const withPasswordAndCode = async <T>(
  auth: AuthContext,
  { secrets, request, body }: Omit<PasswordAgain, 'password'> & { readonly body: InputOf<typeof passwordAndCode> },
  change: (records: TransactionRecords) => Promise<T>,
): Promise<T | null> => {
  const { password, code } = body
  const { commit } = await verifyAgain(auth, { secrets, password, request })
  if (!secrets.mfa)
    throw new Problem('conflict', { en: 'No second factor is set up.', de: 'Es ist kein zweiter Faktor eingerichtet.' })
  return withCode(auth, { secrets, code, request }, async records => {
    await commit(records)
    return change(records)
  })
}

export const turnOff = (auth: AuthContext) =>
  defineEndpoint({
    ...shared,
    method: 'DELETE',
    path,
    id: 'turnOffSecondFactor',
    summary: 'Turn off the second factor',
    body: passwordAndCode,
    answers: { 204: 'The second factor is off.' },
    problems,
    run: async ({ context, request, body }) => {
      const secrets = await ownSecrets(context)
      const done = await withPasswordAndCode(auth, { secrets, request, body }, async records => {
        const now = auth.platform.clock()
        await dropSecondFactor(records, secrets.pk, now)
        const data = { address: request.remoteAddress }
        await authAudit.record(records, { type: 'SECOND_FACTOR_DISABLED', principal: usernameOf(secrets), data, now })
        return true
      })
      if (!done) throw wrongCode()
    },
  })

/** The former codes are no longer valid. */
export const renewRecoveryCodes = (auth: AuthContext) =>
  defineEndpoint({
    ...shared,
    method: 'POST',
    path: `${path}/recoveryCodes`,
    id: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    body: passwordAndCode,
    answers: { 200: { about: 'The new codes.', value: recoveryCodes } },
    problems,
    run: async ({ context, request, body }) => {
      const secrets = await ownSecrets(context)
      const codes = await withPasswordAndCode(auth, { secrets, request, body }, records =>
        renewCodes(records, { secrets, request, type: 'RECOVERY_CODES_RENEWED', now: auth.platform.clock() }),
      )
      return showCodes(codes)
    },
  })

interface Renewal {
  readonly secrets: Secrets
  readonly request: Request
  readonly type: AuthAuditType
  readonly now: Date
}

const renewCodes = async (records: TransactionRecords, { secrets, request, type, now }: Renewal): Promise<string[]> => {
  const codes = newRecoveryCodes()
  const recoveryHashes = codes.map(code => recoveryHashOf(secrets.pk, code))
  await records.update(secondFactors, secrets.pk, { recoveryHashes })
  const data = { address: request.remoteAddress }
  await authAudit.record(records, { type, principal: usernameOf(secrets), data, now })
  return codes
}

const showCodes = (recoveryCodes: string[] | null) => {
  if (!recoveryCodes) throw wrongCode()
  return { recoveryCodes }
}

// Removes the second factor of a user who has lost it: by an administrator, or from the command line.

interface SecondFactorRemoval {
  readonly userPk: string
  readonly principal: string | null
  /** The origin of the request, for the audit. */
  readonly trace: Readonly<Record<string, string>>
}

/** The lost device may be signed in, so every session ends. */
const remove = async (
  records: TransactionRecords,
  { userPk, principal, trace }: SecondFactorRemoval,
  now: Date,
): Promise<boolean> => {
  // What may be lost with the device: the passkeys on it, too.
  const count = await records.removeMany(passkeys, { where: { user: userPk } })
  if (!(await dropSecondFactor(records, userPk, now)) && count === 0) return false
  await endSessions(records, userPk)
  const { username } = await records.get(users, userPk)
  const data = { user: username, ...trace }
  await authAudit.record(records, { type: 'SECOND_FACTOR_REMOVED', principal, data, now })
  return true
}

/** Removes a second factor, for the command line. */
export const removeSecondFactor = async ({ records, clock }: Platform, name: string): Promise<void> => {
  const secrets = await findSecrets(records, name)
  if (!secrets) throw new Problem('not_found', `There is no user '${name}'.`)
  const removal = { userPk: secrets.pk, principal: null, trace: { by: 'command line' } }
  if (!(await records.transaction(records => remove(records, removal, clock()))))
    throw new Problem('not_found', `${name} has no second factor.`)
}

/** Administrators, too, turn off their own second factor with its code: a stolen session must not be enough. */
export const removeForUser = defineEndpoint({
  method: 'DELETE',
  path: '/api/rest/userCredentials/{pk}/secondFactor',
  id: 'removeSecondFactorOfUser',
  summary: 'Remove the second factor of a user who has lost it',
  description:
    'For administrators, except for their own. Removes the passkeys, too, and ends the sessions of the user.',
  params: { pk: 'The user.' },
  access: administrator,
  requires: 'recentSignIn',
  holdsSecrets: true,
  answers: { 204: 'The second factor is off.' },
  problems: [401, 403, 404, 503],
  run: async ({ records, caller, request, params: { pk: userPk } }) => {
    if (caller.pk === userPk)
      throw new Problem('forbidden', {
        en: 'Turn off your own second factor with its code.',
        de: 'Schalten Sie Ihren eigenen zweiten Faktor mit seinem Code aus.',
      })
    const removal = { userPk, principal: caller.username, trace: { address: request.remoteAddress } }
    const isRemoved = await records.transaction(own => remove(own.asService, removal, own.now))
    if (!isRemoved) throw new Problem('not_found')
  },
})
