// The state of credentials: what administrators see of it, and what no caller sees.

import { defineResource } from '../../core/model/define.ts'
import { boolean, hasOne, integer, ref, text, textList, timestamp } from '../../core/model/fields.ts'
import { sharedWith } from '../../core/model/identifier.ts'
import type { Row } from '../../core/model/row.ts'
import { fold } from '../../core/store/sql/text-patterns.ts'
import { passwordField } from './passwords.ts'

// userCredentials: whether a user may sign in, and since when. The password hash is in `secrets`.

export const userCredentials = defineResource('userCredentials', {
  title: { de: 'Zugangsdaten' },
  singularTitle: { de: 'Zugangsdaten' },
  about: {
    en: 'Whether a user can sign in, and recent sign-ins.',
    de: 'Ob sich eine Person anmelden darf und wann sie es zuletzt getan hat.',
  },
  singular: 'userCredentials',
  inPerson: true,
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

// Password hashes and permissions, in one row that each sign-in reads. No caller ever sees it.

export const secrets = defineResource('secrets', {
  about: 'Password hashes and copies of roles.',
  identifier: sharedWith('user'),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade' }),
    /** The username with its case folded. */
    loginName: text({ required: true, max: 400, unique: true }),
    /** Null: no password opens this account. */
    passwordHash: text({ max: 500 }),
    /** Copies from users and userCredentials; their hooks keep them current. */
    roles: textList({ maxItems: 1000 }),
    active: boolean({ required: true }),
    /** A second factor is required after the password. */
    mfa: boolean({ required: true, default: false }),
    /** The digest of the confirmed e-mail address, which works in place of the username. No key is needed to sign in by it. */
    verifiedEmail: text({ max: 64, unique: true }),
  },
  access: {},
})

export type Secrets = Row<typeof secrets>

/** The username that belongs to a row of `secrets`. */
export const usernameOf = ({ user }: Secrets): string => user.label ?? ''

/** Equal for all spellings that the database considers the same username. */
export const loginNameOf = (username: string): string => fold(username)
