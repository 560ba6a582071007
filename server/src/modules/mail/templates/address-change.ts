import { disarm } from './disarm.ts'
import type { Account, Template } from './message.ts'

/** To the new address of somebody who has an account already; it may be a stranger's. */
export const addressChange: Template<Account> = {
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
