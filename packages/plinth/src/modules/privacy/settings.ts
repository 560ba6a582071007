// How long exports can be downloaded, and how long people can change their mind.

import { defineSettings } from '../../core/config/settings.ts'
import { integer } from '../../core/model/fields.ts'

export const privacySettings = defineSettings('app.privacy', {
  keepExportsHours: integer({
    default: 72,
    min: 1,
    max: 720,
    about: 'Hours for which people can download the export of their data, before it is deleted.',
  }),
  deletionDays: integer({
    default: 14,
    min: 0,
    max: 365,
    about: 'Days between the request to delete an account and the deletion. People can cancel it until then.',
  }),
})
