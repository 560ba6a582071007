// The second factor of somebody who has lost it, taken away by an administrator or by whoever holds the machine.

import { isInPerson } from '../../../core/model/caller.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Context, Platform } from '../../../core/rest/platform.ts'
import type { Task } from '../../../core/rest/respond.ts'
import { findSecrets, users } from '../../people/index.ts'
import { authAudit } from '../audit.ts'
import { endSessions } from '../sessions/sessions.ts'
import { dropSecondFactor } from './second-factors.ts'

interface Removal {
  readonly userPk: string
  readonly principal: string | null
  /** From where it is done. */
  readonly trace: Readonly<Record<string, string>>
}

/** Whoever has the lost device may be signed in on it, so every session ends. */
const remove = async (tx: Transaction, { userPk, principal, trace }: Removal, now: Date): Promise<boolean> => {
  if (!(await dropSecondFactor(tx, userPk, now))) return false
  await endSessions(tx, userPk)
  const { username } = await recordsIn(tx).get(users, userPk)
  const data = { user: username, ...trace }
  await authAudit.record(tx, { type: 'SECOND_FACTOR_REMOVED', principal, data, now })
  return true
}

/** For whoever holds the machine. */
export const removeSecondFactor = async ({ store, clock }: Platform, name: string): Promise<void> => {
  const secrets = await findSecrets(store, name)
  if (!secrets) throw new Problem('not_found', `There is no user '${name}'.`)
  const removal = { userPk: secrets.pk, principal: null, trace: { by: 'command line' } }
  if (!(await store.transaction(tx => remove(tx, removal, clock()))))
    throw new Problem('not_found', `${name} has no second factor.`)
}

/** The own one is turned off with its code, also by administrators: a stolen session must not be enough. */
export const removeForUser = async ({ caller, platform }: Context, { request }: Task): Promise<Answer> => {
  const userPk = request.params.pk ?? ''
  // Nor is a key that acts for an administrator enough.
  if (!isInPerson(caller)) throw new Problem('forbidden')
  if (caller.pk === userPk) throw new Problem('forbidden', 'The own second factor is turned off with its code.')
  const { store, clock } = platform
  const removal = { userPk, principal: caller.username, trace: { address: request.remoteAddress } }
  if (!(await store.transaction(tx => remove(tx, removal, clock())))) throw new Problem('not_found')
  return { kind: 'nothing', status: 204 }
}
