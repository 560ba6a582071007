import { defineSettings } from '../../core/config/settings.ts'
import { integer } from '../../core/model/fields.ts'
import { defineModule } from '../../core/module.ts'
import { expires } from '../../core/rest/jobs.ts'
import { auditEvents } from './audit-events.ts'

export { type AuditEvent, auditEvents, defineAudit } from './audit-events.ts'

const auditSettings = defineSettings('app.audit', {
  keepDays: integer({
    default: 365,
    min: 0,
    max: 36_500,
    about: 'Days until audit events are deleted; 0 keeps them forever.',
  }),
})

export const audit = defineModule({
  name: 'audit',
  about: {
    en: 'The audit log, for administrators.',
    de: 'Das Audit-Log für Administratoren.',
  },
  settings: [auditSettings],
  resources: [auditEvents],
  sweeps: [
    expires(auditEvents, ({ config, daysAgo }) => {
      const { keepDays } = config.get(auditSettings)
      return keepDays === 0 ? null : { timestamp: { le: daysAgo(keepDays) } }
    }),
  ],
})
