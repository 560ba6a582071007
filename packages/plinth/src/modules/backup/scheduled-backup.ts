// Backups that the service makes of itself: by its schedule, or when an administrator asks for one.

import { hourMs, type Job } from '../../core/jobs/job.ts'
import type { Logger } from '../../core/log/logger.ts'
import type { Service } from '../../core/service.ts'
import { removeOldBackups } from './backup-list.ts'
import { createBackup } from './create-backup.ts'
import { type BackupPlace, type Bytes, placeOf } from './place.ts'
import { backupSettings } from './settings.ts'

export const scheduledBackup = (everyHours: number): Job => ({
  name: 'back-up',
  about: {
    en: 'Backs up all records and files, and removes old backups.',
    de: 'Sichert alle Datensätze und Dateien und entfernt alte Sicherungen.',
  },
  everyMs: everyHours * hourMs,
  // All records and files: that is more than a job usually does.
  timeout: 86_400,
  run: ({ service, log, signal }) => backUpService(service, { log, signal }),
})

interface BackupRun {
  readonly log: Logger
  /** Ends the run, and removes what it has written. */
  readonly signal: AbortSignal
}

export const backUpService = async ({ platform, config }: Service, { log, signal }: BackupRun): Promise<void> => {
  const place = endedBy(signal, await placeOf(config))
  const installation = await platform.store.installation()
  // First, what killed processes have left: the disk may be full of it.
  await removeOldBackups(place, { keep: 0, now: platform.clock(), installation })
  const { name, tables } = await createBackup({ config, platform, place })
  const { keep } = config.get(backupSettings)
  const removed = await removeOldBackups(place, { keep, now: platform.clock(), installation })
  log.info({ backup: name, records: tables.reduce((sum, { rows }) => sum + rows, 0), removed }, 'backup made')
}

/** Writes until the signal is aborted. */
const endedBy = (signal: AbortSignal, place: BackupPlace): BackupPlace => ({
  ...place,
  write: (path, content) => place.write(path, unlessAborted(signal, content)),
})

const unlessAborted = async function* (signal: AbortSignal, content: Bytes): Bytes {
  signal.throwIfAborted()
  for await (const piece of content) {
    signal.throwIfAborted()
    yield piece
  }
}
