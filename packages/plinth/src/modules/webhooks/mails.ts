// The mail of webhooks.

import { defineMail } from '../../core/mail.ts'
import type { NamedAccount } from '../mail/index.ts'

/** The mail to the owner of a webhook that is new, or has a new address. */
export const webhookAddress = defineMail<NamedAccount & { readonly webhookName: string; readonly host: string }>(
  'webhookAddress',
  {
    title: { en: 'Webhook address', de: 'Adresse eines Webhooks' },
    texts: {
      en: ({ name, username, webhookName, host }, pages) => ({
        subject: 'A webhook sends data to a new address',
        greeting: `Hello ${name},`,
        paragraphs: [
          `The webhook “${webhookName}” of your account ${username} was created or has a new address: ${host}.`,
          'It sends changes of records that you can read to this address.',
        ],
        action: { label: 'View my webhooks', href: pages('resources/webhooks') },
        note: 'If it was not you, delete the webhook and change your password.',
      }),
      de: ({ name, username, webhookName, host }, pages) => ({
        subject: 'Ein Webhook sendet Daten an eine neue Adresse',
        greeting: `Guten Tag ${name},`,
        paragraphs: [
          `der Webhook „${webhookName}“ Ihres Kontos ${username} wurde angelegt oder hat eine neue Adresse: ${host}.`,
          'Er sendet Änderungen von Datensätzen, die Sie lesen können, an diese Adresse.',
        ],
        action: { label: 'Meine Webhooks anzeigen', href: pages('resources/webhooks') },
        note: 'Wenn Sie das nicht waren, löschen Sie den Webhook und ändern Sie Ihr Passwort.',
      }),
    },
    trusted: ['username'],
  },
)
