// Definitions and lists of resources: what compiles and what does not. Checked by the compiler, never run.

import { createClient } from '@plinth/client'
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
  type SchemaOf,
  text,
  users,
} from 'plinth'
import { same } from './same.ts'

const about = 'Things.'
const access = { read: 'true' }

const authors = defineResource('authors', { about, access, fields: { books: many('books', { by: 'author' }) } })
const books = defineResource('books', {
  ...{ about, access },
  label: 'title',
  fields: { title: text({ required: true }), author: ref('authors'), owner: ref('users'), tags: links('tags') },
})
const tags = defineResource('tags', { about, access, fields: { books: many('books', { by: 'tags' }) } })

const shops = defineResource('shops', { about, access, fields: { name: text(), staff: many('users', { by: 'shop' }) } })
const staff = extendResource(users, {
  fields: { shop: ref('shops'), nickname: text(), reads: many('books', { by: 'owner' }) },
})

/** What an extension adds is part of the types of clients. */
export const extended = async () => {
  const shop = defineModule({ name: 'shop', about, resources: [shops], extensions: [staff] })
  const library = defineModule({ name: 'library', about, resources: [authors, books, tags] })
  const app = defineApp({ name: 'Shop', modules: [shop, library] })
  const client = createClient<SchemaOf<typeof app>>({ url: 'https://shop.example' })
  const user = await client.users.get('1', { include: ['shop', 'reads'] })
  same<string | null>().as(user.nickname)
  same<string | null | undefined>().as(user.shop?.name)
  same<string | undefined>().as(user.reads[0]?.title)
  same<string>().as(user.username)
  // @ts-expect-error: no such field, nor is it added
  user.nicknme
  // @ts-expect-error: an added field of another type
  await client.users.update('1', { nickname: 3 })
}

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

/** Right rules: paths along relations, texts that look like paths, and names of other modules. */
export const rightRules = () => {
  const loans = defineResource('loans', {
    about,
    fields: { book: ref('books'), borrower: ref('users'), shop: ref('shops') },
    access: {
      read: "sameShop || record.borrower == caller.pk || record.book.title == 'record.x' || caller.has('ROLE_STAFF')",
      create: 'record.book.author.books.owner.pk == caller.pk && record.createdBy.username == caller.username',
      update: 'record.shop == caller.user.shop && (record.version>1||record.id == caller.pk)',
    },
    rules: { sameShop: 'record.shop.staff.pk == caller.pk' },
  })
  const unknownRule: string = 'record.whatever == caller.pk'
  const computedRule = defineResource('others', { about, access: { read: unknownRule }, fields: { a: text() } })
  const shop = defineModule({ name: 'shop', about, resources: [shops, loans, computedRule], extensions: [staff] })
  return defineApp({
    name: 'Shop',
    modules: [shop, defineModule({ name: 'library', about, resources: [authors, books, tags] })],
  })
}

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
  const misspeltRule = defineResource('loans', {
    about,
    fields: { book: ref('books'), borrower: ref('users') },
    access: { read: "record.borower == caller.pk || caller.has('ROLE_STAFF')" },
  })
  // @ts-expect-error: the rule 'read' of 'loans' names the field 'borower', which 'loans' does not have; did you mean 'borrower'?
  defineModule({ name: 'loans', about, resources: [misspeltRule] })
  const misspeltPath = defineResource('loans', {
    about,
    fields: { book: ref('books'), borrower: ref('users') },
    access: { read: 'true', update: 'record.book.author.nme == caller.username' },
  })
  // @ts-expect-error: the rule 'update' of 'loans' names the field 'nme', which 'authors' does not have
  defineModule({ name: 'loans', about, resources: [misspeltPath, books, authors, tags] })
  const beyondText = defineResource('loans', {
    about,
    fields: { note: text() },
    access: { read: 'record.note.length > 3' },
  })
  // @ts-expect-error: the rule 'read' of 'loans' goes on after 'note' of 'loans', which is not a relation
  defineModule({ name: 'loans', about, resources: [beyondText] })
  const named = defineResource('loans', {
    about,
    fields: { note: text() },
    access: { read: 'mine' },
    rules: { mine: 'record.owner == caller.pk' },
  })
  // @ts-expect-error: the named rule 'mine' of 'loans' names the field 'owner', which 'loans' does not have
  defineModule({ name: 'loans', about, resources: [named] })
  const elsewhereRule = defineResource('loans', {
    about,
    fields: { borrower: ref('users') },
    access: { read: 'record.borrower.usrname == caller.username' },
  })
  const loansOfUsers = defineModule({ name: 'loans', about, resources: [elsewhereRule] })
  // @ts-expect-error: the rule 'read' of 'loans' names the field 'usrname', which 'users' does not have; did you mean 'username'?
  defineApp({ name: 'Library', modules: [loansOfUsers] })
  const ofCaller = defineResource('loans', {
    about,
    fields: { note: text() },
    access: { read: 'record.note == caller.user.branch' },
  })
  const loansOfBranch = defineModule({ name: 'loans', about, resources: [ofCaller] })
  // @ts-expect-error: the rule 'read' of 'loans' names the field 'branch', which 'users' does not have
  defineApp({ name: 'Library', modules: [loansOfBranch] })
  const seen = extendResource(users, {
    access: { read: 'record.shop.staf.pk == caller.pk' },
    fields: { shop: ref('shops') },
  })
  // @ts-expect-error: the rule 'read' of 'users' names the field 'staf', which 'shops' does not have; did you mean 'staff'?
  defineModule({ name: 'shops', about, resources: [shops], extensions: [seen] })
  const lost = extendResource(users, { fields: { favourites: many('books', { by: 'ownr' }) } })
  // @ts-expect-error: users.favourites names the field 'ownr', which 'books' does not have; did you mean 'owner'?
  defineModule({ name: 'library', about, resources: [authors, books, tags], extensions: [lost] })
  const nowhere = extendResource(users, { fields: { branch: ref('branches') } })
  const extending = defineModule({ name: 'extending', about, resources: [], extensions: [nowhere] })
  // @ts-expect-error: users.branch refers to 'branches', which is not a resource
  defineApp({ name: 'Library', modules: [extending] })
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
  // @ts-expect-error: there is no rule 'craete'; the rules are read, create, replace, patch, delete, update and write
  defineResource('books', { about, access: { read: 'true', craete: 'true' }, fields: { title: text() } })
  // @ts-expect-error: nor in an extension
  extendResource(users, { access: { read: 'true', craete: 'true' } })
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
  // @ts-expect-error: computed from a field that the function does not take
  computed(text(), ({ x }: { x: string }) => x, { from: ['y'] })
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
