import { defineSettings } from '../../core/config/settings.ts'
import { boolean, integer } from '../../core/model/fields.ts'

export const webhookSettings = defineSettings('app.webhooks', {
  enabled: boolean({ default: true, about: 'Whether webhooks are delivered.' }),
  allowHttp: boolean({ default: false, about: 'Whether webhooks may have addresses without TLS.' }),
  allowPrivateAddresses: boolean({
    default: false,
    about: 'Whether webhooks may be delivered to loopback, private and link-local addresses.',
  }),
  maxPerUser: integer({ default: 20, min: 1, max: 10_000, about: 'How many webhooks a user may have.' }),
  timeoutSeconds: integer({ default: 10, min: 1, max: 120, about: 'How long a receiver has time to respond.' }),
  disableAfterHours: integer({
    default: 72,
    min: 1,
    max: 8760,
    about: 'After how many hours of failures alone a webhook is disabled.',
  }),
  keepDays: integer({
    default: 14,
    min: 1,
    max: 36_500,
    about: 'After how many days deliveries are deleted from the log.',
  }),
})
