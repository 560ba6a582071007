import { defineResource } from '../../core/model/define.ts'
import { computed, longText, many, text } from '../../core/model/fields.ts'

export const roles = defineResource('roles', {
  about: 'What users may be trusted with, by name.',
  label: 'name',
  fields: {
    name: text({
      required: true,
      max: 100,
      unique: true,
      pattern: { is: /^ROLE_[A-Z0-9_]+$/, says: 'must begin with ROLE_ and go on in capitals' },
    }),
    description: longText({ max: 510 }),
    authority: computed(text({ max: 100 }), ({ name }) => String(name)),
    members: many('users', { by: 'roles', title: 'Members' }),
  },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_ADMIN')" },
})
