// Articles, for tests of searches by words: hidden records, a hidden field, a trash, and stems of two languages.

import { defineResource } from '../../src/core/model/define.ts'
import { boolean, many, ref, text, textList } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'

export const authors = defineResource('authors', {
  about: 'Authors.',
  label: 'name',
  fields: { name: text({ required: true, max: 100 }), articles: many('articles', { by: 'author' }) },
  access: { read: 'true', write: "caller.has('ROLE_STAFF')" },
})

export const articles = defineResource('articles', {
  about: 'Articles.',
  label: 'title',
  search: ['title', 'description', 'tags', 'remarks'],
  fields: {
    title: text({ required: true, max: 200 }),
    description: text({ max: 5000 }),
    tags: textList(),
    remarks: text({ max: 500, readable: "caller.has('ROLE_STAFF')" }),
    author: ref(authors, { onDelete: 'cascade' }),
    secret: boolean({ default: false }),
  },
  access: { read: "!record.secret || caller.has('ROLE_STAFF')", write: "caller.has('ROLE_STAFF')" },
  trash: true,
  history: true,
})

export const texte = defineResource('texte', {
  about: 'German texts.',
  label: 'name',
  search: { fields: { name: 3, inhalt: 1 }, language: 'de' },
  fields: { name: text({ required: true, max: 100 }), inhalt: text({ max: 5000 }) },
  access: { read: 'true', write: "caller.has('ROLE_STAFF')" },
})

export const press = defineModule({ name: 'press', about: 'Articles.', resources: [authors, articles, texte] })
