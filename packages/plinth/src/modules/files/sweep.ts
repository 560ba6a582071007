// Files whose record is gone are removed, some time after it, and what uploads left behind that were cut off.

import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { appSettings } from '../../core/config/service-settings.ts'
import { hourMs, type Job } from '../../core/jobs/job.ts'
import type { Poll } from '../../core/jobs/poll.ts'
import { oneByOne } from '../../core/jobs/sweep.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import { trashedResources } from '../../core/model/trash.ts'
import type { Service } from '../../core/service.ts'
import { isAttached } from '../mail/index.ts'
import { createdOf, type FileRecord, files, isYoungerThan, looseContents, looseLifeMs, removeLoose } from './files.ts'
import { storageFor } from './open-storage.ts'
import { stagingOf } from './staging.ts'
import type { Storage } from './storage.ts'
import { filesIn } from './stored-file.ts'

const name = 'remove-old-files'
const everyMs = 6 * hourMs

export const removeOldFiles: Job = {
  name,
  about: {
    en: 'Removes files whose records are gone, and the remains of failed uploads.',
    de: 'Entfernt Dateien, deren Datensätze gelöscht sind, und Reste abgebrochener Uploads.',
  },
  everyMs,
  run: async ({ service, signal }) => {
    const storageOf = storageFor(service.config)
    await sweepOrphans(service, storageOf)
    signal.throwIfAborted()
    await sweepLoose(service, storageOf)
  },
}

/** Each machine has a folder of its own. */
export const sweepStagingFolder: Poll = {
  name: 'removing old uploads',
  everyMs,
  run: ({ config }) => sweepStaging(stagingOf(config.get(appSettings).dataDir)),
}

/** What records no longer have is deleted as soon as their change is committed; a failure leaves it for the next time. */
export const removeDiscarded = (storageOf: () => Promise<Storage>): Poll => ({
  name: 'removing files that records no longer have',
  everyMs: hourMs,
  queue: looseContents,
  run: async ({ platform: { records } }, signal) => {
    for await (const batch of records.stream(looseContents, { where: { discarded: true } })) {
      for (const { pk } of batch) {
        signal.throwIfAborted()
        // A mail that waits still has the file.
        if (!(await isAttached(records, pk))) await removeLoose(records, await storageOf(), pk)
      }
    }
  },
})

const sweepStaging = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    // The time of a file is the machine's own.
    const since = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (since > looseLifeMs) await rm(path, { force: true })
  }
}

type StorageOf = () => Promise<Storage>

/** Sweeps files whose record is gone. */
const sweepOrphans = async (service: Service, storageOf: StorageOf): Promise<void> => {
  const { store, registry, records } = service.platform
  const inTrash = trashedResources(registry.resources)
  for await (const all of records.stream(files)) {
    await oneByOne(service, { name, all }, async file => {
      const { pk, resource, owner } = file
      const target = registry.has(resource) ? registry.resource(resource) : null
      const record = target && (await store.get(target, owner))
      if (record && isYoungerThan(createdOf(record), file) && isInField(record, file)) return
      // Files of deleted records stay as long as their records can be restored.
      if (target && inTrash.has(target) && (await store.isInTrash(target, owner))) return
      if (await isAttached(records, pk)) return
      await (await storageOf()).remove(pk)
      await records.removeMany(files, { where: { pk } })
    })
  }
}

/** The field of the record may have been written without hooks, or may be gone. */
const isInField = (record: StoredRecord, { pk, field }: Pick<FileRecord, 'pk' | 'field'>): boolean =>
  field === null || filesIn(record[field]).some(file => file.pk === pk)

/** What uploads left in the storage. */
const sweepLoose = async (service: Service, storageOf: StorageOf): Promise<void> => {
  const { records, clock } = service.platform
  const since = { le: new Date(clock().getTime() - looseLifeMs).toISOString() }
  for await (const all of records.stream(looseContents, { where: { since } }))
    await oneByOne(service, { name, all }, async ({ pk }) => {
      if (!(await isAttached(records, pk))) await removeLoose(records, await storageOf(), pk)
    })
}
