// Removes the second factor of a user who has lost it: by an administrator, or from the command line.

import { isInPerson } from '../../../core/model/caller.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Context, Platform } from '../../../core/rest/platform.ts'
import type { Task } from '../../../core/rest/respond.ts'
import { findSecrets, users } from '../../people/index.ts'
import { authAudit } from '../audit.ts'
import { endSessions } from '../sessions/session.ts'
import { dropSecondFactor } from './second-factors.ts'

interface SecondFactorRemoval {
  readonly userPk: string
  readonly principal: string | null
  /** From where it is done. */
  readonly trace: Readonly<Record<string, string>>
}

/** The lost device may be signed in, so every session ends. */
const remove = async (
  tx: Transaction,
  { userPk, principal, trace }: SecondFactorRemoval,
  now: Date,
): Promise<boolean> => {
  if (!(await dropSecondFactor(tx, userPk, now))) return false
  await endSessions(tx, userPk)
  const { username } = await recordsIn(tx).get(users, userPk)
  const data = { user: username, ...trace }
  await authAudit.record(tx, { type: 'SECOND_FACTOR_REMOVED', principal, data, now })
  return true
}

/** For the command line. */
export const removeSecondFactor = async ({ store, clock }: Platform, name: string): Promise<void> => {
  const secrets = await findSecrets(store, name)
  if (!secrets) throw new Problem('not_found', `There is no user '${name}'.`)
  const removal = { userPk: secrets.pk, principal: null, trace: { by: 'command line' } }
  if (!(await store.transaction(tx => remove(tx, removal, clock()))))
    throw new Problem('not_found', `${name} has no second factor.`)
}

/** Administrators, too, turn off their own one with its code: a stolen session must not be enough. */
export const removeForUser = async ({ caller, platform }: Context, { request }: Task): Promise<Answer> => {
  const userPk = request.params.pk ?? ''
  // An API key of an administrator is not enough either.
  if (!isInPerson(caller)) throw new Problem('forbidden')
  if (caller.pk === userPk) throw new Problem('forbidden', 'The own second factor is turned off with its code.')
  const { store, clock } = platform
  const removal = { userPk, principal: caller.username, trace: { address: request.remoteAddress } }
  if (!(await store.transaction(tx => remove(tx, removal, clock())))) throw new Problem('not_found')
  return { kind: 'nothing', status: 204 }
}
