// The mails of this module.

import { defineMail } from '../../core/mail.ts'
import type { NamedAccount } from '../mail/index.ts'

/** The mail to the owner of an account for which an API key was made. */
export const apiKeyCreated = defineMail<NamedAccount & { readonly keyName: string }>('apiKeyCreated', {
  title: { en: 'API key created', de: 'API-Schlüssel angelegt' },
  texts: {
    en: ({ name, username, keyName }, pages) => ({
      subject: 'A new API key was created',
      greeting: `Hello ${name},`,
      paragraphs: [
        `The API key “${keyName}” was created for your account ${username}.`,
        'A program with this key can act on your behalf, even after you change your password.',
      ],
      action: { label: 'View my API keys', href: pages('account/keys') },
      note: 'If it was not you, revoke the key and change your password.',
    }),
    de: ({ name, username, keyName }, pages) => ({
      subject: 'Ein neuer API-Schlüssel wurde angelegt',
      greeting: `Guten Tag ${name},`,
      paragraphs: [
        `soeben wurde für Ihr Konto ${username} der API-Schlüssel „${keyName}“ angelegt.`,
        'Ein Programm mit diesem Schlüssel kann in Ihrem Namen handeln, auch nachdem Sie Ihr Passwort geändert haben.',
      ],
      action: { label: 'Meine API-Schlüssel anzeigen', href: pages('account/keys') },
      note: 'Wenn Sie das nicht waren, widerrufen Sie den Schlüssel und ändern Sie Ihr Passwort.',
    }),
  },
  trusted: ['username'],
})
