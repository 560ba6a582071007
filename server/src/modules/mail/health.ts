// How mails fare. A mail server that is away makes nothing else wrong, so it is never a reason to call the service down.

import type { Health, Service } from '../../core/rest/service.ts'
import { mails } from './mails.ts'
import { mailSettings } from './settings.ts'

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

/** More than this many do not wait for a moment only. */
const backlog = 100
