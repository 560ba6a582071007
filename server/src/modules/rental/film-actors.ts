import { defineResource } from '../../core/model/define.ts'
import { computed, many, text } from '../../core/model/fields.ts'
import { catalogueAccess } from './access.ts'

export const filmActors = defineResource('filmActors', {
  title: { de: 'Darsteller' },
  singularTitle: { de: 'Darsteller' },
  about: { en: 'People who play in films.', de: 'Personen, die in Filmen mitspielen.' },
  label: 'name',
  stamps: 'people',
  showsId: true,
  fields: {
    firstName: text({ max: 100, title: { de: 'Vorname' } }),
    lastName: text({ required: true, max: 100, indexed: true, title: { de: 'Nachname' } }),
    name: computed(text({ max: 201, title: { de: 'Name' } }), ({ firstName, lastName }) =>
      [firstName, lastName].filter(Boolean).join(' '),
    ),
    films: many('films', { by: 'filmActors', title: { de: 'Filme' } }),
  },
  access: catalogueAccess,
})
