// Makes the exports that people have asked for, one after the other, at one instance at a time.

import { hourMs, isInterruption } from '../../core/jobs/job.ts'
import type { Poll } from '../../core/jobs/poll.ts'
import { isHeld, newLease } from '../../core/lease.ts'
import { contextFor } from '../../core/rest/context.ts'
import type { Service } from '../../core/service.ts'
import { userAsCaller } from '../auth/index.ts'
import { type FileReference, storageFor, storeFileUpTo } from '../files/index.ts'
import { queueMail } from '../mail/index.ts'
import { mailRecipientOf, users } from '../people/index.ts'
import { archiveOf } from './archive.ts'
import { type DataExport, dataExports } from './data-exports.ts'
import { dataExportReady } from './mails.ts'
import { privacySettings } from './settings.ts'

const leaseMs = 6 * hourMs

export const makeExports: Poll = {
  name: 'making exports of what is stored about users',
  everyMs: 60_000,
  queue: dataExports,
  run: async (service, signal) => {
    const { records } = service.platform
    for (const { pk } of await records.find(dataExports, { where: { state: 'waiting' }, sort: 'requested' })) {
      if (signal.aborted) return
      const claimed = await claim(service, pk)
      if (claimed) await make(service, claimed, signal)
    }
  },
}

const claim = ({ platform: { records, store, clock } }: Service, pk: string): Promise<DataExport | null> =>
  records.transaction(async own => {
    const waiting = await own.lock(dataExports, pk)
    const term = { now: clock(), ms: leaseMs }
    if (waiting?.state !== 'waiting') return null
    // This instance makes one at a time: what it has left behind is free.
    if (waiting.instance !== store.instance && (await isHeld(store, waiting, term))) return null
    return own.update(dataExports, pk, newLease(store, term))
  })

const make = async (service: Service, { pk, user }: DataExport, signal: AbortSignal): Promise<void> => {
  const { platform, log } = service
  const released = { instance: null, heldUntil: null } as const
  try {
    const archive = await storeArchive(service, user.pk, signal)
    await platform.records.transaction(async records => {
      const until = new Date(platform.clock().getTime() + keptMs(service)).toISOString()
      if (!(await records.lock(dataExports, pk))) return
      await records.update(dataExports, pk, { ...released, state: 'ready', archive, until })
      const to = await mailRecipientOf(records, user.pk)
      if (!to) return
      const { account, ...recipient } = to
      await queueMail(records, dataExportReady, { ...recipient, content: { ...account, until: until.slice(0, 10) } })
    })
  } catch (error) {
    if (isInterruption(error, signal)) throw error
    log.error({ err: error }, 'an export of what is stored about a user failed')
    await platform.records.updateMany(dataExports, { where: { pk } }, { ...released, state: 'failed' })
  }
}

const keptMs = ({ config }: Service): number => config.get(privacySettings).keepExportsHours * hourMs

/** The user reads what they may read now. What no export has in the end is removed after a day. */
const storeArchive = async (service: Service, pk: string, signal: AbortSignal): Promise<FileReference> => {
  const { platform, config } = service
  const { records, clock } = platform
  const user = await records.get(users, pk)
  const context = contextFor(platform, await userAsCaller(platform, user))
  const content = archiveOf({ context, user, storage: await storageFor(config)(), now: clock(), signal })
  const file = { field: 'archive', name: `${user.username}.zip`, content }
  const place = { records, settings: config.get }
  return storeFileUpTo(Number.POSITIVE_INFINITY, place, { definition: dataExports, file })
}
