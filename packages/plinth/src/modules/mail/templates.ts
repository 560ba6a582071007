// The mails that the service sends, by purpose and language.

import { createPages, type MailMessage, type MailTemplate, type NamedAccount, toLocale } from './message.ts'

/** A username that looks like a web address would become a link in mail clients. */
export const disarm = (name: string): string =>
  name
    .replace(/[:/\\@<>]+/g, ' ')
    .replace(/([.\u2024\u3002\uff0e\uff61])(?=\S)/g, '$1 ')
    .slice(0, 80)

/** To the address of a registration, which may belong to someone else. */
const confirmation: MailTemplate<NamedAccount> = {
  en: (content, pages) => ({
    subject: 'Confirm your registration',
    greeting: `Hello ${content.name},`,
    paragraphs: [
      `An account with the username ${disarm(content.username)} was registered with this address.`,
      'Confirm within 24 hours that this address is yours. Then you can sign in.',
    ],
    action: { label: 'Confirm my address', href: pages.withToken('confirm', content) },
    note: 'If you did not register, ignore this e-mail. The registration will expire.',
  }),
  de: (content, pages) => ({
    subject: 'Bitte bestätigen Sie Ihre Registrierung',
    greeting: `Guten Tag ${content.name},`,
    paragraphs: [
      `mit dieser Adresse wurde ein Konto mit dem Benutzernamen ${disarm(content.username)} angelegt.`,
      'Bestätigen Sie innerhalb von 24 Stunden, dass die Adresse Ihnen gehört. Danach können Sie sich anmelden.',
    ],
    action: { label: 'Adresse bestätigen', href: pages.withToken('confirm', content) },
    note: 'Wenn Sie sich nicht registriert haben, ignorieren Sie diese E-Mail. Die Registrierung verfällt dann.',
  }),
}

/** To the new address of an account, which may belong to someone else. */
const addressChange: MailTemplate<NamedAccount> = {
  en: (content, pages) => ({
    subject: 'Confirm your new address',
    greeting: `Hello ${content.name},`,
    paragraphs: [
      `This address was added to the account ${disarm(content.username)}.`,
      'Confirm within 24 hours that it is yours.',
    ],
    action: { label: 'Confirm my address', href: pages.withToken('confirm', content) },
    note: 'If the account is not yours, ignore this e-mail.',
  }),
  de: (content, pages) => ({
    subject: 'Bitte bestätigen Sie Ihre neue Adresse',
    greeting: `Guten Tag ${content.name},`,
    paragraphs: [
      `diese Adresse wurde als E-Mail-Adresse des Kontos ${disarm(content.username)} eingetragen.`,
      'Bitte bestätigen Sie innerhalb von 24 Stunden, dass sie Ihnen gehört.',
    ],
    action: { label: 'Adresse bestätigen', href: pages.withToken('confirm', content) },
    note: 'Wenn das Konto nicht Ihres ist, ignorieren Sie diese E-Mail.',
  }),
}

/** To someone who has forgotten a password. */
const passwordReset: MailTemplate<NamedAccount> = {
  en: (content, pages) => ({
    subject: 'Reset your password',
    greeting: `Hello ${content.name},`,
    paragraphs: [
      `A password reset was requested for the account ${content.username}.`,
      'Choose a new password with the link below. The link works once, for 24 hours. You will be signed out everywhere.',
      'Your API keys are revoked, and connected accounts with another e-mail address are removed.',
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
      'Ihre API-Schlüssel werden widerrufen, und verknüpfte Konten mit einer anderen E-Mail-Adresse werden entfernt.',
    ],
    action: { label: 'Neues Passwort wählen', href: pages.withToken('reset-password', content) },
    note: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ihr Passwort ändert sich nicht.',
  }),
}

/** To the owner of an address that was used to register again. */
const alreadyRegistered: MailTemplate<NamedAccount> = {
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
}

interface ApiKeyCreated extends NamedAccount {
  readonly keyName: string
}

/** To the owner of an account for which an API key was made. */
const apiKeyCreated: MailTemplate<ApiKeyCreated> = {
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
}

interface Invitation {
  readonly name: string
  readonly inviter: string
  readonly email: string
}

const greeting = (word: string, name: string): string => (name ? `${word} ${name},` : `${word},`)

/** To someone whom a user invites. */
const invitation: MailTemplate<Invitation> = {
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
}

/** The input of each template. */
export interface MailContents {
  confirmation: NamedAccount
  addressChange: NamedAccount
  passwordReset: NamedAccount
  alreadyRegistered: NamedAccount
  apiKeyCreated: ApiKeyCreated
  invitation: Invitation
}

export type MailPurpose = keyof MailContents

const templates: { readonly [P in MailPurpose]: MailTemplate<MailContents[P]> } = {
  confirmation,
  addressChange,
  passwordReset,
  alreadyRegistered,
  apiKeyCreated,
  invitation,
}

export const purposes = Object.keys(templates) as readonly MailPurpose[]

export interface TemplateInput<P extends MailPurpose = MailPurpose> {
  readonly purpose: P
  readonly locale: string
  readonly content: MailContents[P]
  /** The address of the service, for links. */
  readonly base: string
  /** For a link that opens an account. */
  readonly token?: string
}

export const fill = <P extends MailPurpose>({
  purpose,
  locale,
  content,
  base,
  token = '',
}: TemplateInput<P>): MailMessage => templates[purpose][toLocale(locale)](content, createPages(base, token))
