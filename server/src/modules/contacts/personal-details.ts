import { defineResource, sharedWith } from '../../core/model/define.ts'
import { date, ref } from '../../core/model/fields.ts'
import { ownOrManaged } from './access.ts'

export const personalDetails = defineResource('personalDetails', {
  about: 'What only a user and those who run the site need to know.',
  singular: 'personalDetails',
  identifier: sharedWith('user'),
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade' }),
    birthDay: date({ title: 'Day of birth' }),
  },
  access: ownOrManaged,
})
