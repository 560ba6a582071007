import { defineModule } from '../../core/module.ts'
import { auditEvents } from './audit-events.ts'
import { startHousekeeping } from './housekeeping.ts'
import { auditSettings } from './settings.ts'

export { type AuditEvent, type AuditType, auditEvents, recordAudit, recordChange } from './audit-events.ts'

export const audit = defineModule({
  name: 'audit',
  about: {
    en: 'What happened, kept for administrators to read.',
    de: 'Was geschehen ist, für Administratoren aufbewahrt.',
  },
  settings: [auditSettings],
  resources: [auditEvents],
  start: startHousekeeping,
})
