// Networks from which a user has signed in of late. While many addresses guess at an account, it stays open to these. Only
// hashes are stored: a row says that a network is known to whoever asks about it, and tells nothing about the user's whereabouts.

import { createHash } from 'node:crypto'
import { networkOf } from '../../../core/http/network.ts'
import { assigned, defineResource } from '../../../core/model/define.ts'
import { ref, timestamp } from '../../../core/model/fields.ts'
import type { Reader, Transaction } from '../../../core/model/transaction.ts'
import { readerOf } from '../../../core/records/reader.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { after } from '../sessions/terms.ts'

/** The pk is the SHA-256 of the user and the network. */
export const knownNetworks = defineResource('knownNetworks', {
  about: 'Networks from which users have signed in.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    until: timestamp({ required: true, indexed: true }),
  },
  access: {},
})

interface Whereabouts {
  readonly userPk: string | null
  readonly address: string
}

const day = 24 * 3600_000
const keptFor = 90 * day

const pkOf = ({ userPk, address }: Whereabouts): string =>
  createHash('sha256')
    .update(`${userPk} ${networkOf(address)}`)
    .digest('hex')

export const isKnownNetwork = async (reader: Reader, whereabouts: Whereabouts, now: Date): Promise<boolean> => {
  const known = await readerOf(reader).first(knownNetworks, { pk: pkOf(whereabouts) })
  return known !== null && known.until > now.toISOString()
}

export const rememberNetwork = async (
  tx: Transaction,
  { userPk, address }: { readonly userPk: string; readonly address: string },
  now: Date,
): Promise<void> => {
  const [records, pk] = [recordsIn(tx), pkOf({ userPk, address })]
  const known = await records.first(knownNetworks, { pk })
  // A day more or less does not matter, and saves a write on most sign-ins.
  if (known && known.until > after(now, keptFor - day)) return
  await records.put(knownNetworks, { pk, user: userPk, until: after(now, keptFor) })
}
