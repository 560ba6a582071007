// The mails of this module: an export is ready, and an account will be deleted, will not, or is.

import { defineMail } from '../../core/mail.ts'
import type { NamedAccount } from '../mail/index.ts'

export interface DatedAccount extends NamedAccount {
  /** A day, such as 2026-03-01. */
  readonly until: string
}

const page = 'account/data'

/** The mail to someone whose data has been exported. */
export const dataExportReady = defineMail<DatedAccount>('dataExportReady', {
  title: { en: 'Export ready', de: 'Export fertig' },
  isUrgent: false,
  texts: {
    en: ({ name, until }, pages) => ({
      subject: 'Your data is ready for download',
      greeting: `Hello ${name},`,
      paragraphs: ['the export of your data is ready.', `You can download it until ${until}, signed in as yourself.`],
      action: { label: 'Download my data', href: pages(page) },
      note: 'If you did not ask for it, change your password: another person is signed in to your account.',
    }),
    de: ({ name, until }, pages) => ({
      subject: 'Ihre Daten stehen bereit',
      greeting: `Guten Tag ${name},`,
      paragraphs: ['der Export Ihrer Daten ist fertig.', `Angemeldet können Sie ihn bis ${until} herunterladen.`],
      action: { label: 'Meine Daten herunterladen', href: pages(page) },
      note: 'Wenn Sie das nicht waren, ändern Sie Ihr Passwort: Jemand anderes ist in Ihrem Konto angemeldet.',
    }),
  },
  trusted: ['username', 'until'],
})

/** The mail to someone whose account will be deleted. */
export const accountDeletionRequested = defineMail<DatedAccount>('accountDeletionRequested', {
  title: { en: 'Account will be deleted', de: 'Konto wird gelöscht' },
  texts: {
    en: ({ name, username, until }, pages) => ({
      subject: 'Your account will be deleted',
      greeting: `Hello ${name},`,
      paragraphs: [
        `the account ${username} will be deleted on ${until}, with everything that belongs to it.`,
        'Until then you can sign in and cancel the deletion.',
      ],
      action: { label: 'Cancel the deletion', href: pages(page) },
      note: 'If you did not ask for it, cancel it and change your password.',
    }),
    de: ({ name, username, until }, pages) => ({
      subject: 'Ihr Konto wird gelöscht',
      greeting: `Guten Tag ${name},`,
      paragraphs: [
        `das Konto ${username} wird am ${until} gelöscht, mit allem, was dazugehört.`,
        'Bis dahin können Sie sich anmelden und die Löschung abbrechen.',
      ],
      action: { label: 'Löschung abbrechen', href: pages(page) },
      note: 'Wenn Sie das nicht waren, brechen Sie die Löschung ab und ändern Sie Ihr Passwort.',
    }),
  },
  trusted: ['username', 'until'],
})

/** The mail to someone whose account is deleted. */
export const accountDeleted = defineMail<NamedAccount>('accountDeleted', {
  title: { en: 'Account deleted', de: 'Konto gelöscht' },
  texts: {
    en: ({ name, username }) => ({
      subject: 'Your account is deleted',
      greeting: `Hello ${name},`,
      paragraphs: [`the account ${username} is deleted. This was the last e-mail to you.`],
      note: 'The audit log and backups keep what they have until it expires.',
    }),
    de: ({ name, username }) => ({
      subject: 'Ihr Konto ist gelöscht',
      greeting: `Guten Tag ${name},`,
      paragraphs: [`das Konto ${username} ist gelöscht. Das war die letzte E-Mail an Sie.`],
      note: 'Audit-Log und Backups behalten, was sie enthalten, bis es abläuft.',
    }),
  },
  trusted: ['username'],
})
