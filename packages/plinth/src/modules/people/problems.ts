// What the module declares by codes: problems of accounts, faults of names, passwords, roles and contact details, and audit events.

import { defineFaults } from '../../core/fault.ts'
import { defineProblems } from '../../core/problem.ts'
import { defineAudit } from '../audit/index.ts'

export const peopleProblem = defineProblems({
  last_administrator: {
    status: 409,
    title: { en: 'Last administrator', de: 'Letzter Administrator' },
    meaning: 'The change would leave no active administrator; appoint another one first.',
  },
})

export const peopleFault = defineFaults({
  username: {
    en: 'must not contain spaces, colons, @ or invisible characters',
    de: 'Leerzeichen, Doppelpunkte, @ und unsichtbare Zeichen sind nicht erlaubt.',
  },
  hidden_marks: { en: 'must not contain invisible characters', de: 'Unsichtbare Zeichen sind nicht erlaubt.' },
  one_script: { en: 'must use letters of one script only', de: 'Verwenden Sie nur Buchstaben einer einzigen Schrift.' },
  authority: {
    en: 'must start with ROLE_, followed by capital letters',
    de: 'Beginnen Sie mit ROLE_ und verwenden Sie Großbuchstaben.',
  },
  common_password: { en: 'is too common', de: 'Dieses Passwort ist zu häufig.' },
  guessable_password: {
    en: 'is easy to guess: choose several words that do not belong together, or let a password manager choose',
    de: 'Dieses Passwort ist leicht zu erraten. Nehmen Sie mehrere Wörter, die nicht zusammengehören, oder einen Passwortmanager.',
  },
  leaked_password: {
    en: 'has appeared in a data leak: choose another one, here and wherever else you use it',
    de: 'Dieses Passwort ist aus einem Datenleck bekannt. Wählen Sie ein anderes, hier und überall, wo Sie es verwenden.',
  },
  password_like_name: {
    en: 'is too similar to the name or the address',
    de: 'Dieses Passwort ähnelt Ihrem Namen oder Ihrer Adresse zu sehr.',
  },
  locale: {
    en: 'must be a language code, such as en or de-AT',
    de: 'Geben Sie einen Sprachcode ein, zum Beispiel de oder de-AT.',
  },
  confirmed: {
    en: 'is confirmed and cannot be removed; confirm another address to replace it',
    de: 'Eine bestätigte Adresse lässt sich nicht entfernen. Bestätigen Sie eine andere, um sie zu ersetzen.',
  },
})

export const peopleAudit = defineAudit([
  'USER_CREATED',
  'USER_DELETED',
  'USER_RESTORED',
  'USER_ERASED',
  'USERNAME_CHANGED',
  'EMAIL_ENTERED',
  'EMAIL_REMOVED',
  'ROLES_CHANGED',
  'ROLE_CREATED',
  'ROLE_RENAMED',
  'ROLE_DELETED',
  'USER_ACTIVATED',
  'USER_DEACTIVATED',
  'PASSWORD_CHANGED',
])

export type PeopleAuditType = (typeof peopleAudit.types)[number]
