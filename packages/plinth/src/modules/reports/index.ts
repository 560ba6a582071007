// Reports by mail.

import { defineModule } from '../../core/module.ts'
import { scheduledReport } from './report-mail.ts'
import { reportJobs } from './send-report.ts'

export { scheduledReport } from './report-mail.ts'

export const reportsModule = defineModule({
  name: 'reports',
  title: { de: 'Berichte' },
  about: { en: 'Sends reports by mail.', de: 'Verschickt Berichte per E-Mail.' },
  resources: [],
  mails: [scheduledReport],
  jobsFor: modules => modules.flatMap(({ reports = [] }) => reportJobs(reports)),
})
