// Deletes, hourly: expired tokens, old mails, and their messages in the outbox folder.

import { removeInBatches, repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { mails } from './mails.ts'
import { listMessages, removeMessage } from './outbox.ts'
import { mailSettings } from './settings.ts'
import { oneTimeTokens } from './tokens.ts'

const pause = 3600_000
const day = 24 * 3600_000

export const startHousekeeping = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name: 'removing old mails', pause, round: signal => tidy(service, signal) })

const tidy = async (service: Service, signal: AbortSignal): Promise<void> => {
  await removeRecords(service, signal)
  await removeMessages(service)
}

const removeRecords = async ({ platform: { records, clock }, config }: Service, signal: AbortSignal): Promise<void> => {
  const now = clock()
  const before = new Date(now.getTime() - config.get(mailSettings).keepDays * day).toISOString()
  await removeInBatches(records, oneTimeTokens, { where: { expires: { le: now.toISOString() } }, signal })
  await removeInBatches(records, mails, { where: { createdDate: { le: before } }, signal })
}

const atOnce = 500

/** Whoever removed the record, the message goes with it: its links open accounts. */
const removeMessages = async ({ platform: { records }, config }: Service): Promise<void> => {
  const all = await listMessages(config)
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce)
    const found = await records.find(mails, { where: { pk: { in: some } } })
    const kept = new Set(found.map(({ pk }) => pk))
    for (const id of some) if (!kept.has(id)) await removeMessage(config, id)
  }
}
