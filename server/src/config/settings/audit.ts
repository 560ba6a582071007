// What is kept of what happened.

import { integer } from '../kinds.ts'
import { setting } from '../load.ts'

export const auditSettings = {
  'app.audit.keepDays': setting({
    is: integer(0, 36_500),
    default: 0,
    meaning: 'For how many days audit events are kept; 0 keeps them for ever.',
  }),
}
