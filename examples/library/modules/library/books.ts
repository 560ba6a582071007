import { computed, defineResource, integer, ref, text } from 'plinth'
import { authors } from './authors.ts'

/** Catalogues file “The Waves” under W. */
const sortTitleOf = ({ title }: { readonly title: string }): string => title.replace(/^(The|A|An) /, '')

export const books = defineResource('books', {
  title: { de: 'Bücher' },
  singularTitle: { de: 'Buch' },
  about: { en: 'Books and how many copies are on the shelf.', de: 'Bücher und wie viele Exemplare im Regal stehen.' },
  label: 'title',
  search: ['title', 'isbn', 'author.name'],
  fields: {
    title: text({ required: true, max: 300, title: { de: 'Titel' } }),
    sortTitle: computed(text({ max: 300, indexed: true, title: { de: 'Sortiertitel' } }), sortTitleOf),
    isbn: text({ unique: true, max: 17, title: { en: 'ISBN', de: 'ISBN' } }),
    author: ref(authors, { required: true, title: { de: 'Autor' } }),
    copies: integer({ required: true, min: 0, default: 1, title: { de: 'Exemplare' } }),
  },
  access: { read: 'true', write: "caller.has('ROLE_STAFF')" },
})
