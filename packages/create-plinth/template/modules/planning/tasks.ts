import { boolean, date, defineResource, text } from 'plinth'

export const tasks = defineResource('tasks', {
  about: 'What there is to do.',
  label: 'title',
  fields: {
    title: text({ required: true, max: 200 }),
    notes: text({ max: 5000 }),
    due: date({ indexed: true }),
    done: boolean({ default: false }),
  },
  access: { read: 'caller.signedIn', write: 'caller.signedIn' },
})
