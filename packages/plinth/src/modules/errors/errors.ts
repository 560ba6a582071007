// The resources of the module. Errors that clients report and errors of the service itself are one table, seen as a whole and in
// two parts.

import { STATUS_CODES } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineSettings } from '../../core/config/settings.ts'
import { sha256Of } from '../../core/digest.ts'
import { expires, type Sweep } from '../../core/jobs/sweep.ts'
import { defineResource } from '../../core/model/define.ts'
import { choice, computed, integer, longText, ref, text, timestamp, webLink } from '../../core/model/fields.ts'
import type { AnyHookContexts, Hooks } from '../../core/model/hooks.ts'
import { hashOf } from '../../core/model/identifier.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { Service } from '../../core/service.ts'

export const errorSettings = defineSettings('app.errors', {
  reportsPerMinute: integer({
    default: 30,
    min: 1,
    max: 1_000_000,
    about: 'The maximum number of errors that clients at one address can report per minute.',
  }),
  keepDays: integer({
    default: 90,
    min: 0,
    max: 36_500,
    about: 'Days until errors are deleted, with unreferenced error logs and user agents; 0 keeps them forever.',
  }),
})

const maxUserAgentLength = 1600

export const userAgents = defineResource('userAgents', {
  title: { de: 'User-Agents' },
  singularTitle: { de: 'User-Agent' },
  about: {
    en: 'Browsers and other clients that use the service, by their User-Agent header.',
    de: 'Browser und andere Programme, die auf den Dienst zugreifen, nach ihrem User-Agent-Header.',
  },
  label: 'value',
  identifier: hashOf('value'),
  fields: { value: text({ required: true, max: maxUserAgentLength, title: { de: 'Wert' } }) },
  families: { create: 'jsonApi', find: 'jsonApi', patch: 'jsonApi' },
  access: { read: "caller.has('ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})

/** The record of this program, made when it is new; null when it does not say what it is. */
export const userAgentOf = async (records: TransactionRecords, sent: string | null): Promise<string | null> => {
  const value = (sent ?? '').toWellFormed().replaceAll('\0', '').slice(0, maxUserAgentLength)
  if (value === '') return null
  const pk = sha256Of(value)
  await records.ensure(userAgents, { pk, value })
  return pk
}

export const maxCauseLength = 500
export const maxStackLength = 40_000

/** What the service records itself goes by the hash of its stack frames, so that one fault has one log. */
export const errorLogs = defineResource('errorLogs', {
  title: { de: 'Fehlerprotokolle' },
  singularTitle: { de: 'Fehlerprotokoll' },
  about: {
    en: 'Failures of the service, grouped by cause.',
    de: 'Fehler im Dienst, nach Ursache zusammengefasst.',
  },
  label: 'rootCauseMessage',
  identifier: hashOf('stacktrace'),
  fields: {
    rootCauseMessage: text({ max: maxCauseLength, title: { de: 'Ursache' } }),
    stacktrace: longText({ required: true, max: maxStackLength, title: { de: 'Stacktrace' } }),
    firstOccurred: timestamp({ title: { de: 'Zuerst aufgetreten' } }),
    lastOccurred: timestamp({ indexed: true, title: { de: 'Zuletzt aufgetreten' } }),
    errorCount: integer({
      serverOwned: true,
      default: 1,
      about: { en: 'The number of occurrences.', de: 'Wie oft der Fehler aufgetreten ist.' },
      title: { de: 'Anzahl' },
    }),
  },
  families: { find: 'jsonApi', delete: 'jsonApi', relationship: 'jsonApi' },
  access: { read: "caller.has('ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})

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
    about: {
      en: 'The state of the client when the error occurred.',
      de: 'Der Zustand des Clients, als der Fehler auftrat.',
    },
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
      en: 'Only the path: the query may contain private data.',
      de: 'Nur der Pfad: Die Query kann vertrauliche Daten enthalten.',
    },
    title: { en: 'Request URL', de: 'Adresse der Anfrage' },
  }),
  httpStatusCode: integer({ min: 100, max: 599, title: { en: 'HTTP status code', de: 'HTTP-Status' } }),
  httpStatusMessage: computed(
    text({ max: 100, title: { en: 'HTTP status message', de: 'HTTP-Meldung' } }),
    ({ httpStatusCode }: { readonly httpStatusCode?: number | null | undefined }) =>
      (httpStatusCode && STATUS_CODES[httpStatusCode]) || null,
  ),
  errorLogId: computed(
    text({ max: 64, title: { de: 'Nummer des Protokolls' } }),
    ({ errorLog }: { readonly errorLog?: string | null | undefined }) => errorLog ?? null,
  ),
}

/** Sets the address and the user agent of a new record. */
const setSender = async ({ values, sender, records }: AnyHookContexts['beforeCreate']): Promise<void> => {
  if (!sender) return
  values.remoteAddress = sender.remoteAddress
  values.userAgent ??= await userAgentOf(records.asService, sender.userAgent)
}
const hooks: Hooks = { beforeCreate: setSender }

const readClientErrors = "record.createdBy.pk == caller.pk || caller.has('ROLE_SITE_OPERATOR')"

export const allErrors = defineResource('allErrors', {
  title: { de: 'Alle Fehler' },
  singularTitle: { de: 'Fehler' },
  about: { en: 'All errors of clients and of the service.', de: 'Alle Fehler, von Clients und vom Dienst selbst.' },
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
  families: { find: 'jsonApi', delete: 'jsonApi', patch: 'jsonApi', relationship: 'jsonApi' },
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
  storedIn: { resource: 'allErrors', where: { field: 'kind', equals: 'client' } },
  files: { pictures: ['screenshotUrl'] },
  fields: { ...common, ...ofClients },
  hooks,
  families: { find: 'jsonApi' },
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
  storedIn: { resource: 'allErrors', where: { field: 'kind', equals: 'system' } },
  fields: { ...common, ...ofTheService },
  hooks,
  families: { search: 'jsonApi', find: 'jsonApi', patch: 'jsonApi', relationship: 'jsonApi', related: 'jsonApi' },
  access: { read: "caller.has('ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})

// Deletes old errors, and the error logs and user agents that no error refers to any more.

export const errorSweeps: readonly Sweep[] = [
  expires(allErrors, ({ config, daysAgo }) => {
    const { keepDays } = config.get(errorSettings)
    return keepDays === 0 ? null : { createdDate: { le: daysAgo(keepDays) } }
  }),
  {
    name: 'deleting unreferenced error logs and user agents',
    run: async (service, { daysAgo, signal }) => {
      const { keepDays } = service.config.get(errorSettings)
      if (keepDays > 0) await removeUnreferenced(service, daysAgo(keepDays), signal)
    },
  },
]

const removeUnreferenced = async ({ platform }: Service, before: string, signal: AbortSignal): Promise<void> => {
  const { records } = platform
  const isOld = { lastModifiedDate: { le: before } }
  for await (const batch of records.stream(errorLogs, { where: isOld, batchSize })) {
    if (signal.aborted) return
    const unused = await notUsed(batch, pk => records.first(allErrors, { where: { errorLog: pk } }))
    await records.removeMany(errorLogs, { where: { pk: { in: unused } } })
    await sleep(restMs, undefined, { ref: false })
  }
  for await (const batch of records.stream(userAgents, { where: isOld, batchSize })) {
    if (signal.aborted) return
    const unused = await notUsed(batch, pk => records.first(allErrors, { where: { userAgent: pk } }))
    await records.removeMany(userAgents, { where: { pk: { in: unused } } })
    await sleep(restMs, undefined, { ref: false })
  }
}

const batchSize = 100
/** The milliseconds between two batches in which others have the database to themselves. */
const restMs = 10

/** Returns the contents to which no error refers. */
const notUsed = async (
  batch: readonly { readonly pk: string }[],
  userOf: (pk: string) => Promise<object | null>,
): Promise<string[]> => {
  const pks = batch.map(({ pk }) => pk)
  const users = await Promise.all(pks.map(userOf))
  return pks.filter((_, at) => users[at] === null)
}
