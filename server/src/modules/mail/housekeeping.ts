// Deletes old mails and expired tokens, and the messages of deleted mails in the outbox folder.

import type { Service } from '../../core/rest/service.ts'
import { expires, type Sweep } from '../../core/rest/sweeps.ts'
import { mails } from './mails.ts'
import { listMessages, removeMessage } from './outbox.ts'
import { mailSettings } from './settings.ts'
import { oneTimeTokens } from './tokens.ts'

export const mailSweeps: readonly Sweep[] = [
  expires(oneTimeTokens, ({ now }) => ({ expires: { le: now } })),
  expires(mails, ({ config, daysAgo }) => ({ createdDate: { le: daysAgo(config.get(mailSettings).keepDays) } })),
  { name: 'deleting messages of deleted mails', run: service => removeMessages(service) },
]

const atOnce = 500

/** However the record was deleted, the message goes with it: its links open accounts. */
const removeMessages = async ({ platform: { records }, config }: Service): Promise<void> => {
  const all = await listMessages(config)
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce)
    const found = await records.find(mails, { where: { pk: { in: some } } })
    const kept = new Set(found.map(({ pk }) => pk))
    for (const id of some) if (!kept.has(id)) await removeMessage(config, id)
  }
}
