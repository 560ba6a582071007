import { defineResource, hashOf } from '../../core/model/define.ts'
import { integer, longText, text, timestamp } from '../../core/model/fields.ts'

export const maxCauseLength = 500
export const maxStackLength = 40_000

/** What the service records itself goes by the hash of its stack frames, so that one fault has one log. */
export const errorLogs = defineResource('errorLogs', {
  title: { de: 'Fehlerprotokolle' },
  singularTitle: { de: 'Fehlerprotokoll' },
  about: {
    en: 'What went wrong inside the service, each kind of failure once.',
    de: 'Fehler im Dienst selbst, jede Art nur einmal.',
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
      about: { en: 'How often it has happened.', de: 'Wie oft der Fehler aufgetreten ist.' },
      title: { de: 'Anzahl' },
    }),
  },
  families: { find: 'A', delete: 'A', relationship: 'A' },
  access: { read: "caller.has('ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})
