import { defineResource } from '../../core/model/define.ts'
import { boolean, computed, links, longText, map, text, timestamp } from '../../core/model/fields.ts'

const joined = (values: Readonly<Record<string, unknown>>): string =>
  [values.firstName, values.lastName].filter(Boolean).join(' ')

export const users = defineResource('users', {
  about: 'People who use the service.',
  label: 'username',
  fields: {
    username: text({ required: true, max: 100, unique: 'ignoreCase' }),
    emailHash: text({ max: 64, serverOwned: true, indexed: true }),
    firstName: text({ max: 100 }),
    lastName: text({ max: 100 }),
    name: computed(text({ max: 201 }), values => joined(values) || String(values.username)),
    fullName: computed(text({ max: 201 }), joined),
    description: longText({ max: 1000 }),
    avatarUrl: text({ max: 1000, format: 'uri' }),
    bannerUrl: text({ max: 1000, format: 'uri' }),
    lastVisit: timestamp({ serverOwned: true }),
    locale: text({ max: 20, default: 'en' }),
    active: boolean({ serverOwned: true, default: true }),
    roles: links('roles', { embed: true, writable: "caller.has('ROLE_ADMIN')" }),
    metadata: map({ default: {} }),
  },
  access: {
    read: 'caller.signedIn',
    create: "caller.has('ROLE_ADMIN')",
    patch: "record.pk == caller.pk || caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')",
    replace: "caller.has('ROLE_ADMIN')",
    delete: "caller.has('ROLE_ADMIN')",
  },
})
