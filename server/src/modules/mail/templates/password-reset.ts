import type { Account, Template } from './message.ts'

/** To someone who has forgotten a password. */
export const passwordReset: Template<Account> = {
  en: (content, pages) => ({
    subject: 'A new password for your account',
    greeting: `Hello ${content.name},`,
    paragraphs: [
      `a new password was asked for the account ${content.username}.`,
      'The link below lets you choose one. It works once, within 24 hours, and signs you out everywhere.',
      'API keys end with it, and so do sign-ins at other services with an e-mail address other than this one.',
    ],
    action: { label: 'Choose a new password', href: pages.withToken('reset-password', content) },
    note: 'If you did not ask, nothing needs to be done: your password stays as it is.',
  }),
  de: (content, pages) => ({
    subject: 'Ein neues Passwort für Ihr Konto',
    greeting: `Guten Tag ${content.name},`,
    paragraphs: [
      `für das Konto ${content.username} wurde ein neues Passwort angefordert.`,
      'Über den Link können Sie eines wählen. Er gilt einmal, 24 Stunden lang, und meldet Sie überall ab.',
      'Damit enden auch API-Schlüssel und Anmeldungen bei anderen Diensten mit einer anderen E-Mail-Adresse als dieser.',
    ],
    action: { label: 'Neues Passwort wählen', href: pages.withToken('reset-password', content) },
    note: 'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
  }),
}
