// The audit log, for administrators.

import { startPolling } from '../../core/jobs/poll.ts'
import { defineModule } from '../../core/module.ts'
import { isUnavailable } from '../../core/problem.ts'
import { chainPoll, createChain, type LoadSecrets } from './chain.ts'
import { auditCheckpoints, auditStarts } from './checkpoints.ts'
import { auditCommands } from './commands.ts'
import { auditEvents } from './events.ts'
import { auditRetention } from './retention.ts'
import { auditSettings } from './settings.ts'
import { createSigner } from './signer.ts'

export { type AuditEvent, auditEvents, defineAudit } from './events.ts'
export { forgetHead } from './head-file.ts'

/** `loadSecrets` loads the secrets that the keys of checkpoints follow from, the present one first. */
export const createAudit = (loadSecrets: LoadSecrets) =>
  defineModule({
    name: 'audit',
    about: {
      en: 'The audit log, for administrators.',
      de: 'Das Audit-Log für Administratoren.',
    },
    settings: [auditSettings],
    resources: [auditEvents, auditCheckpoints, auditStarts],
    commands: auditCommands(loadSecrets),
    sweeps: [auditRetention(loadSecrets)],
    start: async service => {
      const chain = createChain(service, createSigner(await loadSecrets(service.platform, service.config)))
      const stop = startPolling(service, chainPoll(chain))
      return async () => {
        await stop()
        // What cannot be listed now is listed at the next start.
        await chain().catch(error => {
          if (!isUnavailable(error)) throw error
        })
      }
    },
  })
