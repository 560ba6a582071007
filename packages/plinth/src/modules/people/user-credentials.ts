// `userCredentials`: whether a user may sign in, and since when. The password hash is in `secrets`.

import { defineResource } from '../../core/model/define.ts'
import { boolean, hasOne, integer, ref, text, timestamp } from '../../core/model/fields.ts'
import { sharedWith } from '../../core/model/identifier.ts'
import { passwordField } from './passwords.ts'

export const userCredentials = defineResource('userCredentials', {
  title: { de: 'Zugangsdaten' },
  singularTitle: { de: 'Zugangsdaten' },
  about: {
    en: 'Whether a user can sign in, and recent sign-ins.',
    de: 'Ob sich eine Person anmelden darf und wann sie es zuletzt getan hat.',
  },
  singular: 'userCredentials',
  inPerson: true,
  requires: { recentSignIn: { create: ['active', 'password'], update: ['active', 'password'], delete: true } },
  identifier: sharedWith('user'),
  history: true,
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', title: { de: 'Person' } }),
    active: boolean({ default: true, title: { de: 'Aktiv' } }),
    inactivationReason: text({
      max: 500,
      about: {
        en: 'With a reason, a registration that is not confirmed yet is rejected.',
        de: 'Mit einem Grund wird eine noch nicht bestätigte Registrierung abgelehnt.',
      },
      title: { de: 'Grund der Sperre' },
    }),
    inactivationDate: timestamp({ title: { de: 'Gesperrt am' } }),
    password: passwordField({
      about: {
        en: 'A new password; ends the sessions, API keys and identities of the user.',
        de: 'Ein neues Passwort. Es beendet die Sitzungen, API-Schlüssel und Anmeldungen bei anderen Diensten.',
      },
    }),
    lastPassWordChangeDate: timestamp({
      serverOwned: true,
      title: { en: 'Last password change', de: 'Passwort geändert am' },
    }),
    lastLogin: timestamp({ serverOwned: true, activity: true, title: { de: 'Letzte Anmeldung' } }),
    loginAttempts: integer({
      serverOwned: true,
      activity: true,
      default: 0,
      about: {
        en: 'Failed sign-ins since the last successful one.',
        de: 'Fehlgeschlagene Anmeldungen seit der letzten erfolgreichen.',
      },
      title: { de: 'Fehlgeschlagene Anmeldungen' },
    }),
    registrationCode: hasOne('userRegistrationCodes', {
      by: 'credentials',
      title: { en: 'Registration code', de: 'Registrierungscode' },
    }),
    mfa: boolean({
      serverOwned: true,
      default: false,
      title: { en: 'Second factor', de: 'Zweiter Faktor' },
      about: { en: 'Whether a second factor is required.', de: 'Wird ein zweiter Faktor verlangt?' },
    }),
  },
  families: { create: 'jsonApi', search: 'jsonApi', patch: 'jsonApi', relationship: 'jsonApi' },
  access: {
    read: "record.pk == caller.pk || caller.has('ROLE_ADMIN')",
    write: "caller.has('ROLE_ADMIN')",
  },
})
