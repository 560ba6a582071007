// The mails of this module: links that confirm an e-mail address.

import { defineLinkMail, disarm } from '../mail/index.ts'

/** To the address of a registration, which may belong to someone else. */
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

/** To the new address of an account, which may belong to someone else. */
export const addressChange = defineLinkMail('addressChange', {
  title: { de: 'Änderung der Adresse' },
  texts: {
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
  },
})
