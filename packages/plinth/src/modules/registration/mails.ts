// The mails of this module: forgotten passwords, addresses that are registered already, and invitations.

import { defineMail } from '../../core/mail.ts'
import { defineLinkMail, type NamedAccount } from '../mail/index.ts'

/** The mail to someone who has forgotten a password. */
export const passwordReset = defineLinkMail('passwordReset', {
  title: { de: 'Passwort zurücksetzen' },
  texts: {
    en: (content, pages) => ({
      subject: 'Reset your password',
      greeting: `Hello ${content.name},`,
      paragraphs: [
        `A password reset was requested for the account ${content.username}.`,
        'Choose a new password with the link below. The link works once, for 24 hours. You will be signed out everywhere.',
        'Your API keys are revoked, your webhooks are switched off, and connected accounts with another e-mail address are removed.',
      ],
      action: { label: 'Choose a new password', href: pages.withToken('reset-password', content) },
      note: 'If you did not request this, ignore this e-mail. Your password does not change.',
    }),
    de: (content, pages) => ({
      subject: 'Ein neues Passwort für Ihr Konto',
      greeting: `Guten Tag ${content.name},`,
      paragraphs: [
        `für das Konto ${content.username} wurde ein neues Passwort angefordert.`,
        'Wählen Sie über den Link ein neues Passwort. Der Link gilt einmal, 24 Stunden lang. Sie werden überall abgemeldet.',
        'Ihre API-Schlüssel werden widerrufen, Ihre Webhooks abgeschaltet und verknüpfte Konten mit einer anderen E-Mail-Adresse entfernt.',
      ],
      action: { label: 'Neues Passwort wählen', href: pages.withToken('reset-password', content) },
      note: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ihr Passwort ändert sich nicht.',
    }),
  },
})

/** The mail to the owner of an address that was used to register again. */
export const alreadyRegistered = defineMail<NamedAccount>('alreadyRegistered', {
  title: { de: 'Bereits registriert' },
  texts: {
    en: ({ name, username }, pages) => ({
      subject: 'You already have an account',
      greeting: `Hello ${name},`,
      paragraphs: [
        'There was an attempt to register with this address. If it was you: you already have an account.',
        `Its username is ${username}. If you have forgotten your password, you can reset it.`,
      ],
      action: { label: 'Reset password', href: pages('forgot-password') },
      note: 'If it was not you, ignore this e-mail. Nothing has changed.',
    }),
    de: ({ name, username }, pages) => ({
      subject: 'Sie haben bereits ein Konto',
      greeting: `Guten Tag ${name},`,
      paragraphs: [
        'gerade wurde versucht, mit dieser Adresse ein Konto anzulegen. Falls Sie das waren: Es gibt bereits eines.',
        `Der Benutzername lautet ${username}. Wenn Sie das Passwort vergessen haben, können Sie ein neues anfordern.`,
      ],
      action: { label: 'Neues Passwort anfordern', href: pages('forgot-password') },
      note: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es hat sich nichts geändert.',
    }),
  },
  trusted: ['username'],
})

const greeting = (word: string, name: string): string => (name ? `${word} ${name},` : `${word},`)

/** The mail to someone whom a user invites. */
export const invitation = defineMail<{ readonly name: string; readonly inviter: string; readonly email: string }>(
  'invitation',
  {
    title: { de: 'Einladung' },
    texts: {
      en: ({ name, inviter, email }, pages) => ({
        subject: `${inviter} invites you`,
        greeting: greeting('Hello', name),
        paragraphs: [`${inviter} invites you to register.`],
        action: { label: 'Register', href: pages('register', { email }) },
        note: 'If you do not know the sender, ignore this e-mail. You will not receive reminders.',
      }),
      de: ({ name, inviter, email }, pages) => ({
        subject: `${inviter} lädt Sie ein`,
        greeting: greeting('Guten Tag', name),
        paragraphs: [`${inviter} lädt Sie ein, sich zu registrieren.`],
        action: { label: 'Registrieren', href: pages('register', { email }) },
        note: 'Wenn Sie den Absender nicht kennen, ignorieren Sie diese E-Mail. Sie erhalten keine Erinnerungen.',
      }),
    },
    trusted: ['email'],
    isUrgent: false,
    limit: { count: 5, hours: 24 },
  },
)
