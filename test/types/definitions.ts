// Definitions and lists of resources: what compiles and what does not. Checked by the compiler, never run.

import {
  boolean,
  choice,
  computed,
  counted,
  date,
  defineApp,
  defineModule,
  defineResource,
  extendResource,
  hasOne,
  integer,
  links,
  many,
  money,
  ref,
  text,
  users,
} from 'plinth'

const about = 'Things.'
const access = { read: 'true' }

const authors = defineResource('authors', { about, access, fields: { books: many('books', { by: 'author' }) } })
const books = defineResource('books', {
  ...{ about, access },
  label: 'title',
  fields: { title: text({ required: true }), author: ref('authors'), owner: ref('users'), tags: links('tags') },
})
const tags = defineResource('tags', { about, access, fields: { books: many('books', { by: 'tags' }) } })

/** Right lists: names of resources and fields that exist, in the same list or in another module of the application. */
export const right = () => {
  const library = defineModule({ name: 'library', about, resources: [authors, books, tags] })
  const alone = defineModule({ name: 'alone', about, resources: [books] })
  const named = defineModule({ name: 'named', about, resources: [authors, tags] })
  const listed: readonly (typeof books | typeof authors)[] = [books, authors]
  defineModule({ name: 'listed', about, resources: listed })
  return [
    defineApp({ name: 'Library', modules: [library] }),
    defineApp({ name: 'Library', modules: [alone, named] }),
    defineApp({ name: 'Library' }),
  ]
}

const misspelt = defineResource('loans', { about, access, fields: { book: ref('boks') } })
const unknown = defineResource('loans', { about, access, fields: { book: links('volumes') } })
const noField = defineResource('authors', { about, access, fields: { books: many('books', { by: 'autor' }) } })
const noReference = defineResource('authors', { about, access, fields: { books: many('books', { by: 'title' }) } })
const elsewhere = defineResource('authors', { about, access, fields: { books: many('books', { by: 'owner' }) } })
const single = defineResource('authors', { about, access, fields: { book: hasOne('books', { by: 'autor' }) } })
const noLink = defineResource('tags', { about, access, fields: { books: many('books', { by: 'tag' }) } })

/** Wrong lists and definitions, none of which compiles. */
export const wrong = () => {
  // @ts-expect-error: authors.books names the field 'autor', which 'books' does not have; did you mean 'author'?
  defineModule({ name: 'library', about, resources: [books, noField] })
  // @ts-expect-error: authors.books needs a field of 'books' that refers to 'authors', but 'title' is not a reference
  defineModule({ name: 'library', about, resources: [books, noReference] })
  // @ts-expect-error: authors.books needs a field of 'books' that refers to 'authors', but 'owner' refers to 'users'
  defineModule({ name: 'library', about, resources: [books, elsewhere] })
  // @ts-expect-error: authors.book names the field 'autor', which 'books' does not have
  defineModule({ name: 'library', about, resources: [books, single] })
  // @ts-expect-error: tags.books names the field 'tag', which 'books' does not have; did you mean 'tags'?
  defineModule({ name: 'library', about, resources: [books, noLink] })
  const loans = defineModule({ name: 'loans', about, resources: [misspelt] })
  const library = defineModule({ name: 'library', about, resources: [authors, books, tags] })
  // @ts-expect-error: loans.book refers to 'boks', which is not a resource; did you mean 'books'?
  defineApp({ name: 'Library', modules: [library, loans] })
  const volumes = defineModule({ name: 'loans', about, resources: [unknown] })
  // @ts-expect-error: loans.book refers to 'volumes', which is not a resource
  defineApp({ name: 'Library', modules: [volumes] })
  const split = defineModule({ name: 'split', about, resources: [noField] })
  // @ts-expect-error: authors.books names the field 'autor', in another module
  defineApp({ name: 'Library', modules: [library, split] })
  // @ts-expect-error: a relation from a definition names one of its fields
  many(books, { by: 'autor' })
  // @ts-expect-error: and one that refers to records
  many(books, { by: 'title' })
  // @ts-expect-error: the label is a field
  defineResource('books', { about, access, label: 'titel', fields: { title: text() } })
  // @ts-expect-error: rules are by operation
  defineResource('books', { about, access: { raed: 'true' }, fields: { title: text() } })
  // @ts-expect-error: rules are text
  defineResource('books', { about, access: { read: true }, fields: { title: text() } })
  // @ts-expect-error: fields are made by calls
  defineResource('books', { about, access, fields: { title: text } })
  // @ts-expect-error: about is missing
  defineResource('books', { access, fields: { title: text() } })
  // @ts-expect-error: an unknown option
  text({ requried: true })
  // @ts-expect-error: a default of another type
  integer({ default: 'three' })
  // @ts-expect-error: a default that is no choice
  choice(['open', 'closed'], { default: 'lost' })
  // @ts-expect-error: a limit of another type
  integer({ max: '10' })
  // @ts-expect-error: what happens on deletion
  ref('books', { onDelete: 'casade' })
  // @ts-expect-error: a relation from the other side needs a field
  many('books', {})
  // @ts-expect-error: money has a scale of its own currency
  money({ scal: 2 })
  // @ts-expect-error: an unknown option of dates
  date({ requird: true })
  // @ts-expect-error: an unknown option of a count
  counted('books', { hidden: true })
  // @ts-expect-error: a flag is no text
  boolean({ default: 'false' })
  // @ts-expect-error: computed from a field that does not exist
  defineResource('b', { about, access, fields: { a: text(), c: computed(text(), ({ x }: { x: string }) => x) } })
  // @ts-expect-error: a hook of an unknown name
  defineResource('books', { about, access, fields: { title: text() }, hooks: { beforeSave: () => {} } })
  // @ts-expect-error: an unknown value in a hook
  defineResource('b', { about, access, fields: { a: text() }, hooks: { beforeCreate: ({ values }) => void values.x } })
  // @ts-expect-error: an extension of a rule that does not exist
  extendResource(users, { access: { raed: 'true' } })
  // @ts-expect-error: a module needs a name
  defineModule({ about, resources: [books] })
  // @ts-expect-error: a module that cannot be left out
  defineApp({ name: 'Library', without: ['people'] })
}
