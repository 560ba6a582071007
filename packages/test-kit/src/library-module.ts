// A lending library: every identifier kind, field type, relation and kind of rule in one module, for the tests of the platform.

import { defineResource } from '../../plinth/src/core/model/define.ts'
import {
  boolean,
  choice,
  computed,
  counted,
  date,
  decimal,
  integer,
  links,
  longText,
  many,
  map,
  money,
  ref,
  secret,
  text,
  textList,
  timestamp,
} from '../../plinth/src/core/model/fields.ts'
import type { HookContext, Hooks } from '../../plinth/src/core/model/hooks.ts'
import { assigned, composedOf, hashOf, sharedWith } from '../../plinth/src/core/model/identifier.ts'
import type { Values } from '../../plinth/src/core/model/record.ts'
import { treeFields, treeHooks } from '../../plinth/src/core/model/tree.ts'
import { defineModule } from '../../plinth/src/core/module.ts'
import { Problem } from '../../plinth/src/core/problem.ts'

const staff = "caller.has('ROLE_STAFF')"

export const shelves = defineResource('shelves', {
  about: 'Where books stand; shelves stand in rooms, and rooms in houses.',
  singular: 'shelf',
  label: 'name',
  fields: {
    name: text({ required: true, max: 100 }),
    parent: ref('shelves'),
    ...treeFields,
    children: many('shelves', { by: 'parent' }),
    books: many('books', { by: 'shelf' }),
    bookCount: counted('books'),
  },
  hooks: treeHooks,
  access: { read: 'true', write: staff },
})

export const authors = defineResource('authors', {
  about: 'Who wrote the books; some of them only the staff may know.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 200 }),
    known: boolean({ default: true }),
    born: date(),
    books: many('books', { by: 'authors' }),
    bookCount: counted('books'),
  },
  access: { read: `record.known || ${staff}`, write: staff },
})

/** Records every write in the journal, in the same transaction. */
const record = async (
  { pk, records: { tx } }: HookContext,
  { kind, title }: { readonly kind: 'create' | 'update' | 'delete'; readonly title: unknown },
): Promise<void> => {
  if (String(title).includes('breaks afterwards')) throw new Problem('conflict', 'The journal refuses this.')
  const entry = { what: `${kind} ${title}`, book: kind === 'delete' ? null : pk }
  await tx.insert(tx.resource('journal'), crypto.randomUUID(), entry)
}

const checkBook = (values: Values): void => {
  if (values.title === 'refused') throw new Problem('conflict', 'This title is refused.')
  if (typeof values.blurb === 'string') values.blurb = values.blurb.trim()
}

const bookHooks: Hooks = {
  beforeCreate: ({ values }) => checkBook(values),
  afterCreate: context => record(context, { kind: 'create', title: context.record.title }),
  beforeUpdate: ({ values }) => checkBook(values),
  afterUpdate: context => record(context, { kind: 'update', title: context.record.title }),
  afterDelete: context => record(context, { kind: 'delete', title: context.before.title }),
}

export const books = defineResource('books', {
  about: 'Titles that the library has.',
  label: 'title',
  showsId: true,
  stamps: 'people',
  fields: {
    title: text({ required: true, max: 200, indexed: true }),
    isbn: text({ unique: 'ignoreCase', pattern: { is: /^[0-9Xx-]{10,17}$/, says: 'must be an ISBN' } }),
    blurb: longText({ max: 2000 }),
    pages: integer({ min: 1, max: 10_000 }),
    weight: decimal({ scale: 3, min: 0 }),
    price: money({ min: 0, max: 1_000_000 }),
    inPrint: boolean({ default: true }),
    published: date(),
    acquired: timestamp(),
    binding: choice(['hardcover', 'paperback', 'e-book'], {
      default: 'paperback',
      aliases: { hb: 'hardcover', pb: 'paperback', ebook: 'e-book' },
    }),
    tags: textList({ max: 40, maxItems: 5 }),
    notes: map({ maxEntries: 3 }),
    doorCode: secret({ max: 100 }),
    sortTitle: computed(text({ max: 200 }), ({ title }: { readonly title: string }) => title.replace(/^(The|A) /, '')),
    shelf: ref(shelves, { onDelete: 'clear' }),
    authors: links(authors, { embed: true }),
    seeAlso: links('books'),
    mentionedBy: many('books', { by: 'seeAlso' }),
    copies: many('copies', { by: 'book' }),
    copyCount: counted('copies'),
    availableCount: counted('copies', { where: { field: 'available', equals: true } }),
    accession: text({ max: 50, fixed: true }),
    purchasePrice: money({ readable: staff, writable: staff }),
    remark: text({ readable: staff }),
    stars: integer({ min: 0, max: 5, default: 0, writable: staff }),
    popularity: integer({ serverOwned: true, default: 0 }),
    allowedOrigins: textList(),
  },
  hooks: bookHooks,
  cors: { origins: ['https://catalogue.example'], originsField: 'allowedOrigins' },
  access: { read: 'true', create: 'caller.signedIn', update: 'caller.signedIn', delete: staff },
})

const journal = defineResource('journal', {
  about: 'What happened to books.',
  singular: 'journalEntry',
  stamps: 'none',
  fields: { what: text({ required: true }), book: ref('books', { onDelete: 'clear' }) },
  access: { read: staff },
})

const copies = defineResource('copies', {
  about: 'The single volumes, by the numbers on their backs.',
  identifier: assigned(/^C-\d+$/, 12),
  stamps: 'none',
  fields: {
    book: ref('books', { required: true, onDelete: 'cascade' }),
    available: boolean({ default: true }),
    shelfMark: text({ max: 20 }),
    lendings: many('lendings', { by: 'copy' }),
    lendingCount: counted('lendings'),
  },
  access: { read: 'caller.signedIn', write: staff },
})

const readers = defineResource('readers', {
  about: 'Who borrows; readers see themselves alone.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 100 }),
    account: ref('users', { required: true }),
    lendings: many('lendings', { by: 'reader' }),
    lendingCount: counted('lendings'),
    cards: many('cards', { by: 'reader' }),
  },
  access: {
    read: `record.account == caller.pk || ${staff}`,
    create: `record.account == caller.pk || ${staff}`,
    update: `record.account == caller.pk || ${staff}`,
    delete: staff,
  },
})

const cards = defineResource('cards', {
  about: 'Library cards: one for each reader.',
  identifier: sharedWith('reader'),
  fields: {
    reader: ref('readers', { required: true, onDelete: 'cascade' }),
    pin: secret({ min: 4, max: 10 }),
    validUntil: date(),
    colour: text({ max: 20 }),
  },
  access: { read: `record.reader.account == caller.pk || ${staff}`, write: staff },
})

const lendings = defineResource('lendings', {
  about: 'Which copy is with which reader.',
  identifier: composedOf('copy', 'reader'),
  fields: {
    copy: ref('copies', { required: true }),
    reader: ref('readers', { required: true }),
    due: date(),
    remarks: text({ max: 100 }),
  },
  access: { read: `record.reader.account == caller.pk || ${staff}`, write: staff },
})

const signatures = defineResource('signatures', {
  about: 'Autographs, each kept once.',
  identifier: hashOf('words'),
  fields: { words: text({ required: true, max: 500 }), found: integer() },
  access: { read: 'true', write: staff },
})

const ledgers = defineResource('ledgers', {
  about: 'Books that are no concern of readers, and closed to everyone once archived.',
  label: 'name',
  fields: {
    name: text({ required: true }),
    archived: boolean({ default: false }),
    book: ref('books', { onDelete: 'refuse' }),
  },
  access: { read: staff, create: staff, update: `${staff} && !record.archived`, delete: 'false' },
})

export const library = defineModule({
  name: 'library',
  about: 'A lending library.',
  resources: [shelves, authors, books, journal, copies, readers, cards, lendings, signatures, ledgers],
})
