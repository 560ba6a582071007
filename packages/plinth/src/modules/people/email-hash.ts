// `emailHash` of users: equal for equal addresses, and of no use to guess them, since it takes the key of the service. Sign-ins do
// not depend on the key: they are looked up by the digest in `secrets`.
//
// The key is in the database beside the addresses: all instances share it, and each backup has it, so that the hashes in a restored
// database stay valid. A reader of the database or of a backup finds the addresses themselves.

import { createHmac, randomBytes } from 'node:crypto'
import { defineResource } from '../../core/model/define.ts'
import { text } from '../../core/model/fields.ts'
import { assigned } from '../../core/model/identifier.ts'
import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import { defineMigration, type Migration } from '../../core/module.ts'
import { addressDigest, canonicalAddress } from '../mail/index.ts'
import { contactDetails } from './contact-details.ts'
import { mailboxOf } from './mailboxes.ts'
import { users } from './users.ts'

export const hashKeys = defineResource('hashKeys', {
  about: 'The keys of stored hashes.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { value: text({ required: true, max: 200 }) },
  access: {},
})

const keyName = 'emails'

/** Returns null for anything that is not an address. */
export const emailHashOf = async (records: RecordReader, email: string): Promise<string | null> => {
  const address = canonicalAddress(email)
  if (address === null) return null
  const { value } = await records.get(hashKeys, keyName)
  return createHmac('sha256', Buffer.from(value, 'base64url')).update(address).digest('hex')
}

/** Renews the hash of a user from the trash, whom a migration of hashes does not reach. */
export const rehashEmail = async (records: TransactionRecords, pk: string): Promise<void> => {
  const [user, mailbox] = [await records.get(users, pk), await mailboxOf(records, pk)]
  if (mailbox === null) return
  const emailHash = await emailHashOf(records, mailbox)
  if (user.emailHash !== emailHash) await records.update(users, pk, { emailHash })
}

const createKey = defineMigration({
  name: 'people.create-email-hash-key',
  run: async ({ records }) => {
    await records.ensure(hashKeys, { pk: keyName, value: randomBytes(32).toString('base64url') })
  },
})

/**
 * The migration of digests that earlier versions stored. One whose address is not known any more becomes null: no link
 * confirms such an address.
 */
const hashWithKey = defineMigration({
  name: 'people.hash-emails-with-key',
  each: users,
  where: { emailHash: { ne: null } },
  change: async ({ pk, emailHash }, { records }) => {
    const mailbox = (await mailboxOf(records.asService, pk)) ?? undefined
    const entered = (await records.first(contactDetails, { where: { pk } }))?.primaryEmail?.email
    const address = [mailbox, entered].find(one => one !== undefined && addressDigest(one) === emailHash)
    return { emailHash: address === undefined ? null : await emailHashOf(records.asService, address) }
  },
})

const forgetDigests = ['users_history', 'users_trash']
  .map(table => `UPDATE "${table}" SET "emailHash" = NULL WHERE "emailHash" IS NOT NULL;`)
  .join('\n')

/** What is restored from the trash gets its hash again. */
const eraseDigests = defineMigration({
  name: 'people.erase-email-digests',
  sql: { sqlite: forgetDigests, postgres: forgetDigests },
})

export const emailHashMigrations: readonly Migration[] = [createKey, hashWithKey, eraseDigests]
