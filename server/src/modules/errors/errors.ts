// Errors that clients report and errors of the service itself: one table, seen whole and in its two parts.

import { STATUS_CODES } from 'node:http'
import { defineResource, type Hooks } from '../../core/model/define.ts'
import { choice, computed, integer, longText, ref, text, webLink } from '../../core/model/fields.ts'
import { countReport } from './report-limit.ts'
import { userAgentOf } from './user-agents.ts'

export const maxMessageLength = 500

const common = {
  message: text({ required: true, max: maxMessageLength }),
  remoteAddress: text({ max: 100, serverOwned: true }),
  userAgent: ref('userAgents'),
  errorLog: ref('errorLogs'),
}

const ofClients = {
  description: longText({ max: 1000 }),
  state: longText({ max: 4000, about: 'What the client was about when it happened.' }),
  viewUrl: text({ max: 1000 }),
  screenshotUrl: webLink(),
}

const ofTheService = {
  requestMethod: text({ max: 20 }),
  requestUrl: text({ max: 2000, about: 'The path alone: a query may hold what is nobody else’s business.' }),
  httpStatusCode: integer({ min: 100, max: 599 }),
  httpStatusMessage: computed(text({ max: 100 }), values => STATUS_CODES[String(values.httpStatusCode)] ?? null),
  errorLogId: computed(text({ max: 64 }), values => (values.errorLog as string | null | undefined) ?? null),
}

/** Notes where a new record comes from. */
const noteSender: NonNullable<Hooks['before']> = async ({ kind, values, sender, now }, tx) => {
  if (kind !== 'create' || !sender) return
  values.remoteAddress = sender.remoteAddress
  values.userAgent ??= await userAgentOf(tx, sender.userAgent, now)
}
const hooks: Hooks = { before: noteSender }

const reportHooks: Hooks = {
  before: async (change, tx) => {
    if (change.kind === 'create') await countReport(change, tx)
    await noteSender(change, tx)
  },
}

const readClientErrors = "record.createdBy.pk == caller.pk || caller.has('ROLE_SITE_OPERATOR')"

export const allErrors = defineResource('allErrors', {
  about: 'Every error, of clients and of the service.',
  label: 'message',
  stamps: 'people',
  fields: {
    kind: choice(['client', 'system'], { required: true, fixed: true }),
    ...common,
    ...ofClients,
    ...ofTheService,
  },
  indexes: [['createdDate']],
  hooks,
  access: {
    read: "caller.has('ROLE_SITE_OPERATOR') || (record.kind == 'client' && record.createdBy.pk == caller.pk)",
    write: "caller.has('ROLE_ADMIN')",
  },
})

export const clientErrors = defineResource('clientErrors', {
  about: 'Errors that clients report.',
  label: 'message',
  stamps: 'people',
  storedIn: { resource: 'allErrors', where: { member: 'kind', equals: 'client' } },
  fields: { ...common, ...ofClients },
  hooks: reportHooks,
  access: { read: readClientErrors, create: 'true', write: "caller.has('ROLE_SITE_OPERATOR')" },
})

export const systemErrors = defineResource('systemErrors', {
  about: 'Requests that the service failed to answer.',
  label: 'message',
  stamps: 'people',
  storedIn: { resource: 'allErrors', where: { member: 'kind', equals: 'system' } },
  fields: { ...common, ...ofTheService },
  hooks,
  access: { read: "caller.has('ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})
