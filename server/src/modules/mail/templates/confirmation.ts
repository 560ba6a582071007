import { disarm } from './disarm.ts'
import type { Account, Template } from './message.ts'

/** To an address that somebody has registered with, perhaps a stranger's: shows that the mailbox is theirs. */
export const confirmation: Template<Account> = {
  en: (content, pages) => ({
    subject: 'Please confirm your registration',
    greeting: `Hello ${content.name},`,
    paragraphs: [
      `an account with the username ${disarm(content.username)} was registered with this address.`,
      'Please confirm within 24 hours that the address is yours. Until then nobody can sign in.',
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
