// The settings of registering.

import { list } from '../../core/config/fields.ts'
import { defineSettings } from '../../core/config/settings.ts'
import { boolean, text } from '../../core/model/fields.ts'
import type { SettingsOf } from '../../core/model/settings.ts'

/** Names that sound like the people who run a service, or like parts of its addresses. */
const reservedNames = [
  ...['admin', 'administrator', 'sysadmin', 'root', 'superuser', 'system', 'service', 'operator', 'moderator', 'owner'],
  ...['support', 'help', 'helpdesk', 'security', 'abuse', 'info', 'contact', 'billing', 'staff', 'team', 'official'],
  ...['postmaster', 'hostmaster', 'webmaster', 'noreply', 'mailer-daemon', 'anonymous', 'everyone', 'nobody'],
  ...['me', 'my', 'self', 'api', 'www', 'null', 'undefined'],
]

export const registrationSettings = defineSettings('app.registration', {
  forceCodes: boolean({ default: false, about: 'Whether registration requires a registration code.' }),
  reservedNames: list(text({ max: 100 }), {
    default: reservedNames,
    about:
      'Usernames that users cannot choose for themselves, and those that look like them. The names of users with more roles than `ROLE_USER` are reserved in any case.',
  }),
})

export type RegistrationSettings = SettingsOf<typeof registrationSettings.fields>
