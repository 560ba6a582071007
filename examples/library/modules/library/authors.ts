import { counted, defineResource, integer, many, text } from 'plinth'

export const authors = defineResource('authors', {
  title: { de: 'Autoren' },
  singularTitle: { de: 'Autor' },
  about: { en: 'People who wrote books.', de: 'Menschen, die Bücher geschrieben haben.' },
  label: 'name',
  fields: {
    name: text({ required: true, max: 200, title: { de: 'Name' } }),
    born: integer({ min: -3000, max: 2100, title: { de: 'Geboren' } }),
    books: many('books', { by: 'author', title: { de: 'Bücher' } }),
    bookCount: counted('books', { title: { de: 'Zahl der Bücher' } }),
  },
  access: { read: 'true', write: "caller.has('ROLE_STAFF')" },
})
