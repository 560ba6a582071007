// The compiler knows the fields of records: these tests are checked when the types are.

import { expectTypeOf, test } from 'vitest'
import { defineResource } from '../model/define.ts'
import { structure } from '../model/fields/structure.ts'
import {
  boolean,
  choice,
  computed,
  counted,
  hasOne,
  input,
  integer,
  issued,
  links,
  many,
  ref,
  secret,
  text,
  textList,
  timestamp,
} from '../model/fields.ts'
import type { Link } from '../model/record.ts'
import type { Records } from '../model/records.ts'
import type { NewRow, Row, RowChanges } from '../model/row.ts'

const books = defineResource('books', {
  about: 'Books.',
  stamps: 'people',
  fields: {
    title: text({ required: true }),
    subtitle: text(),
    copies: integer({ required: true, default: 1 }),
    rating: integer({ default: 0 }),
    binding: choice(['hardcover', 'paperback'], { required: true }),
    tags: textList(),
    acquired: timestamp({ required: true, serverOwned: true }),
    sortTitle: computed(text(), ({ title }: { readonly title: string }) => title),
    code: secret(),
    password: input(secret(), async plain => ({ hash: plain })),
    key: issued(text()),
    publisher: structure({ name: text({ required: true }), short: computed(text(), () => 'x') }, { identity: 'name' }),
    author: ref('authors', { required: true }),
    shelf: ref('shelves'),
    similar: links('books', { embed: true }),
    mentions: links('books'),
    loans: many('loans', { by: 'book' }),
    cover: hasOne('covers', { by: 'book' }),
    loanCount: counted('loans'),
  },
  access: {},
})

const shelves = defineResource('shelves', {
  about: 'Shelves.',
  stamps: 'none',
  fields: { name: text({ required: true }) },
  access: {},
})

const authors = defineResource('authors', { about: 'Authors.', fields: { isKnown: boolean() }, access: {} })

type Book = Row<typeof books>
type NewBook = NewRow<typeof books>

test('a row has the fields that are read, with their types', () => {
  expectTypeOf<Book['title']>().toEqualTypeOf<string>()
  expectTypeOf<Book['subtitle']>().toEqualTypeOf<string | null>()
  expectTypeOf<Book['rating']>().toEqualTypeOf<number>()
  expectTypeOf<Book['binding']>().toEqualTypeOf<'hardcover' | 'paperback'>()
  expectTypeOf<Book['tags']>().toEqualTypeOf<readonly string[] | null>()
  expectTypeOf<Book['sortTitle']>().toEqualTypeOf<string>()
  expectTypeOf<Book['author']>().toEqualTypeOf<Link>()
  expectTypeOf<Book['shelf']>().toEqualTypeOf<Link | null>()
  expectTypeOf<Book['similar']>().toEqualTypeOf<readonly Link[]>()
  expectTypeOf<Book['cover']>().toEqualTypeOf<Link | null>()
  expectTypeOf<Book['loanCount']>().toEqualTypeOf<number>()
  expectTypeOf<Book['publisher']>().toEqualTypeOf<{ readonly name: string; readonly short: string } | null>()
  expectTypeOf<Book['pk' | 'createdDate' | 'lastModifiedDate']>().toEqualTypeOf<string>()
  expectTypeOf<Book['createdBy']>().toEqualTypeOf<Link | null>()
  type Hidden = Extract<keyof Book, 'code' | 'password' | 'key' | 'mentions' | 'loans' | 'isbn'>
  expectTypeOf<Hidden>().toEqualTypeOf<never>()
  expectTypeOf<keyof Row<typeof shelves>>().toEqualTypeOf<'pk' | 'version' | 'name'>()
  expectTypeOf<Extract<keyof Row<typeof authors>, `created${string}`>>().toEqualTypeOf<'createdDate'>()
})

test('a new record needs what is required and has no default', () => {
  expectTypeOf<{ title: string; binding: 'hardcover'; author: string }>().toExtend<NewBook>()
  expectTypeOf<{ title: string; binding: 'hardcover' }>().not.toExtend<NewBook>()
  expectTypeOf<NewBook['copies']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<NewBook['acquired']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<NewBook['shelf']>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<NewBook['mentions']>().toEqualTypeOf<readonly string[] | undefined>()
  expectTypeOf<NewBook['password']>().toEqualTypeOf<{ hash: string } | undefined>()
  expectTypeOf<NewBook['publisher']>().toExtend<{ readonly name: string } | null | undefined>()
  type Owned = Extract<keyof NewBook, 'sortTitle' | 'key' | 'loanCount' | 'version' | 'createdDate'>
  expectTypeOf<Owned>().toEqualTypeOf<never>()
  expectTypeOf<RowChanges<typeof books>['title']>().toEqualTypeOf<string | undefined>()
})

test('misspelt fields and values of other types do not compile', () => {
  // Never called: it is here to be compiled.
  const misspelt = (records: Records) => [
    records.find(books, { where: { title: 'A', copies: { gt: 1 }, author: 'pk', createdDate: { le: 'now' } } }),
    records.find(books, { where: { or: [{ shelf: null }, { shelf: { in: ['a'] } }] }, sort: ['-title', 'pk'] }),
    // @ts-expect-error: there is no such field
    records.find(books, { where: { titel: 'A' } }),
    // @ts-expect-error: another type
    records.find(books, { where: { copies: '1' } }),
    // @ts-expect-error: what is never read is never compared
    records.find(books, { where: { code: 'A' } }),
    // @ts-expect-error: there is no such field
    records.find(books, { sort: ['-titel'] }),
    // @ts-expect-error: shelves have no dates
    records.find(shelves, { where: { createdDate: { le: 'now' } } }),
    // @ts-expect-error: there is no such field
    records.create(shelves, { name: 'A', nmae: 'B' }),
    // @ts-expect-error: a name is required
    records.create(shelves, {}),
    // @ts-expect-error: not null
    records.update(shelves, 'pk', { name: null }),
    // @ts-expect-error: computed
    records.update(books, 'pk', { sortTitle: 'A' }),
    // @ts-expect-error: there is no such field
    records.get(books, 'pk').then(book => book.titel),
  ]
  expectTypeOf(misspelt).toBeFunction()
})

test('a computed field needs fields that the record has, with their types', () => {
  const lower = computed(text(), ({ name }: { readonly name: string }) => name.toLowerCase())
  const plain = { about: 'Shelves.', access: {} }
  defineResource('shelves', { ...plain, fields: { name: text({ required: true }), lower } })
  // @ts-expect-error: there is no such field
  defineResource('shelves', { ...plain, fields: { title: text({ required: true }), lower } })
  // @ts-expect-error: the name may be missing
  defineResource('shelves', { ...plain, fields: { name: text(), lower } })
})
