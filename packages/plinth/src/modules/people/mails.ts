// The mails of this module: links that confirm an e-mail address, and the one that invites a new user.

import { defineLinkMail, disarm } from '../mail/index.ts'

/** The mail to the address of a registration, which may belong to someone else. */
export const confirmation = defineLinkMail('confirmation', {
  title: { de: 'Bestätigung' },
  texts: {
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
  },
})

/** The mail to a user whom an administrator has created without a password. */
export const welcome = defineLinkMail('welcome', {
  title: { de: 'Willkommen' },
  texts: {
    en: (content, pages) => ({
      subject: 'You have been invited',
      greeting: `Hello ${content.name},`,
      paragraphs: [
        `An account was created for you. Its username is ${disarm(content.username)}.`,
        'Choose your password within 24 hours. Then you can sign in.',
      ],
      action: { label: 'Choose my password', href: pages.withToken('reset-password', content) },
      note: 'If you did not expect this invitation, ignore this e-mail. If the link has expired, request another one with “Forgot password?” on the sign-in page.',
    }),
    de: (content, pages) => ({
      subject: 'Sie sind eingeladen',
      greeting: `Guten Tag ${content.name},`,
      paragraphs: [
        `für Sie wurde ein Konto angelegt. Der Benutzername lautet ${disarm(content.username)}.`,
        'Wählen Sie innerhalb von 24 Stunden Ihr Passwort. Danach können Sie sich anmelden.',
      ],
      action: { label: 'Passwort wählen', href: pages.withToken('reset-password', content) },
      note: 'Wenn Sie diese Einladung nicht erwartet haben, ignorieren Sie diese E-Mail. Ist der Link abgelaufen, fordern Sie auf der Anmeldeseite mit „Passwort vergessen?“ einen neuen an.',
    }),
  },
})

/** The mail to an address that was entered for an account, and which may belong to someone else. */
export const addressChange = defineLinkMail('addressChange', {
  title: { de: 'Änderung der Adresse' },
  texts: {
    en: (content, pages) => ({
      subject: 'Confirm your e-mail address',
      greeting: `Hello ${content.name},`,
      paragraphs: [
        `This address was entered for the account ${disarm(content.username)}.`,
        'Confirm within 24 hours that it is yours.',
      ],
      action: { label: 'Confirm my address', href: pages.withToken('confirm', content) },
      note: 'If the account is not yours, ignore this e-mail.',
    }),
    de: (content, pages) => ({
      subject: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
      greeting: `Guten Tag ${content.name},`,
      paragraphs: [
        `diese Adresse wurde als E-Mail-Adresse des Kontos ${disarm(content.username)} eingetragen.`,
        'Bitte bestätigen Sie innerhalb von 24 Stunden, dass sie Ihnen gehört.',
      ],
      action: { label: 'Adresse bestätigen', href: pages.withToken('confirm', content) },
      note: 'Wenn das Konto nicht Ihres ist, ignorieren Sie diese E-Mail.',
    }),
  },
})
