// Upkeep of the outbox: sweeps, the health check, and the conversion of mails that earlier versions have queued.

import type { TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import type { Seed } from '../../core/module.ts'
import { expires, type Sweep } from '../../core/rest/jobs.ts'
import type { Health, Service } from '../../core/rest/service.ts'
import { mailContents, mails } from './mails.ts'
import { mailSettings } from './settings.ts'
import { oneTimeTokens, withdrawToken } from './tokens.ts'
import { listMessages, removeMessage } from './transport.ts'

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

/** A mail server that is away does not affect anything else, so the service is never down because of it. */
export const checkMail = async ({ platform: { records }, config }: Service): Promise<Health> => {
  const waiting = await records.count(mails, { state: 'waiting' })
  const failed = await records.count(mails, { state: 'failed' })
  const host = config.get(mailSettings).host
  return {
    status: waiting > backlog ? 'UNKNOWN' : 'UP',
    ...(host ? { location: `${host}:${config.get(mailSettings).port}` } : { location: 'outbox' }),
    waiting,
    failed,
  }
}

/** More waiting mails than this are not normal. */
const backlog = 100

/** Earlier versions stored the token of a link with its queued mail. Those mails get a new token when they are sent. */
export const withdrawQueuedTokens: Seed = {
  name: 'tokens out of queued mails',
  run: async records => {
    const queued = await records.find(mailContents)
    for (const mail of queued) if ('token' in JSON.parse(mail.content)) await withdraw(records, mail)
  },
}

const withdraw = async (records: TransactionRecords, mail: Row<typeof mailContents>): Promise<void> => {
  const { token, ...content } = JSON.parse(mail.content)
  const reservation = await withdrawToken(records.tx, String(token), records.now)
  if (reservation) await records.update(mailContents, mail.pk, { content: JSON.stringify(content), reservation })
  else await records.remove(mailContents, mail.pk)
}
