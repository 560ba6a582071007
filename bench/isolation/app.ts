// The application of `bench/isolation.ts`: a resource whose hook waits for ever, as for a service that does not answer.

import { defineApp, defineModule, defineResource, text } from 'plinth'

const calls = defineResource('calls', {
  about: 'Records that a hook sends to a service that never answers.',
  fields: { name: text({ required: true }) },
  access: { read: 'true', write: 'true' },
  hooks: { afterCreate: () => new Promise(() => {}) },
})

export default defineApp({
  name: 'Isolation',
  modules: [defineModule({ name: 'calls', about: 'A hook that waits for ever.', resources: [calls] })],
})
