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
    subject: 'Please confirm your registration',
    greeting: `Hello ${content.name},`,
    paragraphs: [
      `an account with the username ${disarm(content.username)} was registered with this address.`,
      'Please confirm within 24 hours that the address is yours. You can sign in after that.',
    ],
    action: { label: 'Confirm my address', href: pages.withToken('confirm', content) },
    note: 'If you did not register, do not follow the link; the registration then expires by itself.',
  }),
  de: (content, pages) => ({
    subject: 'Bitte bestätigen Sie Ihre Registrierung',
    greeting: `Guten Tag ${content.name},`,
    paragraphs: [
      `mit dieser Adresse wurde ein Konto mit dem Benutzernamen ${disarm(content.username)} angelegt.`,
      'Bitte bestätigen Sie innerhalb von 24 Stunden, dass die Adresse Ihnen gehört. Bis dahin kann sich niemand anmelden.',
    ],
    action: { label: 'Adresse bestätigen', href: pages.withToken('confirm', content) },
    note: 'Wenn Sie sich nicht registriert haben, folgen Sie dem Link nicht; die Registrierung verfällt dann von selbst.',
  }),
}

/** To the new address of an account, which may belong to someone else. */
const addressChange: MailTemplate<NamedAccount> = {
  en: (content, pages) => ({
    subject: 'Please confirm your new address',
    greeting: `Hello ${content.name},`,
    paragraphs: [
      `this address was entered as the e-mail address of the account ${disarm(content.username)}.`,
      'Please confirm within 24 hours that it is yours.',
    ],
    action: { label: 'Confirm my address', href: pages.withToken('confirm', content) },
    note: 'If the account is not yours, do not follow the link.',
  }),
  de: (content, pages) => ({
    subject: 'Bitte bestätigen Sie Ihre neue Adresse',
    greeting: `Guten Tag ${content.name},`,
    paragraphs: [
      `diese Adresse wurde als E-Mail-Adresse des Kontos ${disarm(content.username)} eingetragen.`,
      'Bitte bestätigen Sie innerhalb von 24 Stunden, dass sie Ihnen gehört.',
    ],
    action: { label: 'Adresse bestätigen', href: pages.withToken('confirm', content) },
    note: 'Wenn das Konto nicht Ihres ist, folgen Sie dem Link nicht.',
  }),
}

/** To someone who has forgotten a password. */
const passwordReset: MailTemplate<NamedAccount> = {
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

/** To the owner of an address that was used to register again. */
const alreadyRegistered: MailTemplate<NamedAccount> = {
  en: ({ name, username }, pages) => ({
    subject: 'You already have an account',
    greeting: `Hello ${name},`,
    paragraphs: [
      'a registration with this address has just been attempted. If it was you: you already have an account.',
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

interface ApiKeyCreated extends NamedAccount {
  readonly keyName: string
}

/** To the owner of an account for which an API key was made. */
const apiKeyCreated: MailTemplate<ApiKeyCreated> = {
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
    paragraphs: [`${inviter} would like to have you here and invites you to register.`],
    action: { label: 'Register', href: pages('register', { email }) },
    note: 'If you do not know the sender, simply ignore this mail; you will not be reminded.',
  }),
  de: ({ name, inviter, email }, pages) => ({
    subject: `${inviter} lädt Sie ein`,
    greeting: greeting('Guten Tag', name),
    paragraphs: [`${inviter} möchte Sie hier dabeihaben und lädt Sie ein, sich zu registrieren.`],
    action: { label: 'Registrieren', href: pages('register', { email }) },
    note: 'Wenn Sie den Absender nicht kennen, beachten Sie diese Nachricht einfach nicht; Sie werden nicht erinnert.',
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
