// Registrations that are never confirmed: in time, or because another user has confirmed the address. Those that other records
// refer to stay.

import { oneByOne, type Sweep } from '../../core/jobs/sweep.ts'
import type { Sender } from '../../core/model/caller.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
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
  records: TransactionRecords,
  { user, address, sender }: ConfirmedAddress,
  now: Date,
): Promise<void> => {
  const rivals = await records.find(users, { where: { emailHash: await emailHashOf(records, address), active: false } })
  for (const rival of rivals) {
    if (rival.pk === user || !isUnconfirmed(await records.lock(userCredentials, rival.pk))) continue
    if (!(await remove(records, rival.pk, now))) await reject(records, { rival, sender }, now)
  }
}

/** Returns false when other records refer to the user, such as those of a store: then nothing is done. */
const remove = (records: TransactionRecords, userPk: string, now: Date): Promise<boolean> =>
  removeUser(records, userPk, async () => {
    await freeCode(records, userPk, now)
    await endSessions(records, userPk)
  })

/** Stays for the records that refer to it. */
const reject = async (
  records: TransactionRecords,
  { rival: { pk, username }, sender }: Pick<ConfirmedAddress, 'sender'> & { readonly rival: User },
  now: Date,
): Promise<void> => {
  const reason = 'Another user has confirmed the e-mail address.'
  await freeCode(records, pk, now)
  await rejectRegistration(records, { user: pk, reason }, now)
  const data = { user: username, reason, ...(sender && { address: sender.remoteAddress }) }
  await registrationAudit.record(records, { type: 'USER_DEACTIVATED', principal: null, data, now })
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
        if (isUnconfirmed(await own.lock(userCredentials, pk))) await remove(own.asService, pk, clock())
      }),
    )
  }
}
