// How mails fare. A mail server that is away makes nothing else wrong, so it is never a reason to call the service down.

import { where } from '../../core/model/query.ts'
import type { Health, Service } from '../../core/rest/service.ts'
import { mails } from './mails.ts'

export const checkMail = async ({ platform, config }: Service): Promise<Health> => {
  const resource = platform.registry.resource(mails.name)
  const count = (state: string) => platform.store.count(resource, where(resource, { state }))
  const [waiting, failed] = [await count('waiting'), await count('failed')]
  const host = config.get('app.mail.host')
  return {
    status: waiting > backlog ? 'UNKNOWN' : 'UP',
    ...(host ? { location: `${host}:${config.get('app.mail.port')}` } : { location: 'outbox' }),
    waiting,
    failed,
  }
}

/** More than this many do not wait for a moment only. */
const backlog = 100
