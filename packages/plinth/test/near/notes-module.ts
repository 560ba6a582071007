// Notes with vectors, for tests of nearness: some are hidden, one has a field that only staff may read, and words are searched, too.

import { defineResource } from '../../src/core/model/define.ts'
import { boolean, ref, text, vector } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'

const staffOnly = "caller.has('ROLE_STAFF')"

export const notes = defineResource('notes', {
  about: 'Notes.',
  label: 'title',
  search: ['title'],
  history: true,
  trash: true,
  fields: {
    title: text({ required: true, max: 100 }),
    kind: text({ max: 20, indexed: true }),
    meaning: vector(3),
    secret: boolean({ default: false }),
  },
  access: { read: `!record.secret || ${staffOnly}`, write: staffOnly },
})

export const places = defineResource('places', {
  about: 'Places.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 100 }),
    spot: vector(2, { distance: 'euclidean', required: true }),
    taste: vector(2, { distance: 'innerProduct', readable: staffOnly }),
    note: ref(notes),
  },
  access: { read: 'true', write: staffOnly },
})

export const noteModule = defineModule({ name: 'notes', about: 'Notes.', resources: [notes, places] })
