// Backups that the service makes of itself: by its schedule, or when an administrator asks for one.

import type { BaseLogger } from 'pino'
import { hourMs, type Job } from '../../core/rest/jobs.ts'
import type { Service } from '../../core/rest/service.ts'
import { createBackup } from './create-backup.ts'
import { placeOf } from './place.ts'
import { removeOldBackups } from './retention.ts'
import { backupSettings } from './settings.ts'

export const scheduledBackup = (everyHours: number): Job => ({
  name: 'back-up',
  about: {
    en: 'Backs up all records and files, and removes old backups.',
    de: 'Sichert alle Datensätze und Dateien und entfernt alte Sicherungen.',
  },
  everyMs: everyHours * hourMs,
  run: ({ service, log }) => backUpService(service, log),
})

export const backUpService = async ({ platform, config }: Service, log: BaseLogger): Promise<void> => {
  const place = await placeOf(config)
  const { name, tables } = await createBackup({ config, platform, place })
  const installation = await platform.store.installation()
  const { keep } = config.get(backupSettings)
  const removed = await removeOldBackups(place, { keep, now: platform.clock(), installation })
  log.info({ backup: name, records: tables.reduce((sum, { rows }) => sum + rows, 0), removed }, 'backup made')
}
