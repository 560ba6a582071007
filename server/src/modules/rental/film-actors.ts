import { defineResource } from '../../core/model/define.ts'
import { computed, many, text } from '../../core/model/fields.ts'
import { catalogueAccess } from './access.ts'

export const filmActors = defineResource('filmActors', {
  about: 'People who play in films.',
  label: 'name',
  stamps: 'people',
  showsId: true,
  fields: {
    firstName: text({ max: 100 }),
    lastName: text({ required: true, max: 100, indexed: true }),
    name: computed(text({ max: 201 }), ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ')),
    films: many('films', { by: 'filmActors' }),
  },
  access: catalogueAccess,
})
