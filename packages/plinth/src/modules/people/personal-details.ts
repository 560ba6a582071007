import { defineResource, sharedWith } from '../../core/model/define.ts'
import { date, ref } from '../../core/model/fields.ts'
import { ownOrManaged } from './contact-details.ts'

export const personalDetails = defineResource('personalDetails', {
  title: { de: 'Persönliche Daten' },
  singularTitle: { de: 'Persönliche Daten' },
  about: {
    en: 'Personal data, visible to the user and to site operators.',
    de: 'Persönliche Daten, sichtbar für die Person selbst und die Betreiber.',
  },
  singular: 'personalDetails',
  identifier: sharedWith('user'),
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', title: { de: 'Person' } }),
    birthDay: date({ title: { en: 'Date of birth', de: 'Geburtsdatum' } }),
  },
  families: { create: 'A', find: 'A', delete: 'A' },
  access: ownOrManaged,
})
