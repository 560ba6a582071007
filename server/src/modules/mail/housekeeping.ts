// What is over is removed: tokens that nobody used, mails that nobody will ask about any more, and their messages in the
// outbox folder.

import { among, everything, upTo } from '../../core/model/query.ts'
import { repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { mails } from './mails.ts'
import { listMessages, removeMessage } from './outbox.ts'
import { oneTimeTokens } from './tokens.ts'

const pause = 3600_000
const mailsKeptFor = 30 * 24 * 3600_000

export const startHousekeeping = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name: 'removing old mails', pause, round: () => tidy(service) })

const tidy = async (service: Service): Promise<void> => {
  await removeRecords(service)
  await removeMessages(service)
}

const removeRecords = ({ platform }: Service): Promise<void> =>
  platform.store.transaction(async tx => {
    const now = platform.clock()
    const [tokens, outbox] = [tx.resource(oneTimeTokens.name), tx.resource(mails.name)]
    await tx.removeWhere(tokens, upTo(tokens, 'expires', now.toISOString()))
    await tx.removeWhere(outbox, upTo(outbox, 'createdDate', new Date(now.getTime() - mailsKeptFor).toISOString()))
  })

const atOnce = 500

/** Whoever removed the record, the message goes with it: its links open accounts. */
const removeMessages = async ({ platform: { store }, config }: Service): Promise<void> => {
  const outbox = store.resource(mails.name)
  const all = await listMessages(config)
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce)
    const { records } = await store.find(outbox, everything(outbox, among(outbox, some), atOnce))
    const kept = new Set(records.map(({ pk }) => pk))
    for (const id of some) if (!kept.has(id)) await removeMessage(config, id)
  }
}
