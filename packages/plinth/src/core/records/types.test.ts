// The compiler knows the fields of records: these tests are checked when the types are.

import { expectTypeOf, test } from 'vitest'
import { defineResource } from '../model/define.ts'
import { extendResource } from '../model/extend.ts'
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
import { assigned, sharedWith } from '../model/identifier.ts'
import type { Link } from '../model/record.ts'
import type { Records } from '../model/records.ts'
import type { NewRow, Row, RowChanges, WithComputed } from '../model/row.ts'

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

const countries = defineResource('countries', {
  about: 'Countries.',
  identifier: assigned(/^[A-Z]{2}$/, 2),
  fields: { name: text({ required: true }) },
  access: {},
})
const namedCountries = extendResource(countries, { fields: { motto: text() } })

const covers = defineResource('covers', {
  about: 'Covers.',
  identifier: sharedWith('book'),
  fields: { book: ref('books', { required: true }) },
  access: {},
})

const stands = defineResource('stands', { about: 'Stands.', fields: { shelf: ref(shelves) }, access: {} })

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

test('callers give the pk where the definition lets them assign it, and may give it elsewhere', () => {
  expectTypeOf<NewRow<typeof countries>['pk']>().toEqualTypeOf<string>()
  expectTypeOf<NewRow<typeof namedCountries>['pk']>().toEqualTypeOf<string>()
  expectTypeOf<NewRow<typeof covers>['pk']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<NewRow<typeof shelves>['pk']>().toEqualTypeOf<string | undefined>()
  // Never called: it is here to be compiled.
  const withoutPk = (records: Records) => [
    records.create(countries, { pk: 'FR', name: 'France' }),
    records.create(covers, { book: 'b1' }),
    // @ts-expect-error: which country?
    records.create(countries, { name: 'France' }),
    // @ts-expect-error: which country?
    records.createMany(countries, [{ name: 'France' }]),
    // @ts-expect-error: which country?
    records.upsert(countries, { name: 'France' }),
    // @ts-expect-error: which country?
    records.create(namedCountries, { name: 'France', motto: 'Liberté' }),
  ]
  expectTypeOf(withoutPk).toBeFunction()
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
    // @ts-expect-error: a number is no pk, and no condition
    records.find(stands, { where: { shelf: 7 } }),
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
    records.increment(books, 'pk', { copies: -1, rating: 1 }),
    // @ts-expect-error: a text has no sum
    records.increment(books, 'pk', { title: 1 }),
    // @ts-expect-error: a count is not written
    records.increment(books, 'pk', { loanCount: 1 }),
    // @ts-expect-error: there is no such field
    records.first(books, { where: { titel: 'A' } }),
    // @ts-expect-error: the condition is one of the options
    records.count(books, { title: 'A' }),
    // @ts-expect-error: which ones?
    records.removeMany(books, {}),
    // @ts-expect-error: which ones?
    records.updateMany(books, {}, { title: 'A' }),
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
  // What the service or a default gives is there, and so is what hooks give.
  const gross = computed(integer(), ({ net }: { readonly net: number }) => net * 2)
  defineResource('shelves', { ...plain, fields: { net: integer({ required: true, serverOwned: true }), gross } })
  defineResource('shelves', { ...plain, fields: { net: integer({ required: true, default: 1 }), gross } })
  // @ts-expect-error: the amount may be missing
  defineResource('shelves', { ...plain, fields: { net: integer({ serverOwned: true }), gross } })
})

test('what is wrong with a computed field is a sentence', () => {
  const gross = computed(integer(), ({ net }: { readonly net: number }) => net * 2)
  const net = integer()
  const word = text({ required: true })
  type Gross = typeof gross
  expectTypeOf<
    WithComputed<{ net: typeof net; gross: Gross }>['gross']
  >().toEqualTypeOf<'net may be missing here: it is not required'>()
  expectTypeOf<
    WithComputed<{ net: typeof word; gross: Gross }>['gross']
  >().toEqualTypeOf<'net has another type here than in the record'>()
  expectTypeOf<WithComputed<{ gross: Gross }>['gross']>().toEqualTypeOf<'the record has no field net'>()
})

const printers = defineResource('printers', {
  about: 'Who prints.',
  stamps: 'none',
  fields: { name: text({ required: true }), shelf: ref(shelves), founded: integer() },
  access: {},
})

const prints = defineResource('prints', {
  about: 'What is printed.',
  fields: {
    title: text({ required: true }),
    printer: ref(printers, { required: true }),
    reprint: ref('prints'),
    seller: ref('sellers'),
    shelves: links(shelves),
    parts: many(books, { by: 'shelf' }),
  },
  access: {},
})

test('relations from another side name a field that refers to records', () => {
  many(prints, { by: 'printer' })
  many(prints, { by: 'shelves' })
  many('prints', { by: 'anything' })
  // @ts-expect-error: there is no such field
  many(prints, { by: 'printr' })
  // @ts-expect-error: a text refers to nothing
  hasOne(prints, { by: 'title' })
})

test('conditions, order, related rows and chosen fields are known along relations', () => {
  // Never called: it is here to be compiled.
  const queries = async (records: Records) => {
    const where = {
      printer: { shelf: { name: { ilike: 'a*' } } },
      not: { parts: { copies: { between: [1, 2] } } },
    } as const
    await records.find(prints, { where, sort: ['-printer.shelf.name', 'title'], include: ['printer.shelf'] })
    await records.find(prints, { where: { reprint: { printer: { founded: null } }, seller: { anything: 1 } } })
    await records.find(prints, { where: { printer: 'pk', shelves: { in: ['pk'] }, seller: { isNull: true } } })
    const [row] = await records.find(prints, { include: ['printer.shelf', 'shelves', 'reprint', 'seller.town'] })
    expectTypeOf(row?.printer.name).toEqualTypeOf<string | undefined>()
    expectTypeOf(row?.printer.shelf?.name).toEqualTypeOf<string | undefined>()
    expectTypeOf(row?.shelves[0]?.name).toEqualTypeOf<string | undefined>()
    expectTypeOf(row?.reprint?.printer).toEqualTypeOf<Link | undefined>()
    expectTypeOf(row?.seller?.name).toEqualTypeOf<unknown>()
    const narrow = await records.get(prints, 'pk', { fields: ['title', 'printer'], include: ['printer'] })
    expectTypeOf<keyof typeof narrow>().toEqualTypeOf<'pk' | 'title' | 'printer'>()
    expectTypeOf(narrow.printer.founded).toEqualTypeOf<number | null>()
    expectTypeOf(await records.get(prints, 'pk')).toEqualTypeOf<Row<typeof prints>>()
  }
  const misspelt = (records: Records) => [
    // @ts-expect-error: there is no such field behind the relation
    records.find(prints, { where: { printer: { shelf: { nmae: 'A' } } } }),
    // @ts-expect-error: another type
    records.find(prints, { where: { printer: { founded: '1900' } } }),
    // @ts-expect-error: numbers are not like a text
    records.find(prints, { where: { printer: { founded: { like: '19*' } } } }),
    // @ts-expect-error: there is no such field in the alternative
    records.find(prints, { where: { or: [{ titel: 'A' }] } }),
    // @ts-expect-error: there is no such comparison
    records.find(prints, { where: { title: { ilik: 'a*' } } }),
    // @ts-expect-error: there is no such field behind the relation
    records.find(prints, { sort: 'printer.nmae' }),
    // @ts-expect-error: several records have no order
    records.find(prints, { sort: 'shelves.name' }),
    // @ts-expect-error: a value, where a relation belongs
    records.find(prints, { include: ['title'] }),
    // @ts-expect-error: there is no such relation
    records.find(prints, { include: ['printer.shelv'] }),
    // @ts-expect-error: there is no such field
    records.find(prints, { fields: ['titel'] }),
    // @ts-expect-error: not included
    records.get(prints, 'pk').then(({ printer }) => printer.name),
    // @ts-expect-error: not chosen
    records.get(prints, 'pk', { fields: ['title'] }).then(({ version }) => version),
  ]
  expectTypeOf([queries, misspelt]).toBeArray()
})
