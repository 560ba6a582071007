// The application of `bench/isolation.ts`: a resource whose hook waits for ever, as for a service that does not answer, and one that is
// searched by words.

import { defineApp, defineModule, defineResource, text } from 'plinth'

const calls = defineResource('calls', {
  about: 'Records that a hook sends to a service that never answers.',
  fields: { name: text({ required: true }) },
  access: { read: 'true', write: 'true' },
  hooks: { afterCreate: () => new Promise(() => {}) },
})

const notes = defineResource('notes', {
  about: 'Texts that are searched by words.',
  search: ['title', 'body'],
  fields: { title: text({ required: true, max: 200 }), body: text({ max: 5000 }) },
  access: { read: 'true', write: "caller.has('ROLE_ADMIN')" },
})

export default defineApp({
  name: 'Isolation',
  modules: [
    defineModule({ name: 'calls', about: 'A hook that waits for ever.', resources: [calls] }),
    defineModule({ name: 'notes', about: 'Searches by words.', resources: [notes] }),
  ],
})
