// Users and their roles.

import { defineResource } from '../../core/model/define.ts'
import {
  boolean,
  computed,
  counted,
  hasOne,
  input,
  links,
  longText,
  many,
  map,
  text,
  timestamp,
  webLink,
} from '../../core/model/fields.ts'
import type { Row } from '../../core/model/row.ts'
import { emailPattern } from '../mail/index.ts'
import { localePattern, maxLocale } from './locale.ts'
import { passwordField } from './passwords.ts'
import { peopleFault } from './problems.ts'
import { usernamePattern } from './usernames.ts'

/** What the full name of a user is computed from. */
export interface PersonNames {
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
}

const joined = ({ firstName, lastName }: PersonNames): string => [firstName, lastName].filter(Boolean).join(' ')

/** Administrators set these when they create a user. */
const atCreation = { fixed: true, writable: "caller.has('ROLE_ADMIN')" } as const

/** The standard resource `users`. */
export const users = defineResource('users', {
  title: { de: 'Personen' },
  singularTitle: { de: 'Person' },
  about: { en: 'People who use the service.', de: 'Personen, die den Dienst nutzen.' },
  label: 'username',
  history: true,
  trash: true,
  files: { pictures: ['avatarUrl', 'bannerUrl'] },
  fields: {
    username: text({
      required: true,
      max: 100,
      unique: 'ignoreCase',
      pattern: usernamePattern,
      writable: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')",
      about: {
        en: 'The name to sign in with. Change your own in your account, with your password.',
        de: 'Der Name für die Anmeldung. Den eigenen ändern Sie in Ihrem Konto, mit dem Passwort.',
      },
      title: { de: 'Benutzername' },
    }),
    email: input(text({ max: 254, format: 'email', pattern: emailPattern, ...atCreation, title: { de: 'E-Mail' } })),
    password: passwordField({
      ...atCreation,
      about: {
        en: 'Leave it empty to invite the user: the e-mail has a link to choose a password.',
        de: 'Leer lassen, um die Person einzuladen: Die E-Mail enthält einen Link, um ein Passwort zu wählen.',
      },
    }),
    firstName: text({ max: 100, indexed: 'anywhere', title: { de: 'Vorname' } }),
    lastName: text({ max: 100, indexed: 'anywhere', title: { de: 'Nachname' } }),
    name: computed(
      text({ max: 201, title: { de: 'Name' } }),
      ({ username, ...names }: PersonNames & { readonly username: string }) => joined(names) || username,
      { from: ['firstName', 'lastName', 'username'] },
    ),
    fullName: computed(text({ max: 201, title: { de: 'Voller Name' } }), joined, { from: ['firstName', 'lastName'] }),
    description: longText({ max: 1000, title: { de: 'Beschreibung' } }),
    avatarUrl: webLink({ title: { de: 'Profilbild' } }),
    bannerUrl: webLink({ title: { de: 'Titelbild' } }),
    // Others could find out by it whose address one is. Users see their own in the response of a sign-in.
    emailHash: text({
      max: 64,
      serverOwned: true,
      indexed: true,
      readable: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')",
      title: { de: 'Prüfsumme der E-Mail' },
    }),
    lastVisit: timestamp({ serverOwned: true, activity: true, title: { de: 'Letzter Besuch' } }),
    locale: text({ max: maxLocale, default: 'en', pattern: localePattern, title: { en: 'Language', de: 'Sprache' } }),
    active: boolean({ serverOwned: true, default: true, title: { de: 'Aktiv' } }),
    roles: links('roles', { embed: true, writable: "caller.has('ROLE_ADMIN')", title: { de: 'Rollen' } }),
    metadata: map({ default: {}, title: { de: 'Metadaten' } }),
    credentials: hasOne('userCredentials', { by: 'user', title: { en: 'Sign-in', de: 'Anmeldung' } }),
    contactDetails: hasOne('contactDetails', { by: 'user', title: { de: 'Kontaktdaten' } }),
    personalDetails: hasOne('personalDetails', { by: 'user', title: { de: 'Persönliche Daten' } }),
    friendships: many('friendships', { by: 'owner', title: { de: 'Freundschaften' } }),
    stompSessions: many('stompSessions', { by: 'user', title: { de: 'Echtzeitverbindungen' } }),
    stompSessionCount: counted('stompSessions', {
      countsHidden: true,
      about: {
        en: 'The number of open realtime connections; 0 means offline.',
        de: 'Anzahl der offenen Echtzeitverbindungen; 0 heißt offline.',
      },
      title: { de: 'Echtzeitverbindungen' },
    }),
  },
  // The profile: realtime sends changes of these fields to friends.
  eventFields: ['username', 'firstName', 'lastName', 'description', 'avatarUrl', 'bannerUrl'],
  requires: { recentSignIn: { create: ['roles'], update: ['username', 'roles'] } },
  families: { search: 'jsonApi', find: 'jsonApi', relationship: 'jsonApi', related: 'jsonApi' },
  access: {
    read: 'caller.signedIn',
    create: "caller.has('ROLE_ADMIN')",
    patch: "record.pk == caller.pk || caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')",
    replace: "caller.has('ROLE_ADMIN')",
    delete: "caller.has('ROLE_ADMIN')",
  },
})

/** A record of `users`. */
export type User = Row<typeof users>

/** Rules in the model name these roles, so they cannot be renamed or deleted. */
export const startingRoles: Readonly<Record<string, string>> = {
  ROLE_ADMIN: 'Administrator: has all permissions.',
  ROLE_SITE_OPERATOR: 'Site operator: manages geography, codes, errors and memberships.',
  ROLE_STAFF: 'Staff at the counter.',
  ROLE_USER: 'Every signed-in user.',
}

/** The standard resource `roles`. */
export const roles = defineResource('roles', {
  title: { de: 'Rollen' },
  singularTitle: { de: 'Rolle' },
  about: { en: 'Roles, which give users permissions.', de: 'Rollen, die Personen Berechtigungen geben.' },
  label: 'name',
  history: true,
  trash: true,
  fields: {
    name: text({
      required: true,
      max: 100,
      unique: true,
      pattern: { is: /^ROLE_[A-Z0-9_]+$/, says: peopleFault('authority') },
      title: { de: 'Name' },
    }),
    description: longText({ max: 510, title: { de: 'Beschreibung' } }),
    authority: computed(text({ max: 100, title: { de: 'Befugnis' } }), ({ name }: { readonly name: string }) => name),
    members: many('users', { by: 'roles', title: { en: 'Members', de: 'Mitglieder' } }),
  },
  requires: { recentSignIn: { update: ['name'] } },
  families: { create: 'jsonApi', search: 'jsonApi', relationship: 'jsonApi', related: 'jsonApi' },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_ADMIN')" },
})

export const roleNamesOf = ({ roles }: Pick<User, 'roles'>): string[] =>
  roles.flatMap(({ label }) => (label === null ? [] : [label]))
