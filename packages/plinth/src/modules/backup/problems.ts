// What the module declares by codes: the problem of a backup that is not encrypted, and audit events.

import { defineProblems } from '../../core/problem.ts'
import { defineAudit } from '../audit/index.ts'

export const backupAudit = defineAudit(['BACKUP_STARTED', 'BACKUP_DOWNLOADED'])

export const backupProblem = defineProblems({
  passphrase_required: {
    status: 409,
    title: { en: 'Passphrase required', de: 'Passphrase erforderlich' },
    meaning: 'The backup is not encrypted, and is only sent encrypted: send a POST with a `passphrase`.',
  },
})
