// The application of `bench/history.ts`: two resources that differ in their history alone.

import { defineApp, defineModule, defineResource, integer, text } from 'plinth'

const notes = {
  about: 'Notes for measuring.',
  fields: { title: text({ required: true }), body: text({ max: 1000 }), count: integer() },
  access: { read: 'true', write: 'true' },
  trash: false,
} as const

const resources = [
  defineResource('plainNotes', { ...notes, history: false }),
  defineResource('recordedNotes', { ...notes, history: true }),
]

export default defineApp({
  name: 'Notes',
  modules: [defineModule({ name: 'notes', about: 'Notes for measuring.', resources })],
})
