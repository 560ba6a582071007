// The second factor of the signed-in user: set it up, turn it on and off, renew its recovery codes.

import type { Request } from '../../../core/http/exchange.ts'
import { boolean } from '../../../core/model/fields.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Context } from '../../../core/rest/platform.ts'
import { readMembers } from '../../../core/rest/read-members.ts'
import type { Task } from '../../../core/rest/respond.ts'
import { requireSecondFactor, type Secrets, secrets as secretsOf, usernameOf } from '../../people/index.ts'
import { revokeKeys } from '../api-keys/api-keys.ts'
import { type AuthAuditType, authAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authFault } from '../faults.ts'
import { endSessions } from '../sessions/session.ts'
import { requiredText, type Verification } from '../verification/verify-password.ts'
import { newRecoveryCodes, newTotpSecret, recoveryHashOf, totpUri } from './one-time-codes.ts'
import { dropSecondFactor, secondFactors } from './second-factors.ts'
import { withCode } from './verify-code.ts'

type Run = (context: Context, task: Task) => Promise<Answer>

const ownSecrets = async ({ caller, platform: { records } }: Context): Promise<Secrets> => {
  const own = caller.pk === null ? null : await records.first(secretsOf, { pk: caller.pk })
  if (!own) throw new Problem('unauthorized')
  return own
}

interface PasswordAgain {
  readonly secrets: Secrets
  readonly password: string
  readonly task: Task
}

/** Changes of credentials need the password again: a browser that was left open is not enough. */
const verifyAgain = (auth: AuthContext, { secrets, password, task }: PasswordAgain): Promise<Verification> =>
  auth.verifyPassword({ name: usernameOf(secrets), password, request: task.request, method: 'verification' })

const factorOf = ({ platform: { records } }: Context, pk: string) => records.first(secondFactors, { pk })

const wrongCode = (): Problem =>
  new Problem('unprocessable', {
    detail: 'The code is not good, or not any more.',
    errors: [{ pointer: '/code', member: 'code', ...authFault('wrong_code') }],
  })

export const showStatus: Run = async context => {
  const { pk, mfa } = await ownSecrets(context)
  const factor = mfa ? await factorOf(context, pk) : null
  const value = { enabled: mfa, recoveryCodesLeft: factor?.recoveryHashes?.length ?? 0 }
  return { kind: 'value', status: 200, name: 'secondFactor', value }
}

/** Answers the secret, this once. The second factor is on when a code of it has come back. */
export const setUp =
  (auth: AuthContext, issuer: string): Run =>
  async (context, task) => {
    const secrets = await ownSecrets(context)
    const { password } = readMembers(task.body, { password: requiredText })
    const { commit } = await verifyAgain(auth, { secrets, password, task })
    const [secret, seals] = [newTotpSecret(), await auth.seals()]
    await auth.platform.store.transaction(async tx => {
      const records = recordsIn(tx)
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
        throw new Problem('conflict', 'The second factor is on already; turn it off first.')
      await records.update(secondFactors, secrets.pk, values)
      await commit(tx)
    })
    const value = { secret, uri: totpUri(issuer, usernameOf(secrets), secret) }
    return { kind: 'value', status: 200, name: 'secondFactor', value }
  }

/** A set-up must be completed within this time. */
const setUpLasts = 15 * 60_000

export const turnOn =
  (auth: AuthContext): Run =>
  async (context, { request, body }) => {
    const secrets = await ownSecrets(context)
    const { code, revokeApiKeys } = readMembers(body, { code: requiredText, revokeApiKeys: boolean() })
    const factor = await factorOf(context, secrets.pk)
    const begun = Date.parse(factor?.begun ?? '')
    if (factor?.enabled !== false || context.platform.clock().getTime() - begun > setUpLasts)
      throw new Problem('conflict', 'There is no set-up under way; begin one.')
    const codes = await withCode(auth, { secrets, code, request, enabled: false }, async tx => {
      const now = auth.platform.clock()
      await recordsIn(tx).update(secondFactors, secrets.pk, { enabled: true })
      await requireSecondFactor(tx, secrets.pk, { mfa: true, now })
      await endSessions(tx, secrets.pk, { except: context.caller.session })
      const data = { address: request.remoteAddress }
      if (revokeApiKeys) await revokeKeys(tx, { userPk: secrets.pk, principal: usernameOf(secrets), data, now })
      return renewCodes(tx, { secrets, request, type: 'SECOND_FACTOR_ENABLED', now })
    })
    return codesAnswer(codes)
  }

/** What needs both the password and a code; null if the code is wrong. */
const withPasswordAndCode = async <T>(
  auth: AuthContext,
  { secrets, task }: { readonly secrets: Secrets; readonly task: Task },
  change: (tx: Transaction) => Promise<T>,
): Promise<T | null> => {
  const { password, code } = readMembers(task.body, { password: requiredText, code: requiredText })
  const { commit } = await verifyAgain(auth, { secrets, password, task })
  if (!secrets.mfa) throw new Problem('conflict', 'There is no second factor.')
  return withCode(auth, { secrets, code, request: task.request }, async tx => {
    await commit(tx)
    return change(tx)
  })
}

export const turnOff =
  (auth: AuthContext): Run =>
  async (context, task) => {
    const secrets = await ownSecrets(context)
    const done = await withPasswordAndCode(auth, { secrets, task }, async tx => {
      const now = auth.platform.clock()
      await dropSecondFactor(tx, secrets.pk, now)
      const data = { address: task.request.remoteAddress }
      await authAudit.record(tx, { type: 'SECOND_FACTOR_DISABLED', principal: usernameOf(secrets), data, now })
      return true
    })
    if (!done) throw wrongCode()
    return { kind: 'nothing', status: 204 }
  }

/** The former ones do not work any more. */
export const newCodes =
  (auth: AuthContext): Run =>
  async (context, task) => {
    const secrets = await ownSecrets(context)
    const codes = await withPasswordAndCode(auth, { secrets, task }, tx =>
      renewCodes(tx, { secrets, request: task.request, type: 'RECOVERY_CODES_RENEWED', now: auth.platform.clock() }),
    )
    return codesAnswer(codes)
  }

interface Renewal {
  readonly secrets: Secrets
  readonly request: Request
  readonly type: AuthAuditType
  readonly now: Date
}

const renewCodes = async (tx: Transaction, { secrets, request, type, now }: Renewal): Promise<string[]> => {
  const codes = newRecoveryCodes()
  const recoveryHashes = codes.map(code => recoveryHashOf(secrets.pk, code))
  await recordsIn(tx).update(secondFactors, secrets.pk, { recoveryHashes })
  const data = { address: request.remoteAddress }
  await authAudit.record(tx, { type, principal: usernameOf(secrets), data, now })
  return codes
}

const codesAnswer = (recoveryCodes: string[] | null): Answer => {
  if (!recoveryCodes) throw wrongCode()
  return { kind: 'value', status: 200, name: 'secondFactor', value: { recoveryCodes } }
}
