import { defineModule } from '../../core/module.ts'
import { allErrors, clientErrors, errorLogs, errorSettings, errorSweeps, systemErrors, userAgents } from './errors.ts'
import { limitedReports, reportEndpoint } from './report.ts'

export { createFailureRecorder, type FailureRecorder } from './record-failures.ts'

export const errors = defineModule({
  name: 'errors',
  title: { de: 'Fehler' },
  about: {
    en: 'Errors of clients and of the service.',
    de: 'Fehler von Clients und vom Dienst selbst.',
  },
  settings: [errorSettings],
  resources: [userAgents, errorLogs, allErrors, clientErrors, systemErrors],
  extensions: [limitedReports],
  endpoints: service => [reportEndpoint(service)],
  sweeps: errorSweeps,
})
