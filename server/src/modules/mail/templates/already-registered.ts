import type { Account, Template } from './message.ts'

/** To the owner of an address with which somebody tried to register again. */
export const alreadyRegistered: Template<Account> = {
  en: ({ name, username }, pages) => ({
    subject: 'You already have an account',
    greeting: `Hello ${name},`,
    paragraphs: [
      'somebody has just tried to register with this address. If it was you: there is an account already.',
      `Its username is ${username}. If you have forgotten the password, you can ask for a new one.`,
    ],
    action: { label: 'Ask for a new password', href: pages('forgot-password') },
    note: 'If it was not you, nothing needs to be done: nothing has changed.',
  }),
  de: ({ name, username }, pages) => ({
    subject: 'Sie haben bereits ein Konto',
    greeting: `Guten Tag ${name},`,
    paragraphs: [
      'gerade wurde versucht, mit dieser Adresse ein Konto anzulegen. Falls Sie das waren: Es gibt bereits eines.',
      `Der Benutzername lautet ${username}. Wenn Sie das Passwort vergessen haben, können Sie ein neues anfordern.`,
    ],
    action: { label: 'Neues Passwort anfordern', href: pages('forgot-password') },
    note: 'Wenn Sie das nicht waren, müssen Sie nichts tun: Es hat sich nichts geändert.',
  }),
}
