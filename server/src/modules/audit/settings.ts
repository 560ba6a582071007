import { defineSettings } from '../../core/config/settings.ts'
import { integer } from '../../core/model/fields.ts'

export const auditSettings = defineSettings('app.audit', {
  keepDays: integer({
    default: 365,
    min: 0,
    max: 36_500,
    about: 'After how many days audit events are deleted; 0 keeps them forever.',
  }),
})
