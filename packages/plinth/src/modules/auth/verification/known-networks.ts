// Networks from which a user has signed in lately. An account that is under attack from many addresses stays open to these. Only
// hashes are stored: the rows do not reveal where a user has been.

import { sha256Of } from '../../../core/digest.ts'
import { networkOf } from '../../../core/http/caller-address.ts'
import { defineResource } from '../../../core/model/define.ts'
import { ref, timestamp } from '../../../core/model/fields.ts'
import { assigned } from '../../../core/model/identifier.ts'
import type { RecordReader, TransactionRecords } from '../../../core/model/records.ts'
import { after } from '../sessions/session.ts'

/** The pk is the SHA-256 of the user and the network. */
export const knownNetworks = defineResource('knownNetworks', {
  about: 'Networks from which users have signed in.',
  trash: false,
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    until: timestamp({ required: true, indexed: true }),
  },
  access: {},
})

interface NetworkUse {
  readonly userPk: string | null
  readonly address: string
}

const day = 24 * 3600_000
const keptFor = 90 * day

const pkOf = ({ userPk, address }: NetworkUse): string => sha256Of(`${userPk} ${networkOf(address)}`)

export const isKnownNetwork = async (records: RecordReader, use: NetworkUse, now: Date): Promise<boolean> => {
  const known = await records.first(knownNetworks, { where: { pk: pkOf(use) } })
  return known !== null && known.until > now.toISOString()
}

export const rememberNetwork = async (
  records: TransactionRecords,
  { userPk, address }: { readonly userPk: string; readonly address: string },
  now: Date,
): Promise<void> => {
  const pk = pkOf({ userPk, address })
  const known = await records.first(knownNetworks, { where: { pk } })
  // To be a day imprecise saves a write on most sign-ins.
  if (known && known.until > after(now, keptFor - day)) return
  await records.upsert(knownNetworks, { pk, user: userPk, until: after(now, keptFor) })
}
