// Registrations that are never confirmed: in time, or because another user has confirmed the address. Those that other records
// refer to stay.

import { oneByOne, type Sweep } from '../../core/jobs/sweep.ts'
import type { Sender } from '../../core/model/caller.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { recordsIn } from '../../core/records/records.ts'
import type { Service } from '../../core/service.ts'
import { endSessions } from '../auth/index.ts'
import {
  emailHashOf,
  isUnconfirmed,
  rejectRegistration,
  removeUser,
  type User,
  userCredentials,
  users,
} from '../people/index.ts'
import { freeCode } from './codes.ts'
import { registrationAudit } from './faults.ts'

interface ConfirmedAddress {
  /** The pk of the user who owns the address; null for one who is about to be created. */
  readonly user: string | null
  readonly address: string
  /** The origin of the confirmation, for the audit. */
  readonly sender: Pick<Sender, 'remoteAddress'> | null
}

/** Removes the registrations of others with this address: they can never be confirmed now. */
export const removeRivals = async (
  tx: Transaction,
  { user, address, sender }: ConfirmedAddress,
  now: Date,
): Promise<void> => {
  const records = recordsIn(tx)
  const rivals = await records.find(users, { where: { emailHash: await emailHashOf(tx, address), active: false } })
  for (const rival of rivals) {
    if (rival.pk === user || !isUnconfirmed(await records.lock(userCredentials, rival.pk))) continue
    if (!(await remove(tx, rival.pk, now))) await reject(tx, { rival, sender }, now)
  }
}

/** Returns false when other records refer to the user, such as those of a store: then nothing is done. */
const remove = (tx: Transaction, userPk: string, now: Date): Promise<boolean> =>
  removeUser(tx, userPk, async () => {
    await freeCode(tx, userPk, now)
    await endSessions(tx, userPk)
  })

/** Stays for the records that refer to it. */
const reject = async (
  tx: Transaction,
  { rival: { pk, username }, sender }: Pick<ConfirmedAddress, 'sender'> & { readonly rival: User },
  now: Date,
): Promise<void> => {
  const reason = 'Another user has confirmed the e-mail address.'
  await freeCode(tx, pk, now)
  await rejectRegistration(tx, { user: pk, reason }, now)
  const data = { user: username, reason, ...(sender && { address: sender.remoteAddress }) }
  await registrationAudit.record(tx, { type: 'USER_DEACTIVATED', principal: null, data, now })
}

const name = 'removing old registrations'
const keptDays = 7

/** Removes registrations that were not confirmed within a week. Their codes can be used again. */
export const sweepUnconfirmed: Sweep = {
  name,
  run: (service, { daysAgo }) => removeOld(service, daysAgo(keptDays)),
}

const removeOld = async (service: Service, before: string): Promise<void> => {
  const { records, clock } = service.platform
  const old = { active: false, createdDate: { le: before } }
  for await (const all of records.stream(users, { where: old })) {
    await oneByOne(service, { name, all }, ({ pk }) =>
      records.transaction(async own => {
        if (isUnconfirmed(await own.lock(userCredentials, pk))) await remove(own.tx, pk, clock())
      }),
    )
  }
}
