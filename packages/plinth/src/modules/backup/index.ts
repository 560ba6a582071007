import { givenBy } from '../../core/config/features.ts'
import { defineModule } from '../../core/module.ts'
import { backupCommands } from './commands.ts'
import { createBackupEndpoints } from './endpoints.ts'
import { placeOf } from './place.ts'
import { backupAudit, backupProblem } from './problems.ts'
import { mustBeRestored } from './restore-backup.ts'
import { scheduledBackup } from './scheduled-backup.ts'
import { backupSettings } from './settings.ts'

export { newestBackup } from './backup-list.ts'
export { unfinishedMark } from './data-files.ts'

export const backupModule = defineModule({
  name: 'backup',
  title: { de: 'Sicherung' },
  about: {
    en: 'Backups of all records and files, and moving to another database.',
    de: 'Sicherungen aller Datensätze und Dateien, und der Umzug in eine andere Datenbank.',
  },
  settings: [backupSettings],
  features: [givenBy('backup.encryption', backupSettings, 'passphrase')],
  resources: [],
  problems: backupProblem.table,
  commands: backupCommands,
  auditTypes: backupAudit.types,
  create: service => {
    const { everyHours } = service.config.get(backupSettings)
    const { endpoints, stop } = createBackupEndpoints(service)
    return {
      endpoints,
      // A backup must not go on writing after the service has stopped.
      start: async () => stop,
      jobs: everyHours === 0 ? [] : [scheduledBackup(everyHours)],
    }
  },
  // The package for buckets may be missing.
  check: async ({ config }) => void (await placeOf(config)),
  checkBeforeMigration: mustBeRestored,
})
