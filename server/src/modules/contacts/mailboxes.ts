// The mailbox that a user has shown to own. Whatever opens an account is sent there and nowhere else: never to an address
// that a caller gives, nor to one that was entered and not yet confirmed.

import { defineResource, sharedWith } from '../../core/model/define.ts'
import { ref, text } from '../../core/model/fields.ts'
import type { Reader } from '../../core/model/transaction.ts'
import { readerOf } from '../../core/records/reader.ts'

export const mailboxes = defineResource('mailboxes', {
  about: 'The verified e-mail address of each user.',
  identifier: sharedWith('user'),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade' }),
    address: text({ required: true, max: 254 }),
  },
  access: {},
})

export const mailboxOf = async (reader: Reader, userPk: string): Promise<string | null> => {
  const mailbox = await readerOf(reader).first(mailboxes, { pk: userPk })
  return mailbox?.address ?? null
}
