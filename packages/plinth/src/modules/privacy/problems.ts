// What the module declares by codes: problems and audit events.

import { defineProblems } from '../../core/problem.ts'
import { defineAudit } from '../audit/index.ts'

export const privacyProblem = defineProblems({
  export_running: {
    status: 409,
    title: { en: 'An export is being made', de: 'Ein Export wird gerade erstellt' },
    meaning: 'The export that the user asked for is not ready yet; wait for it.',
  },
  link_expired: {
    status: 403,
    title: { en: 'The link has expired', de: 'Der Link ist abgelaufen' },
    meaning: 'The address of a download is valid for some minutes; get a new one from the list of exports.',
  },
})

export const privacyAudit = defineAudit([
  'DATA_EXPORT_REQUESTED',
  'DATA_EXPORT_DOWNLOADED',
  'ACCOUNT_DELETION_REQUESTED',
  'ACCOUNT_DELETION_CANCELLED',
  'ACCOUNT_DELETED',
])
