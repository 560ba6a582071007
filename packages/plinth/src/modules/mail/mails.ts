import { defineResource, sharedWith } from '../../core/model/define.ts'
import { boolean, choice, integer, longText, ref, text, timestamp } from '../../core/model/fields.ts'
import { purposes } from './templates.ts'

const serverOwned = { serverOwned: true } as const

/**
 * The outbox. Administrators see what was sent to whom, and what failed. The content of a mail is not part of it, since links in
 * mails open accounts.
 */
export const mails = defineResource('mails', {
  title: { de: 'Mails' },
  singularTitle: { de: 'Mail' },
  about: { en: 'Waiting, sent and failed e-mails.', de: 'Wartende, gesendete und fehlgeschlagene E-Mails.' },
  label: 'subject',
  fields: {
    purpose: choice(purposes, {
      ...serverOwned,
      title: { de: 'Zweck' },
      labels: {
        confirmation: { de: 'Bestätigung' },
        addressChange: { de: 'Änderung der Adresse' },
        passwordReset: { de: 'Passwort zurücksetzen' },
        alreadyRegistered: { de: 'Bereits registriert' },
        apiKeyCreated: { en: 'API key created', de: 'API-Schlüssel angelegt' },
        invitation: { de: 'Einladung' },
      },
    }),
    recipient: text({ max: 254, ...serverOwned, indexed: true, title: { de: 'Empfänger' } }),
    subject: text({ max: 500, ...serverOwned, title: { de: 'Betreff' } }),
    locale: text({ max: 20, ...serverOwned, title: { de: 'Sprache' } }),
    state: choice(['waiting', 'sent', 'failed'], {
      ...serverOwned,
      default: 'waiting',
      labels: { waiting: { de: 'wartet' }, sent: { de: 'gesendet' }, failed: { de: 'aufgegeben' } },
      title: { de: 'Zustand' },
    }),
    isUrgent: boolean({
      ...serverOwned,
      default: true,
      about: {
        en: 'Whether the user expects it, so that it is sent first.',
        de: 'Ob die Person darauf wartet und sie zuerst gesendet wird.',
      },
      title: { de: 'Dringend' },
    }),
    attempts: integer({ ...serverOwned, default: 0, title: { de: 'Versuche' } }),
    nextAttempt: timestamp({
      ...serverOwned,
      about: {
        en: 'The time of the next attempt; empty if there is none.',
        de: 'Der Zeitpunkt des nächsten Versuchs; leer, wenn es keinen gibt.',
      },
      title: { de: 'Nächster Versuch' },
    }),
    sentDate: timestamp({ ...serverOwned, title: { de: 'Gesendet am' } }),
    lastError: text({ max: 200, ...serverOwned, title: { de: 'Letzter Fehler' } }),
  },
  indexes: [['state', 'isUrgent', 'nextAttempt'], ['createdDate']],
  access: { read: "caller.has('ROLE_ADMIN')", delete: "caller.has('ROLE_ADMIN')", write: 'false' },
})

/** The input of the template, as JSON, until the mail is sent or given up. The token of a link is not part of it. */
export const mailContents = defineResource('mailContents', {
  about: 'The contents of waiting e-mails.',
  identifier: sharedWith('mail'),
  internal: true,
  stamps: 'none',
  fields: {
    mail: ref('mails', { required: true, onDelete: 'cascade' }),
    content: longText({ required: true, max: 20_000 }),
    reservation: ref('oneTimeTokens', { onDelete: 'cascade', about: 'Of the token in the link, if there is one.' }),
  },
  access: {},
})
