// Scheduled backups.

import { hourMs, type Job } from '../../core/rest/jobs.ts'
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
  run: async ({ service: { platform }, config, log, now }) => {
    const place = await placeOf(config)
    const { name, tables } = await createBackup({ config, platform, place })
    const removed = await removeOldBackups(place, { keep: config.get(backupSettings).keep, now })
    log.info({ backup: name, records: tables.reduce((sum, { rows }) => sum + rows, 0), removed }, 'backup made')
  },
})
