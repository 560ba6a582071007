import { defineResource, sharedWith } from '../../core/model/define.ts'
import { boolean, choice, integer, longText, ref, text, timestamp } from '../../core/model/fields.ts'
import { purposes } from './templates/index.ts'

const serverOwned = { serverOwned: true } as const

/**
 * The outbox. Administrators see what was sent to whom and what went wrong; what a mail says is not among it, since links
 * in mails open accounts.
 */
export const mails = defineResource('mails', {
  about: 'Mails on their way, sent and given up.',
  label: 'subject',
  fields: {
    purpose: choice(purposes, serverOwned),
    recipient: text({ max: 254, ...serverOwned, indexed: true }),
    subject: text({ max: 500, ...serverOwned }),
    locale: text({ max: 20, ...serverOwned }),
    state: choice(['waiting', 'sent', 'failed'], { ...serverOwned, default: 'waiting' }),
    isUrgent: boolean({ ...serverOwned, default: true, about: 'Does somebody wait for it?' }),
    attempts: integer({ ...serverOwned, default: 0 }),
    nextAttempt: timestamp({ ...serverOwned, about: 'Until then nobody tries to send it; empty when done.' }),
    sentDate: timestamp(serverOwned),
    lastError: text({ max: 200, ...serverOwned }),
  },
  indexes: [['state', 'isUrgent', 'nextAttempt'], ['createdDate']],
  access: { read: "caller.has('ROLE_ADMIN')", delete: "caller.has('ROLE_ADMIN')", write: 'false' },
})

/** What the template needs, as JSON, until the mail is sent or given up. The token of a link is not part of it. */
export const mailContents = defineResource('mailContents', {
  about: 'What mails that wait have to say.',
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
