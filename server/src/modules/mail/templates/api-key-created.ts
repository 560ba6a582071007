import type { Account, Template } from './message.ts'

export interface ApiKeyCreated extends Account {
  readonly keyName: string
}

/** To the owner of an account for which an API key was made. */
export const apiKeyCreated: Template<ApiKeyCreated> = {
  en: ({ name, username, keyName }, pages) => ({
    subject: 'A new API key was created',
    greeting: `Hello ${name},`,
    paragraphs: [
      `the API key “${keyName}” was just created for your account ${username}.`,
      'A program that has the key can act in your name, also after you change your password.',
    ],
    action: { label: 'Show my API keys', href: pages('account/keys') },
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
}
