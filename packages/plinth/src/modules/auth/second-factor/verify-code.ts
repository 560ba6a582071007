// Verifies codes of the second factor: throttled like passwords, and more strictly, since six digits are quickly guessed.

import type { Request } from '../../../core/http/exchange.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { type Secrets, usernameOf } from '../../people/index.ts'
import { authAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import type { ThrottledAttempt } from '../verification/throttle.ts'
import { type CodeType, useCode } from './second-factors.ts'

export interface CodeAttempt {
  /** The row of `secrets` of the user. */
  readonly secrets: Secrets
  readonly code: string
  readonly request: Request
  /** False for a second factor that is being set up. */
  readonly enabled?: boolean
}

/** Does the work in the transaction that uses up the code. Null, and no work, when the code is wrong. */
export const withCode = async <T>(
  auth: AuthContext,
  attempt: CodeAttempt,
  work: (tx: Transaction) => Promise<T>,
): Promise<T | null> => {
  const { secrets, code, request, enabled = true } = attempt
  const throttled: ThrottledAttempt = {
    account: `second factor of ${secrets.pk}`,
    userPk: secrets.pk,
    address: request.remoteAddress,
    strict: true,
  }
  await count(auth, attempt, throttled)
  const seals = await auth.seals()
  return auth.platform.store.transaction(async tx => {
    const now = auth.platform.clock()
    const type = await useCode(tx, seals, { userPk: secrets.pk, code: withoutBlanks(code), now, enabled })
    await record(tx, { ...attempt, type }, now)
    if (type === null) return null
    await auth.throttle.forgive(tx, throttled)
    return work(tx)
  })
}

/** Apps show their codes in two halves. */
const withoutBlanks = (code: string): string => code.replace(/\s/g, '')

const count = async (
  auth: AuthContext,
  { secrets, request }: CodeAttempt,
  throttled: ThrottledAttempt,
): Promise<void> => {
  try {
    await auth.throttle.count(throttled)
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_many_requests') {
      const principal = usernameOf(secrets)
      await auth.recordRefusal({ type: 'AUTHENTICATION_THROTTLED', principal, request, reason: 'second factor' })
    }
    throw error
  }
}

const record = async (
  tx: Transaction,
  { secrets, request, type: codeType }: CodeAttempt & { readonly type: CodeType | null },
  now: Date,
): Promise<void> => {
  if (codeType === 'code') return
  const type = codeType === null ? 'SECOND_FACTOR_FAILURE' : 'RECOVERY_CODE_USED'
  const data = { address: request.remoteAddress, path: request.path }
  await authAudit.record(tx, { type, principal: usernameOf(secrets), data, now })
}
