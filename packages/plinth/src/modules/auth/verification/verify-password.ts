// Verifies passwords, for every way to sign in: throttled, in the same time for names that do not exist, and recorded in the
// audit.

import { appSettings } from '../../../core/config/service-settings.ts'
import { FairQueue } from '../../../core/fair-queue.ts'
import { networkOf } from '../../../core/http/caller-address.ts'
import type { Request } from '../../../core/http/exchange.ts'
import { text } from '../../../core/model/fields.ts'
import type { Records, TransactionRecords } from '../../../core/model/records.ts'
import { Problem } from '../../../core/problem.ts'
import type { Service } from '../../../core/service.ts'

import {
  canonicalLogin,
  findSecrets,
  findUnconfirmed,
  hashPassword,
  isDemoPassword,
  isOutdated,
  isUnconfirmed,
  recordFailure,
  recordSuccess,
  rehashPassword,
  type Secrets,
  secrets,
  userCredentials,
  usernameOf,
  type VerifiedAccount,
  verifyPassword,
} from '../../people/index.ts'
import { authAudit, authProblem } from '../problems.ts'
import type { Seals } from '../seals.ts'
import { findKnownDevice } from './known-devices.ts'
import { rememberNetwork } from './known-networks.ts'
import { OutdatedVerification, type RecordRefusal } from './refusals.ts'
import type { Throttle, ThrottledAttempt } from './throttle.ts'

/** How a user is verified, for the audit. */
export type SignInMethod =
  | 'jwt'
  | 'basic'
  | 'userDetails'
  | 'verification'
  | 'header'
  | 'secondFactor'
  | 'oauth'
  | 'passkey'
  | 'remembered'

export interface PasswordAttempt {
  readonly name: string
  readonly password: string
  readonly request: Request
  readonly method: SignInMethod
}

export interface Verification {
  readonly secrets: Secrets
  /** Records the success, in the transaction of what it is for. 401 when the account has changed since. */
  readonly commit: (records: TransactionRecords) => Promise<CommittedSignIn>
}

/** What a sign-in has read of the user in the transaction of its session. */
export interface CommittedSignIn {
  /** The row of `secrets`, locked. */
  readonly secrets: Secrets
  /** The account; absent where it has changed since it was read. */
  readonly account?: VerifiedAccount
}

export type VerifyPassword = (attempt: PasswordAttempt) => Promise<Verification>

/**
 * The most characters, more than any right answer has: it is the comparison that refuses, and that looks the same for
 * all.
 */
const max = 1000

/** Fields for names, passwords and codes that are compared. */
export const typedText = text({ max })
export const requiredText = text({ max, required: true })
export const requiredPassword = text({ max, required: true, format: 'password' })
export const requiredCode = text({
  max,
  required: true,
  about: 'Six digits of the authenticator, or a recovery code.',
})

export interface VerifierParts extends Pick<Service, 'platform' | 'config' | 'log'> {
  readonly seals: () => Promise<Seals>
  readonly throttle: Throttle
  readonly recordRefusal: RecordRefusal
}

export const createPasswordVerifier = (parts: VerifierParts): VerifyPassword => {
  const { platform, seals, recordRefusal } = parts
  const checkUse = createUseCheck(parts)
  // A few at a time from each network and of each account: attempts count as failures until they succeed.
  const turns = new FairQueue({ placesPerCaller: 4, waitingPerCaller: 2000 })
  const verify = async (attempt: PasswordAttempt): Promise<Verification> => {
    const { records } = platform
    // Both are looked up: the response time must not depend on what is found.
    const [known, registered] = await Promise.all([
      findSecrets(records, attempt.name),
      findUnconfirmed(records, attempt.name),
    ])
    const found = known ?? registered
    const { request } = attempt
    const use = { request, userPk: found?.pk ?? null, now: platform.clock() }
    const hasCookies = request.headers.cookie !== undefined
    const throttled: ThrottledAttempt = {
      // Names and pks have prefixes: strangers choose names, and may know a pk.
      account: found ? `user ${found.pk}` : `name ${canonicalLogin(attempt.name)}`,
      userPk: use.userPk,
      address: request.remoteAddress,
      device: hasCookies ? findKnownDevice(await seals(), use) : null,
    }
    return turns.run(() => verifyCounted({ ...parts, checkUse }, { ...attempt, found, throttled }), {
      caller: `account ${throttled.account}`,
    })
  }
  return async attempt => {
    try {
      const caller = `network ${networkOf(attempt.request.remoteAddress)}`
      return await turns.run(() => verify(attempt), { caller })
    } catch (error) {
      if (error instanceof Problem && error.code === 'too_many_requests') {
        const { name, request, method } = attempt
        await recordRefusal({ type: 'AUTHENTICATION_THROTTLED', principal: name, request, reason: method })
      }
      throw error
    }
  }
}

interface FoundAttempt extends PasswordAttempt {
  readonly found: Secrets | null
  readonly throttled: ThrottledAttempt
}

const verifyCounted = async (
  { platform: { records, clock }, throttle, checkUse }: VerifierParts & { readonly checkUse: CheckUse },
  { found, throttled, ...attempt }: FoundAttempt,
): Promise<Verification> => {
  const counted = await throttle.begin(throttled)
  const verified = await checkAndRehash(records, found, attempt.password).catch(async error => {
    await counted.abandon()
    throw error
  })
  if (!verified) {
    await records.transaction(async records => {
      await counted.fail(records)
      if (found) await recordFailure(records, found.pk)
      await recordFailedAttempt(records, attempt, clock())
    })
    throw new Problem('unauthorized')
  }
  // In a transaction of its own: the password was right, whatever happens next.
  await records.transaction(records => counted.succeed(records))
  const refusal = checkUse(verified, attempt.password)
  if (refusal) {
    await records.transaction(records => recordFailedAttempt(records, { ...attempt, reason: refusal.message }, clock()))
    throw refusal
  }
  return {
    secrets: verified,
    commit: async records => {
      const account = await recordSignIn(records, { ...attempt, userPk: verified.pk, now: clock() })
      return { secrets: await lockSignedIn(records, verified), account }
    },
  }
}

/** Why a right password opens nothing; null when it does. */
type CheckUse = (verified: Secrets, password: string) => Problem | null

const createUseCheck = ({ config, log }: Pick<Service, 'config' | 'log'>): CheckUse => {
  const allowsDemo = config.get(appSettings).demo
  const warned = new Set<string>()
  return (verified, password) => {
    if (!verified.active)
      return authProblem('email_unconfirmed', {
        en: 'The e-mail address of the registration is not confirmed yet.',
        de: 'Die E-Mail-Adresse der Registrierung ist noch nicht bestätigt.',
      })
    if (allowsDemo || !isDemoPassword(verified.pk, password)) return null
    const username = usernameOf(verified)
    const detail = `This is a demo password, and demo mode is off. Set another one: plinth admin reset-password ${username}`
    if (!warned.has(username)) log.warn({ username }, `A sign-in was refused. ${detail}`)
    warned.add(username)
    return authProblem('demo_password', detail)
  }
}

/** The row that the password opens, or would open once its address is confirmed; null when it opens nothing. */
const checkAndRehash = async (records: Records, known: Secrets | null, password: string): Promise<Secrets | null> => {
  const hash = known?.passwordHash ?? null
  const isRight = await verifyPassword(hash, password)
  if (!known || !isRight || hash === null) return null
  // A deactivated account looks like a wrong password.
  const { pk, active } = known
  if (!active && !isUnconfirmed(await records.first(userCredentials, { where: { pk } }))) return null
  if (!isOutdated(hash)) return known
  const better = await hashPassword(password)
  const rehashed = await records.transaction(records => rehashPassword(records, known, better))
  // The stored hash has changed: another sign-in was faster, or there is a new password.
  return rehashed ?? checkAndRehash(records, await records.first(secrets, { where: { pk } }), password)
}

/**
 * The row of `secrets` as it is now, locked until the transaction ends: a change of the account waits, and then finds the new
 * session. A password takes time to verify: when the account has changed since, the verification does not count.
 */
export const lockVerified = async (records: TransactionRecords, verified: Secrets): Promise<Secrets> => {
  await records.lock(secrets, verified.pk)
  // Read again: a row that was waited for comes with the username from before the wait.
  return mustBeSame(await records.first(secrets, { where: { pk: verified.pk } }), verified)
}

/**
 * The same after `recordSignIn`, which has locked the row of the user. A transaction that renames the user has done so before, or waits
 * for this one, so the row comes with the present username at once. To verify a password again asks for no username.
 */
export const lockSignedIn = async (records: TransactionRecords, verified: Secrets): Promise<Secrets> =>
  mustBeSame(await records.lock(secrets, verified.pk), verified)

const mustBeSame = (stored: Secrets | null, verified: Secrets): Secrets => {
  const isSame = stored?.active && stored.passwordHash === verified.passwordHash && stored.mfa === verified.mfa
  if (!stored || !isSame) throw new OutdatedVerification(verified)
  return stored
}

const traceOf = ({ request, method }: Pick<PasswordAttempt, 'request' | 'method'>) => ({
  address: request.remoteAddress,
  way: method,
})

const recordFailedAttempt = (
  records: TransactionRecords,
  { reason, ...attempt }: PasswordAttempt & { readonly reason?: string },
  now: Date,
): Promise<void> => {
  const data = { ...traceOf(attempt), ...(reason !== undefined && { reason }) }
  return authAudit.record(records, { type: 'AUTHENTICATION_FAILURE', principal: attempt.name, data, now })
}

export interface VerifiedSignIn extends Pick<PasswordAttempt, 'request' | 'method'> {
  readonly userPk: string
  readonly now: Date
}

export const recordSignIn = async (
  records: TransactionRecords,
  { userPk, now, ...attempt }: VerifiedSignIn,
): Promise<VerifiedAccount> => {
  const account = await recordSuccess(records, userPk, { visit: attempt.method !== 'verification', now })
  await rememberNetwork(records, { userPk, address: attempt.request.remoteAddress }, now)
  const principal = account.user.username
  await authAudit.record(records, { type: 'AUTHENTICATION_SUCCESS', principal, data: traceOf(attempt), now })
  return account
}
