import { defineResource } from '../../core/model/define.ts'
import { computed, longText, many, text } from '../../core/model/fields.ts'
import { peopleFault } from './declarations.ts'
import type { User } from './users.ts'

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
  families: { create: 'A', search: 'A', relationship: 'A', related: 'A' },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_ADMIN')" },
})

export const roleNamesOf = ({ roles }: Pick<User, 'roles'>): string[] =>
  roles.flatMap(({ label }) => (label === null ? [] : [label]))
