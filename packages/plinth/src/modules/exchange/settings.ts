// Settings of imports over HTTP. The command line has no limits.

import { defineSettings } from '../../core/config/settings.ts'
import { integer } from '../../core/model/fields.ts'

export const exchangeSettings = defineSettings('app.exchange', {
  maxBytes: integer({
    default: 268_435_456,
    min: 1024,
    max: 1_099_511_627_776,
    about: 'The maximum size of a file that is imported over HTTP.',
  }),
  maxRowsAtOnce: integer({
    default: 10_000,
    min: 1,
    max: 10_000_000,
    about:
      'The maximum number of rows of an import over HTTP that is all or nothing, and of rows that a dry run checks. On SQLite other writers wait for them.',
  }),
})
