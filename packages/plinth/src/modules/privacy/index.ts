// What people can do with their own data: export all of it, and delete their account.

import { startPolling } from '../../core/jobs/poll.ts'
import { defineModule } from '../../core/module.ts'
import { accountDeletions } from './account-deletions.ts'
import { dataExports, sweepExports } from './data-exports.ts'
import { deleteAccounts } from './delete-accounts.ts'
import { deletionEndpoints } from './deletion-endpoints.ts'
import { exportEndpoints } from './export-endpoints.ts'
import { accountDeleted, accountDeletionRequested, dataExportReady } from './mails.ts'
import { makeExports } from './make-exports.ts'
import { privacyAudit, privacyProblem } from './problems.ts'
import { privacySettings } from './settings.ts'

export { accountDeleted, accountDeletionRequested, dataExportReady } from './mails.ts'

export const privacyModule = defineModule({
  name: 'privacy',
  title: { en: 'Privacy', de: 'Datenschutz' },
  about: {
    en: 'Exports of what is stored about people, and the deletion of accounts by their users.',
    de: 'Exporte dessen, was über Personen gespeichert ist, und die Löschung von Konten durch die Personen selbst.',
  },
  settings: [privacySettings],
  problems: privacyProblem.table,
  auditTypes: privacyAudit.types,
  mails: [dataExportReady, accountDeletionRequested, accountDeleted],
  resources: [dataExports, accountDeletions],
  endpoints: service => [...exportEndpoints(service), ...deletionEndpoints(service)],
  sweeps: [sweepExports],
  jobs: [deleteAccounts],
  start: async service => startPolling(service, makeExports),
})
