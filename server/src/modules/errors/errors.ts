// Errors that clients report and errors of the service itself: one table, seen whole and in its two parts.

import { STATUS_CODES } from 'node:http'
import { type Change, defineResource, type Hooks } from '../../core/model/define.ts'
import { choice, computed, integer, longText, ref, text, webLink } from '../../core/model/fields.ts'
import { countReport } from './report-limit.ts'
import { userAgentOf } from './user-agents.ts'

export const maxMessageLength = 500

const common = {
  message: text({ required: true, max: maxMessageLength, title: { de: 'Meldung' } }),
  remoteAddress: text({ max: 100, serverOwned: true, title: { de: 'Adresse' } }),
  userAgent: ref('userAgents', { title: { de: 'User-Agent' } }),
  errorLog: ref('errorLogs', { title: { de: 'Fehlerprotokoll' } }),
}

const ofClients = {
  description: longText({ max: 1000, title: { de: 'Beschreibung' } }),
  state: longText({
    max: 4000,
    about: { en: 'What the client was about when it happened.', de: 'Womit der Client gerade beschäftigt war.' },
    title: { de: 'Zustand' },
  }),
  viewUrl: text({ max: 1000, title: { en: 'View URL', de: 'Adresse der Seite' } }),
  screenshotUrl: webLink({ title: { en: 'Screenshot', de: 'Bildschirmfoto' } }),
}

const ofTheService = {
  requestMethod: text({ max: 20, title: { de: 'Methode' } }),
  requestUrl: text({
    max: 2000,
    about: {
      en: 'The path alone: a query may hold private data.',
      de: 'Nur der Pfad: Die Abfrage könnte Vertrauliches enthalten.',
    },
    title: { en: 'Request URL', de: 'Adresse der Anfrage' },
  }),
  httpStatusCode: integer({ min: 100, max: 599, title: { en: 'HTTP status code', de: 'HTTP-Status' } }),
  httpStatusMessage: computed(
    text({ max: 100, title: { en: 'HTTP status message', de: 'HTTP-Meldung' } }),
    values => STATUS_CODES[String(values.httpStatusCode)] ?? null,
  ),
  errorLogId: computed(
    text({ max: 64, title: { de: 'Nummer des Protokolls' } }),
    values => (values.errorLog as string | null | undefined) ?? null,
  ),
}

/** Notes where a new record comes from. */
const noteSender = async ({ values, sender, records }: Change): Promise<void> => {
  if (!sender) return
  values.remoteAddress = sender.remoteAddress
  values.userAgent ??= await userAgentOf(records.asService, sender.userAgent)
}
const hooks: Hooks = { on: ['create'], before: noteSender }

const reportHooks: Hooks = {
  on: ['create'],
  before: async (change, tx) => {
    await countReport(change, tx)
    await noteSender(change)
  },
}

const readClientErrors = "record.createdBy.pk == caller.pk || caller.has('ROLE_SITE_OPERATOR')"

export const allErrors = defineResource('allErrors', {
  title: { de: 'Alle Fehler' },
  singularTitle: { de: 'Fehler' },
  about: { en: 'Every error, of clients and of the service.', de: 'Alle Fehler, von Clients und vom Dienst selbst.' },
  label: 'message',
  stamps: 'people',
  fields: {
    kind: choice(['client', 'system'], {
      required: true,
      fixed: true,
      labels: { client: { de: 'Client' }, system: { de: 'Dienst' } },
      title: { de: 'Art' },
    }),
    ...common,
    ...ofClients,
    ...ofTheService,
  },
  indexes: [['createdDate']],
  hooks,
  families: { find: 'A', delete: 'A', patch: 'A', relationship: 'A' },
  access: {
    read: "caller.has('ROLE_SITE_OPERATOR') || (record.kind == 'client' && record.createdBy.pk == caller.pk)",
    write: "caller.has('ROLE_ADMIN')",
  },
})

export const clientErrors = defineResource('clientErrors', {
  title: { de: 'Clientfehler' },
  singularTitle: { de: 'Clientfehler' },
  about: { en: 'Errors that clients report.', de: 'Fehler, die Clients melden.' },
  label: 'message',
  stamps: 'people',
  storedIn: { resource: 'allErrors', where: { member: 'kind', equals: 'client' } },
  fields: { ...common, ...ofClients },
  hooks: reportHooks,
  families: { find: 'A' },
  access: { read: readClientErrors, create: 'true', write: "caller.has('ROLE_SITE_OPERATOR')" },
})

export const systemErrors = defineResource('systemErrors', {
  title: { de: 'Systemfehler' },
  singularTitle: { de: 'Systemfehler' },
  about: {
    en: 'Requests that the service failed to answer.',
    de: 'Anfragen, die der Dienst nicht beantworten konnte.',
  },
  label: 'message',
  stamps: 'people',
  storedIn: { resource: 'allErrors', where: { member: 'kind', equals: 'system' } },
  fields: { ...common, ...ofTheService },
  hooks,
  families: { search: 'A', find: 'A', patch: 'A', relationship: 'A', related: 'A' },
  access: { read: "caller.has('ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})
