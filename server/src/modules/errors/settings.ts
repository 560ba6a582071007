// Settings of error reports.

import { defineSettings } from '../../core/config/settings.ts'
import { integer } from '../../core/model/fields.ts'

export const errorSettings = defineSettings('app.errors', {
  reportsPerMinute: integer({
    default: 30,
    min: 1,
    max: 1_000_000,
    about: 'How many errors clients at one address may report per minute.',
  }),
  keepDays: integer({
    default: 90,
    min: 0,
    max: 36_500,
    about:
      'After how many days errors are deleted, with unreferenced error logs and user agents; 0 keeps them forever.',
  }),
})
