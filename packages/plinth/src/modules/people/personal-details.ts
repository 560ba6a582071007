import { defineResource, sharedWith } from '../../core/model/define.ts'
import { date, ref } from '../../core/model/fields.ts'
import { ownOrManaged } from './contact-details.ts'

export const personalDetails = defineResource('personalDetails', {
  title: { de: 'Persönliche Daten' },
  singularTitle: { de: 'Persönliche Daten' },
  about: {
    en: 'What only a user and those who run the site need to know.',
    de: 'Persönliche Angaben, die nur die Person selbst und die Betreiber sehen.',
  },
  singular: 'personalDetails',
  identifier: sharedWith('user'),
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', title: { de: 'Person' } }),
    birthDay: date({ title: { en: 'Day of birth', de: 'Geburtsdatum' } }),
  },
  families: { create: 'A', find: 'A', delete: 'A' },
  access: ownOrManaged,
})
