import { defineResource, hashOf } from '../../core/model/define.ts'
import { integer, longText, text, timestamp } from '../../core/model/fields.ts'

export const maxCauseLength = 500
export const maxStackLength = 40_000

/** What the service records itself goes by the hash of its stack frames, so that one fault has one log. */
export const errorLogs = defineResource('errorLogs', {
  about: 'What went wrong inside the service, each kind of failure once.',
  label: 'rootCauseMessage',
  identifier: hashOf('stacktrace'),
  fields: {
    rootCauseMessage: text({ max: maxCauseLength }),
    stacktrace: longText({ required: true, max: maxStackLength }),
    firstOccurred: timestamp(),
    lastOccurred: timestamp({ indexed: true }),
    errorCount: integer({ serverOwned: true, default: 1, about: 'How often it has happened.' }),
  },
  access: { read: "caller.has('ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})
