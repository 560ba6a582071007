import { defineSettings } from '../../core/config/settings.ts'
import { boolean, integer } from '../../core/model/fields.ts'

export const auditSettings = defineSettings('app.audit', {
  keepDays: integer({
    default: 365,
    min: 0,
    max: 36_500,
    about: 'Days until audit events are deleted; 0 keeps them forever.',
  }),
  log: boolean({
    default: true,
    about:
      'Writes each audit event to the log too, as a line of the logger `audit`, out of reach of those who can change the database.',
  }),
})
