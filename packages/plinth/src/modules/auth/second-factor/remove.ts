// Removes the second factor of a user who has lost it: by an administrator, or from the command line.

import { isInPerson } from '../../../core/model/caller.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { defineEndpoint } from '../../../core/rest/endpoint.ts'
import { administrator, type Platform } from '../../../core/rest/platform.ts'
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
export const removeForUser = defineEndpoint({
  method: 'DELETE',
  path: '/api/rest/userCredentials/{pk}/secondFactor',
  id: 'removeSecondFactorOfUser',
  summary: 'Remove the second factor of a user who has lost it',
  description: 'For administrators, except for their own. Ends the sessions of the user.',
  params: { pk: 'The user.' },
  access: administrator,
  holdsSecrets: true,
  answers: { 204: 'The second factor is off.' },
  problems: [401, 403, 404, 503],
  run: async ({ context: { platform }, caller, request, params: { pk: userPk } }) => {
    // An API key of an administrator is not enough either.
    if (!isInPerson(caller)) throw new Problem('forbidden')
    if (caller.pk === userPk) throw new Problem('forbidden', 'Turn off your own second factor with its code.')
    const { store, clock } = platform
    const removal = { userPk, principal: caller.username, trace: { address: request.remoteAddress } }
    if (!(await store.transaction(tx => remove(tx, removal, clock())))) throw new Problem('not_found')
  },
})
