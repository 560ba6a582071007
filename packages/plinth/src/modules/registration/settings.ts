import { defineSettings } from '../../core/config/settings.ts'
import { boolean } from '../../core/model/fields.ts'

export const registrationSettings = defineSettings('app.registration', {
  forceCodes: boolean({ default: false, about: 'Whether registration requires a registration code.' }),
})
