// What is kept of what happened.

import { integer } from '../kinds.ts'
import { setting } from '../load.ts'

export const auditSettings = {
  'app.audit.keepDays': setting({
    is: integer(0, 36_500),
    default: 365,
    meaning: 'After how many days audit events are deleted; 0 keeps them for ever.',
  }),
}
