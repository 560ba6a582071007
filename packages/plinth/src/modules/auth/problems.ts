// What the module declares by codes: problems of signing in, faults of values, and audit events.

import { defineFaults } from '../../core/fault.ts'
import { defineProblems } from '../../core/problem.ts'
import { defineAudit } from '../audit/index.ts'

export const authProblem = defineProblems({
  second_factor_required: {
    status: 401,
    title: { en: 'Second factor required', de: 'Zweiter Faktor erforderlich' },
    meaning: 'The password is correct, but a second-factor code is required to sign in; this 401 always has a body.',
  },
  email_unconfirmed: {
    status: 401,
    title: { en: 'E-mail address not confirmed', de: 'E-Mail-Adresse nicht bestätigt' },
    meaning: 'The password is correct, but the e-mail address is not confirmed yet; this 401 always has a body.',
  },
  demo_password: {
    status: 401,
    title: { en: 'Demo password', de: 'Demo-Passwort' },
    meaning:
      'The password is a demo password, and demo mode is off. Set another one with `plinth admin reset-password`; this 401 always has a body.',
  },
})

export const authFault = defineFaults({
  wrong_code: { en: 'is wrong or has expired', de: 'Dieser Code ist falsch, abgelaufen oder schon verwendet.' },
  wrong_credential: { en: 'could not be verified', de: 'Dieser Passkey ließ sich nicht prüfen.' },
  scope: {
    en: 'must be read, write, <resource>:read or <resource>:write',
    de: 'Geben Sie read oder write ein, oder eines davon für eine Ressource, etwa films:read.',
  },
  no_scope: { en: 'must contain at least one scope', de: 'Geben Sie mindestens eine Berechtigung an.' },
  unknown_scope: { en: "contains the unknown resource '{resource}'", de: 'Es gibt keine Ressource „{resource}“.' },
  past: { en: 'must be in the future', de: 'Wählen Sie ein Datum in der Zukunft.' },
  max_days: { en: 'must be within {max} days', de: 'Wählen Sie ein Datum innerhalb von {max} Tagen.' },
  client_page: {
    en: 'must be a page of the client, such as /films',
    de: 'Geben Sie eine Seite des Webclients an, zum Beispiel /films.',
  },
  no_such_resource: { en: 'there is no such resource', de: 'Diese Ressource gibt es nicht.' },
  no_such_user: { en: 'there is no such user', de: 'Diesen Benutzer gibt es nicht.' },
})

export const authAudit = defineAudit([
  'AUTHENTICATION_SUCCESS',
  'AUTHENTICATION_FAILURE',
  'AUTHENTICATION_THROTTLED',
  'AUTHORIZATION_FAILURE',
  'SIGNED_OUT',
  'SESSION_ENDED',
  'TOKEN_REUSED',
  'SECOND_FACTOR_ENABLED',
  'SECOND_FACTOR_DISABLED',
  'SECOND_FACTOR_REMOVED',
  'SECOND_FACTOR_FAILURE',
  'RECOVERY_CODE_USED',
  'RECOVERY_CODES_RENEWED',
  'API_KEY_CREATED',
  'API_KEY_CHANGED',
  'API_KEY_REVOKED',
  'API_KEYS_ENDED',
  'PASSKEY_ADDED',
  'PASSKEY_REMOVED',
  'PASSKEY_CLONE_SUSPECTED',
  'IDENTITY_LINKED',
  'IDENTITY_REMOVED',
])

export type AuthAuditType = (typeof authAudit.types)[number]
