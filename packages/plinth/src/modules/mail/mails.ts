// Mails as records: the outbox, and reading what is in its folder.

import type { Config } from '../../core/config/settings.ts'
import { isInPerson } from '../../core/model/caller.ts'
import { defineResource, derivedFrom, type ResourceDefinition } from '../../core/model/define.ts'
import { boolean, choice, integer, longText, ref, text, timestamp } from '../../core/model/fields.ts'
import { sharedWith } from '../../core/model/identifier.ts'
import type { Reader } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { type Call, defineEndpoint } from '../../core/rest/endpoint.ts'
import { mayUse } from '../../core/rest/permits.ts'
import type { Service } from '../../core/service.ts'
import { defineAudit } from '../audit/index.ts'
import type { MailTemplates } from './templates.ts'
import { readMessage } from './transport.ts'

const serverOwned = { serverOwned: true } as const

/** The names of the mails of all modules. */
const purposeOf = (templates: MailTemplates['mails']) =>
  choice([...templates.keys()], {
    ...serverOwned,
    title: { de: 'Zweck' },
    labels: Object.fromEntries([...templates].flatMap(([name, { title }]) => (title ? [[name, title]] : []))),
  })

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
    purpose: purposeOf(new Map()),
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

const templatesOf = Symbol('templates')

/** The outbox of a service. Code that has nothing but a transaction finds the templates by its definition. */
interface Outbox extends ResourceDefinition {
  readonly [templatesOf]?: MailTemplates
}

export const outboxFor = (templates: MailTemplates): typeof mails => {
  const fields = { ...mails.fields, purpose: purposeOf(templates.mails) }
  return Object.assign(derivedFrom(mails, { ...mails, fields }), { [templatesOf]: templates })
}

export const templatesIn = (reader: Reader): MailTemplates => {
  const { definition }: { readonly definition: Outbox } = reader.resource(mails)
  const templates = definition[templatesOf]
  if (!templates) throw new Error('the outbox is not that of a service')
  return templates
}

/** The input of the template, as JSON, until the mail is sent or given up. The token of a link is not part of it. */
export const mailContents = defineResource('mailContents', {
  about: 'The contents of waiting e-mails.',
  trash: false,
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

// GET mails/{pk}/message: the file of a mail in the outbox folder, for administrators of a service without a mail server. Links in
// mails open accounts, so administrators cannot read them with an API key, and the audit records who has read them.

const mediaType = 'message/rfc822'

export const mailAudit = defineAudit(['MAIL_READ'])

export const readMessageEndpoint = ({ config }: Service) =>
  defineEndpoint({
    method: 'GET',
    path: '/api/rest/mails/{pk}/message',
    id: 'readMessage',
    summary: 'Read an e-mail in the outbox folder',
    description: 'Only without a mail server: e-mails that were sent to one are not stored.',
    holdsSecrets: true,
    access: mayUse(mails, 'read'),
    answers: { 200: { about: 'The mail.', content: { [mediaType]: { type: 'string' } } } },
    problems: [401, 403, 404, 406],
    answer: call => readMessageOf(call, config),
  })

const readMessageOf = async (
  { context, caller, records, params }: Call<`${string}{pk}`>,
  config: Config,
): Promise<Answer> => {
  const { sender } = context
  if (!isInPerson(caller))
    throw new Problem('forbidden', {
      en: 'E-mails cannot be read with an API key.',
      de: 'E-Mails lassen sich nicht mit einem API-Schlüssel lesen.',
    })
  const mail = await records.get(mails, params.pk)
  const body = await readMessage(config, mail.pk)
  if (!body) throw new Problem('not_found')
  const data = { mail: mail.pk, purpose: mail.purpose ?? '', recipient: mail.recipient ?? '' }
  await records.transaction(own =>
    mailAudit.recordChange(own, { caller, sender, now: own.now }, { type: 'MAIL_READ', data }),
  )
  const headers = { 'Content-Disposition': `attachment; filename="${mail.pk}.eml"`, 'Cache-Control': 'no-store' }
  return { kind: 'bytes', mediaType, body, headers }
}
