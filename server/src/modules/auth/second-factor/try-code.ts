// Is this the right code? Counted like passwords, and stricter: six digits are soon guessed.

import type { Request } from '../../../core/http/exchange.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { type Secrets, usernameOf } from '../../people/index.ts'
import { authAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import type { Attempt } from '../verification/throttle.ts'
import { type Means, useCode } from './second-factors.ts'

export interface CodeTry {
  /** The row of `secrets` of whoever is to be proved. */
  readonly secrets: Secrets
  readonly code: string
  readonly request: Request
  /** False for a second factor that is still being set up. */
  readonly enabled?: boolean
}

/** Does the work in the transaction that uses up the code. Null, and no work, when the code is not good. */
export const withCode = async <T>(
  auth: AuthContext,
  one: CodeTry,
  work: (tx: Transaction) => Promise<T>,
): Promise<T | null> => {
  const { secrets, code, request, enabled = true } = one
  const attempt: Attempt = {
    account: `second factor of ${secrets.pk}`,
    userPk: secrets.pk,
    address: request.remoteAddress,
    strict: true,
  }
  await enter(auth, one, attempt)
  const seals = await auth.seals()
  return auth.platform.store.transaction(async tx => {
    const now = auth.platform.clock()
    const means = await useCode(tx, seals, { userPk: secrets.pk, code: withoutBlanks(code), now, enabled })
    await note(tx, { ...one, means }, now)
    if (means === null) return null
    await auth.throttle.forgive(tx, attempt)
    return work(tx)
  })
}

/** Authenticators show their codes in two halves. */
const withoutBlanks = (code: string): string => code.replace(/\s/g, '')

const enter = async (auth: AuthContext, { secrets, request }: CodeTry, attempt: Attempt): Promise<void> => {
  try {
    await auth.throttle.enter(attempt)
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_many_requests') {
      const principal = usernameOf(secrets)
      await auth.noteRefusal({ type: 'AUTHENTICATION_THROTTLED', principal, request, reason: 'second factor' })
    }
    throw error
  }
}

const note = async (
  tx: Transaction,
  { secrets, request, means }: CodeTry & { readonly means: Means | null },
  now: Date,
): Promise<void> => {
  if (means === 'code') return
  const type = means === null ? 'SECOND_FACTOR_FAILURE' : 'RECOVERY_CODE_USED'
  const data = { address: request.remoteAddress, path: request.path }
  await authAudit.record(tx, { type, principal: usernameOf(secrets), data, now })
}
