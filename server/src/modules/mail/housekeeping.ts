// Deletes, hourly: expired tokens, old mails, and their messages in the outbox folder.

import { among, everything, upTo } from '../../core/model/query.ts'
import { removeInBatches, repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { mails } from './mails.ts'
import { listMessages, removeMessage } from './outbox.ts'
import { oneTimeTokens } from './tokens.ts'

const pause = 3600_000
const day = 24 * 3600_000

export const startHousekeeping = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name: 'removing old mails', pause, round: signal => tidy(service, signal) })

const tidy = async (service: Service, signal: AbortSignal): Promise<void> => {
  await removeRecords(service, signal)
  await removeMessages(service)
}

const removeRecords = async ({ platform: { store, clock }, config }: Service, signal: AbortSignal): Promise<void> => {
  const now = clock()
  const [tokens, outbox] = [store.resource(oneTimeTokens.name), store.resource(mails.name)]
  const before = new Date(now.getTime() - config.get('app.mail.keepDays') * day).toISOString()
  await removeInBatches(store, { resource: tokens, filter: upTo(tokens, 'expires', now.toISOString()), signal })
  await removeInBatches(store, { resource: outbox, filter: upTo(outbox, 'createdDate', before), signal })
}

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
