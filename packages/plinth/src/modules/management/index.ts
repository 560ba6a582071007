import { switchedBy } from '../../core/config/features.ts'
import { defineModule } from '../../core/module.ts'
import { managementEndpoints } from './endpoints.ts'
import { checkDatabase, checkDisk, checkJobs } from './health.ts'
import { managementAudit, refusesStrangers, toEndpoints } from './management-endpoint.ts'
import { managementSettings } from './process.ts'

export { metricsScope } from './metrics.ts'

export const management = defineModule({
  name: 'management',
  title: { de: 'Verwaltung' },
  about: {
    en: 'Health, metrics, logs and settings, for administrators.',
    de: 'Status, Metriken, Protokolle und Einstellungen, für Administratoren.',
  },
  web: 'plinth/web/management',
  settings: [managementSettings],
  features: [switchedBy('heapdump', managementSettings, 'heapdump')],
  auditTypes: managementAudit.types,
  resources: [],
  endpoints: service => toEndpoints(service, managementEndpoints(service)),
  health: { db: checkDatabase, diskSpace: checkDisk, jobs: checkJobs },
  check: refusesStrangers,
  start: async ({ observed, log, traffic }) => {
    observed.process.start(log, traffic)
    return async () => observed.process.stop()
  },
})
